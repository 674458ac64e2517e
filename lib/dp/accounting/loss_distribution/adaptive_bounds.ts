import {
  type CurveFocus,
  type FocusedCurve,
  focusedCurve,
  roughDelta,
  roughEpsilon,
} from "./adaptive_composition.ts";
import { lowerCrossing, upperCrossing } from "./delta_crossing.ts";
import { capAll, infiniteBelow } from "./loss_levels.ts";
import type { LawPower } from "./privacy_loss.ts";

/** Distance to reach between the bounds on ε, relative to ε, and between those on δ, relative to δ. */
const WANTED = 1e-4, WANTED_OF_DELTA = 1e-3;
/** Share of the wanted distance that a round aims at, to reach it safely. */
const AIMED_SHARE = 0.6;
/** The first look for ε, and that for δ, relative to δ. */
const FIRST = 0.1, FIRST_OF_DELTA = 1e-2;
/** Smallest distance of bounds aimed at, relative to δ: an ε next to 0 is not worth more work. */
const LEAST_OF_DELTA = 1e-5;
/** Near atoms, the gap of the next round is at least this share of the current one. */
const STEEPEST = 0.1;
const MOST_ROUNDS = 6;

/** A lower and an upper bound, and the losses times points of contours that they took. */
export interface WorkedBounds {
  readonly lower: number;
  readonly upper: number;
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

/** Bounds from one evaluation of a curve, and where to evaluate next if they are too far apart. */
interface Look {
  readonly lower: number;
  readonly upper: number;
  readonly next?: CurveFocus;
}

/** Evaluates curves until the bounds are near enough, or until the limit of work or rounds. */
function looks(
  laws: readonly LawPower[],
  { first, look }: {
    first: CurveFocus;
    look: (curve: FocusedCurve, focus: CurveFocus) => Look;
  },
): WorkedBounds {
  let work = 0, focus = first, lower = 0, upper = Infinity;
  for (let round = 1;; round++) {
    const curve = focusedCurve(laws, focus), found = look(curve, focus);
    work += curve.work;
    // Each look is certain.
    lower = Math.max(lower, found.lower);
    upper = Math.min(upper, found.upper);
    if (found.next === undefined || curve.limited || round === MOST_ROUNDS) {
      return { lower, upper, work };
    }
    focus = found.next;
  }
}

/**
 * Returns the gap to ask for so that bounds are within `wanted` of δ. What smoothing adds goes with the gap that is asked for, but where a
 * sum of atoms is about ε, with its root.
 */
function gapFor(
  wanted: number,
  { curve, focus, delta }: { curve: FocusedCurve; focus: CurveFocus; delta: number },
): number {
  const asked = focus.gap * focus.delta;
  const found = curve.upperAt(focus.epsilon) - curve.lowerAt(focus.epsilon);
  if (found <= 2 * asked) return wanted;
  const least = STEEPEST * Math.min(wanted, focus.gap);
  return Math.max(least, Math.min(wanted, asked * delta * (wanted / found) ** 2));
}

/** Bounds on δ at one ε. */
export function adaptiveDelta(
  directions: readonly (readonly LawPower[])[],
  { epsilon }: { epsilon: number },
): WorkedBounds {
  return largest(directions, (laws, enough) => {
    const { sum, beyond } = highestSum(laws);
    if (epsilon >= sum) return { lower: infiniteBelow(laws), upper: beyond, work: 0 };
    let before = Infinity;
    return looks(laws, {
      first: { epsilon, delta: 0.1 * roughDelta(laws, { epsilon }), gap: FIRST_OF_DELTA },
      look(curve, focus): Look {
        const lower = curve.lowerAt(epsilon), upper = curve.upperAt(epsilon);
        if (upper <= Math.max(enough, lower * (1 + WANTED_OF_DELTA))) return { lower, upper };
        const delta = Math.max(lower, 0.01 * upper);
        if (upper > 2 * lower) {
          return { lower, upper, next: { epsilon, delta, gap: FIRST_OF_DELTA } };
        }
        // Roundings are left where a look does not help: next to the largest sum of losses.
        const apart = upper / lower - 1, helped = apart < 0.7 * before;
        before = apart;
        const gap = gapFor(0.1 * WANTED_OF_DELTA, { curve, focus, delta });
        return { lower, upper, ...(helped && { next: { epsilon, delta, gap } }) };
      },
    });
  });
}

/** Bounds on ε at one δ, `within` of each other relative to ε, or what changes δ by about as much where that is more. */
export function adaptiveEpsilon(
  directions: readonly (readonly LawPower[])[],
  { delta, within = WANTED }: { delta: number; within?: number },
): WorkedBounds {
  return largest(directions, (laws, enough) => {
    if (infiniteBelow(laws) > delta) return { lower: Infinity, upper: Infinity, work: 0 };
    const rough = roughEpsilon(laws, { delta }), { sum, beyond } = highestSum(laws);
    const most = beyond <= delta ? sum : Infinity;
    return looks(laws, {
      first: { epsilon: rough === Infinity ? 1 : rough, delta, gap: FIRST },
      look(curve, focus): Look {
        const upper = Math.min(most, upperCrossing(curve, { epsilon: focus.epsilon, delta }));
        const from = Math.min(upper, 2 * focus.epsilon);
        const lower = lowerCrossing(curve, { from, delta });
        if (upper <= enough || upper === Infinity || upper - lower <= within * upper) {
          return { lower, upper };
        }
        // The bounds may be apart by what δ falls by from here: next to the largest sum of losses nearly all of it.
        const epsilon = upper * (1 - within), above = curve.upperAt(epsilon);
        const at = Math.max(delta, Math.min(above, roughDelta(laws, { epsilon })));
        const share = 1 - delta / at;
        if (upper - lower <= within * upper * (5 * LEAST_OF_DELTA) / share) return { lower, upper };
        const wanted = Math.max(LEAST_OF_DELTA, AIMED_SHARE * share / (1 + 9 * share));
        const gap = gapFor(wanted, { curve, focus, delta: at });
        return { lower, upper, next: { epsilon, delta: at, gap } };
      },
    });
  });
}

/** The largest sum of finite losses, rounded up, and at least the probability that one is not within its law's range. */
function highestSum(laws: readonly LawPower[]): { sum: number; beyond: number } {
  const sum = laws.reduce(
    (total, { law, count }) =>
      total +
      count * (law.highest + 2 * law.relativeError + 8 * Number.EPSILON * Math.abs(law.highest)),
    0,
  );
  return { sum: sum + 1e-14 * Math.abs(sum), beyond: capAll(laws, 0).infinite };
}
