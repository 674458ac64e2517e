import {
  type CurveFocus,
  type FocusedCurve,
  focusedCurve,
  roughDelta,
  roughEpsilon,
} from "./adaptive_composition.ts";
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

/** What one look at a curve gave, and where to look next if that is not near enough. */
interface Look extends Bounds {
  readonly next?: CurveFocus;
}

/** Looks again and again until bounds are near enough, or as near as they may be. */
function looks(
  laws: readonly LawPower[],
  { first, look }: {
    first: CurveFocus;
    look: (curve: FocusedCurve, focus: CurveFocus) => Look;
  },
): WorkedBounds {
  let work = 0, focus = first;
  for (let round = 1;; round++) {
    const curve = focusedCurve(laws, focus), { lower, upper, next } = look(curve, focus);
    work += curve.work;
    if (next === undefined || curve.limited || round === MOST_ROUNDS) return { lower, upper, work };
    focus = next;
  }
}

/** Bounds on δ at one ε. */
export function adaptiveDelta(
  directions: readonly (readonly LawPower[])[],
  { epsilon }: { epsilon: number },
): WorkedBounds {
  const look = (curve: FocusedCurve, enough: number): Look => {
    const lower = curve.lowerAt(epsilon), upper = curve.upperAt(epsilon);
    if (upper <= Math.max(enough, lower * (1 + 10 * AIMED_OF_DELTA))) return { lower, upper };
    const gap = upper > 2 * lower ? FIRST_OF_DELTA : AIMED_OF_DELTA;
    return { lower, upper, next: { epsilon, delta: Math.max(lower, 0.01 * upper), gap } };
  };
  return largest(directions, (laws, enough) =>
    looks(laws, {
      first: { epsilon, delta: 0.1 * roughDelta(laws, { epsilon }), gap: FIRST_OF_DELTA },
      look: (curve) => look(curve, enough),
    }));
}

/** Bounds on ε at one δ. */
export function adaptiveEpsilon(
  directions: readonly (readonly LawPower[])[],
  { delta }: { delta: number },
): WorkedBounds {
  const look = (
    curve: FocusedCurve,
    { epsilon: about, gap, enough }: CurveFocus & { enough: number },
  ): Look => {
    const upper = upperCrossing(curve, { epsilon: about, delta });
    const lower = lowerCrossing(curve, { from: Math.min(upper, 2 * about), delta });
    if (upper <= enough || upper === Infinity) return { lower, upper };
    const epsilon = 0.5 * (lower + upper), slope = slopeAt(curve, { epsilon, delta });
    if (upper - lower <= Math.max(WANTED * upper, (5 * LEAST_OF_DELTA) / slope)) {
      return { lower, upper };
    }
    const aimed = Math.max(LEAST_OF_DELTA, Math.min(0.3 * gap, AIMED * epsilon * slope));
    return { lower, upper, next: { epsilon, delta, gap: aimed } };
  };
  return largest(directions, (laws, enough) => {
    const rough = roughEpsilon(laws, { delta });
    return looks(laws, {
      first: { epsilon: rough === Infinity ? 1 : rough, delta, gap: FIRST },
      look: (curve, focus) => look(curve, { ...focus, enough }),
    });
  });
}

/** −δ′/δ, roughly. */
function slopeAt(
  { upperAt }: DeltaCurve,
  { epsilon, delta }: { epsilon: number; delta: number },
): number {
  const step = 0.01 * epsilon;
  return (upperAt(epsilon - step) - upperAt(epsilon + step)) / (2 * step * delta);
}
