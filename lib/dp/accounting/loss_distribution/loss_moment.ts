import type { FiniteLosses, SplitLosses } from "./loss_cells.ts";
import { minimiserOf } from "../../../core/numeric/minimiser_of.ts";

/** The losses of one part and how many times they are drawn. */
export interface LossPower {
  /** The loss of one run. */
  readonly split: SplitLosses;
  /** Number of runs. */
  readonly count: number;
}

/** ln Σ masses·e^(tilt·loss): the logarithm of the moment generating function, without overflow. */
export function logMoment({ losses, masses }: FiniteLosses, tilt: number): number {
  let greatest = -Infinity;
  for (let i = 0; i < losses.length; i++) {
    if (tilt * losses[i]! > greatest) greatest = tilt * losses[i]!;
  }
  let sum = 0;
  for (let i = 0; i < losses.length; i++) {
    sum += masses[i]! * Math.exp(tilt * losses[i]! - greatest);
  }
  if (sum > 1e-250 || losses.length === 0) return greatest + Math.log(sum);
  // The largest losses are so rare that the sum underflows: again about its largest term.
  greatest = -Infinity;
  for (let i = 0; i < losses.length; i++) {
    greatest = Math.max(greatest, tilt * losses[i]! + Math.log(masses[i]!));
  }
  sum = 0;
  for (let i = 0; i < losses.length; i++) {
    sum += Math.exp(tilt * losses[i]! + Math.log(masses[i]!) - greatest);
  }
  return greatest + Math.log(sum);
}

/** ln of a part's moment, and how much of it comes from above the edge. */
export function splitMoment(
  { below, above }: SplitLosses,
  tilt: number,
): { log: number; share: number } {
  const high = above.losses.length === 0 ? -Infinity : logMoment(above, tilt);
  if (below.losses.length === 0) return { log: high, share: 1 };
  const low = logMoment(below, tilt);
  const log = Math.max(low, high) + Math.log1p(Math.exp(-Math.abs(low - high)));
  return { log, share: Math.exp(high - log) };
}

/** At least the tilted probability that a loss of the sum is above the edge: a^T − b^T ≤ T(a − b)a^(T − 1). */
export function shareAbove(parts: readonly LossPower[], tilt: number): number {
  let sum = 0;
  for (const { split, count } of parts) {
    if (split.below.losses.length === 0) return 1;
    sum += count * splitMoment(split, tilt).share;
  }
  return parts.length === 0 ? 1 : Math.min(1, sum);
}

/** At least ln E[e^(tilt·L); a loss above the edge] of the sum L of all runs. */
export function logMomentOfSum(parts: readonly LossPower[], tilt: number): number {
  let log = 0, sum = 0, whole = parts.length === 0;
  for (const { split, count } of parts) {
    const moment = splitMoment(split, tilt);
    log += count * moment.log;
    sum += count * moment.share;
    whole ||= split.below.losses.length === 0;
  }
  return whole || sum >= 1 ? log : log + Math.log(sum);
}

/** ln max_y e^(−tilt·y)·(1 − e^−y) over y > 0. */
export function logPeak(tilt: number): number {
  return tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt);
}

/** Range in which a tilt is searched, and the tolerance in its logarithm. */
const TILTS = { from: 1e-6, to: 1e9, within: 1e-2 };

/** The tilt on whose line Re s = tilt the integrand M(s)·e^(−s·ε)/(s(s + 1)) is least at its peak. */
export function saddleTilt(parts: readonly LossPower[], { epsilon }: { epsilon: number }): number {
  return minimiserOf(
    (tilt) => logMomentOfSum(parts, tilt) - tilt * epsilon - Math.log(tilt) - Math.log1p(tilt),
    TILTS,
  );
}

/** Roughly the density of the sum at ε, by the saddle point at this tilt. */
export function saddleDensity(
  parts: readonly LossPower[],
  { epsilon, tilt }: { epsilon: number; tilt: number },
): number {
  const log = logMomentOfSum(parts, tilt), step = 0.05 * tilt;
  const curvature = logMomentOfSum(parts, tilt + step) + logMomentOfSum(parts, tilt - step) -
    2 * log;
  const variance = Math.max(0, curvature) / (step * step) + 1 / (tilt * tilt);
  return Math.exp(log - tilt * epsilon) / Math.sqrt(2 * Math.PI * variance);
}

/** A quick upper bound on ε at a δ, by moments (Canonne, Kamath, Steinke 2020, Proposition 12). */
export function momentEpsilon(
  parts: readonly LossPower[],
  { delta }: { delta: number },
): number {
  const at = (tilt: number): number =>
    (logMomentOfSum(parts, tilt) + logPeak(tilt) - Math.log(delta)) / tilt;
  return at(minimiserOf(at, TILTS));
}
