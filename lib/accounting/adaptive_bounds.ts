import { focusedCurve, roughDelta, roughEpsilon } from "./adaptive_composition.ts";
import type { Bounds } from "./composed_delta.ts";
import { lowerCrossing, upperCrossing } from "./delta_crossing.ts";
import type { DeltaCurve } from "./delta_curve.ts";
import type { LawPower } from "./privacy_loss.ts";

/** How near the bounds on ε are to be, relative to ε, and what is aimed at to be sure of it. */
const WANTED = 1e-4, AIMED = 6e-5;
/** The first look for ε, that for δ, and what is aimed at where δ is asked for, relative to δ. */
const FIRST = 0.1, FIRST_OF_DELTA = 1e-2, AIMED_OF_DELTA = 1e-4;
/** Nearer than this, relative to δ, they need not be: what an ε next to 0 would take is not worth it. */
const LEAST_OF_DELTA = 1e-5;
const MOST_ROUNDS = 5;

/** Bounds, and the losses times points of contours that they took. */
export interface WorkedBounds extends Bounds {
  readonly work: number;
}

/** The larger bounds of all directions; a direction may end early with an upper bound that is `enough`. */
function largest(
  directions: readonly (readonly LawPower[])[],
  boundsOf: (laws: readonly LawPower[], enough: number) => WorkedBounds,
): WorkedBounds {
  let lower = 0, upper = 0, work = 0;
  for (const laws of directions) {
    if (laws.length === 0) continue;
    const bounds = boundsOf(laws, lower);
    lower = Math.max(lower, bounds.lower);
    upper = Math.max(upper, bounds.upper);
    work += bounds.work;
  }
  return { lower, upper, work };
}

/** Bounds on δ at one ε. */
export function adaptiveDelta(
  directions: readonly (readonly LawPower[])[],
  { epsilon }: { epsilon: number },
): WorkedBounds {
  return largest(directions, (laws, enough) => {
    let lower = 0, upper = 1, work = 0, gap = FIRST_OF_DELTA;
    let delta = 0.1 * roughDelta(laws, { epsilon });
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const curve = focusedCurve(laws, { epsilon, delta, gap });
      lower = Math.max(lower, curve.lowerAt(epsilon));
      upper = Math.min(upper, curve.upperAt(epsilon));
      work += curve.work;
      if (upper <= enough || !(upper > 1e-300) || curve.limited) break;
      if (upper <= lower * (1 + 10 * AIMED_OF_DELTA)) break;
      delta = Math.max(lower, 0.01 * upper);
      gap = upper > 2 * lower ? FIRST_OF_DELTA : AIMED_OF_DELTA;
    }
    return { lower, upper, work };
  });
}

/** Bounds on ε at one δ. */
export function adaptiveEpsilon(
  directions: readonly (readonly LawPower[])[],
  { delta }: { delta: number },
): WorkedBounds {
  return largest(directions, (laws, enough) => {
    let lower = 0, upper = Infinity, work = 0, gap = FIRST;
    let epsilon = roughEpsilon(laws, { delta });
    if (epsilon === Infinity) epsilon = 1;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const curve = focusedCurve(laws, { epsilon, delta, gap });
      work += curve.work;
      upper = Math.min(upper, upperCrossing(curve, { epsilon, delta }));
      lower = Math.max(lower, lowerCrossing(curve, { from: Math.min(upper, 2 * epsilon), delta }));
      if (upper <= enough || upper === Infinity || upper === 0 || curve.limited) break;
      epsilon = lower > 0.98 * upper ? 0.5 * (lower + upper) : upper;
      const slope = slopeAt(curve, { epsilon, delta });
      if (upper - lower <= Math.max(WANTED * upper, (5 * LEAST_OF_DELTA) / slope)) break;
      const aimed = Math.max(LEAST_OF_DELTA, AIMED * epsilon * slope);
      gap = round === 0 ? Math.min(FIRST, aimed) : Math.max(LEAST_OF_DELTA, 0.3 * gap);
    }
    return { lower, upper, work };
  });
}

/** −δ′/δ, roughly. */
function slopeAt(
  { upperAt }: DeltaCurve,
  { epsilon, delta }: { epsilon: number; delta: number },
): number {
  const step = 0.01 * epsilon;
  return Math.max(1e-3, (upperAt(epsilon - step) - upperAt(epsilon + step)) / (2 * step * delta));
}
