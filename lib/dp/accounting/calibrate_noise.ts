import type { Bounds } from "./loss_distribution/privacy_loss_distribution.ts";

/** Relative tolerance of ε around the target. */
const CALIBRATED = 1e-3;
/** Relative distance of the bounds on ε in the first search for the noise. */
const COARSE = 1e-2;
/** Tolerance of the first search, in ln ε or the logarithm of the noise, and the distance over which its slope is taken. */
const ZERO = 2e-3, SLOPE_STEP = 0.1;
const MOST_ROUNDS = 8;

/** Target ε of a search for noise, and the range of the noise. */
export interface NoiseSearch {
  /** Bounds on ε at a noise, by which it falls; `within` of each other, relative to ε, where that is said. */
  readonly boundsAt: (noise: number, within?: number) => Bounds;
  /** Target ε. */
  readonly target: number;
  readonly least: number;
  readonly most: number;
}

/** A noise and the ε that it was seen to keep. */
export interface FoundNoise {
  readonly noise: number;
  readonly epsilon: number;
}

/**
 * A noise for which ε is at most the target, and within 0.1% of it unless the least noise keeps less. Bounds on ε are as near to each other as a step of
 * the search needs; the ε that is returned is that of the last steps. With the most noise, ε may still be above the target.
 */
export function noiseFor({ boundsAt, target, least, most }: NoiseSearch): FoundNoise {
  const aim = target * (1 - CALIBRATED / 2);
  const at = (log: number): number => Math.min(most, Math.max(least, Math.exp(log)));
  const excess = roughExcess({ boundsAt: (log, within) => boundsAt(at(log), within), target: aim });
  let log = fallingZero(excess, { low: Math.log(least), high: Math.log(most) });
  // No number where ε is 0 or infinite.
  const fall = (excess(log) - excess(log + SLOPE_STEP)) / SLOPE_STEP;
  const slope = fall > 0.1 && fall < Infinity ? fall : 0.1;
  const step = (above: number): number => Math.min(0.1, Math.max(-0.1, above / slope));
  let best: FoundNoise | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const noise = at(log), epsilon = boundsAt(noise).upper;
    if (epsilon <= target && !(best && best.noise <= noise)) best = { noise, epsilon };
    const isNear = epsilon <= target && epsilon >= target * (1 - CALIBRATED);
    if (isNear || noise === least && epsilon <= target) break;
    log += step(Math.log(epsilon / aim));
  }
  return best ?? { noise: most, epsilon: boundsAt(most).upper };
}

/** Returns a function that estimates ln(ε/target) at an argument, from coarse bounds. */
export function roughExcess(
  { boundsAt, target }: Pick<NoiseSearch, "boundsAt" | "target">,
): (argument: number) => number {
  return (argument) => {
    const { lower, upper } = boundsAt(argument, COARSE);
    return Math.log((lower + upper) / 2 / target);
  };
}

/** Returns the zero of a falling function, to `ZERO` in the function or the argument, or the end that is nearer to it. */
export function fallingZero(
  valueAt: (argument: number) => number,
  { low, high }: { readonly low: number; readonly high: number },
): number {
  let [from, to] = [low, high], above = valueAt(from), below = valueAt(to);
  if (above <= 0) return from;
  if (below >= 0) return to;
  for (let round = 1;; round++) {
    // Along the chord, and in the middle now and then: where the function is infinite the chord leads nowhere.
    const share = round % 3 === 0 || above === Infinity ? 0.5 : above / (above - below);
    const middle = from + Math.min(0.98, Math.max(0.02, share)) * (to - from);
    const value = valueAt(middle);
    if (Math.abs(value) <= ZERO || to - from <= ZERO) return middle;
    if (value > 0) [from, above] = [middle, value];
    else [to, below] = [middle, value];
  }
}
