import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import { gridStep, requireBounds, requireGranularity } from "./grid.ts";

/** Steps from 0 to the further bound: so many for each of 2³² rows add up exactly in doubles. */
const MOST_STEPS = 2 ** 21;

/** Options of a clipped sum. */
export interface ClippedSumOptions {
  /** Numbers below it count as it. */
  readonly lower: number;
  /** Numbers above it count as it. */
  readonly upper: number;
  /** The step to which each number is rounded: a power of two, at least 2⁻²¹ of the larger bound. Default: about 2⁻²⁰ of it. */
  readonly step?: number | undefined;
}

/**
 * The exact sum of numbers, each brought into the bounds and rounded to a whole number of steps: what the query of a mechanism
 * should sum by. It moves by at most `upper − lower` when a number is replaced, and by at most the larger absolute bound when one is
 * added or removed, exactly. A sum of doubles by `+` is rounded at every step, and moves by more.
 *
 * @throws {RangeError} when an option is out of range, or a number is not finite.
 *
 * @example
 * ```ts
 * import { clippedSum } from "./clipped_sum.ts";
 * clippedSum([0.25, 3, -1], { lower: 0, upper: 1 }); // 1.25
 * ```
 */
export function clippedSum(
  numbers: Dataset<number>,
  options: ClippedSumOptions,
): number {
  requireKind("clippedSum", "numbers", numbers, "list");
  const { step, ...bounds } = requireFields("clippedSum", options, {});
  requireKnown("call clippedSum()", options, ["lower", "upper", "step"]);
  const action = "sum";
  const { lower, upper } = requireBounds(action, bounds);
  const most = Math.max(-lower, upper);
  if (step !== undefined) requireGranularity(action, step, "step");
  const granularity = gridStep(action, { granularity: step, sensitivity: most, scale: most });
  // Inwards, so that they are no further apart than the bounds.
  const least = Math.ceil(lower / granularity), greatest = Math.floor(upper / granularity);
  if (!(least <= greatest && Math.max(-least, greatest) <= MOST_STEPS)) {
    throw new RangeError(
      `Cannot ${action}: step must divide the bounds into 1 to 2^21 steps: current value is ${granularity}`,
    );
  }
  let sum = 0;
  for (const number of numbers) {
    if (!Number.isFinite(number)) throw new RangeError(`Cannot ${action}: numbers must be finite`);
    sum += Math.min(greatest, Math.max(least, Math.round(number / granularity)));
  }
  return sum * granularity + 0;
}
