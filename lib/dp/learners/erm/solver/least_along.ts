import type { Evaluation, Problem } from "./problem.ts";
import { rowsAtOnce } from "../files/row_blocks.ts";
import { computeMargins } from "./row_kernels.ts";
import { visitMargins } from "./visit_rows.ts";

/** Lengths that are tried in one visit of rows that are not in memory; of rows in memory, one at a time. */
const TRIALS_OF_BLOCKS = 32;

/** The interval around the length is cut to one part in 2⁶⁰. */
const PRECISION = 60;

/**
 * The length t > 0 at which the objective along `from + t·step` is least, by cutting the interval around the zero
 * of its slope. The margins are linear in t, so that a trial costs no product with rows in memory. Newton's method
 * with this search ends on the piecewise quadratic Huber hinge too (Keerthi, DeCoste 2005, "A modified finite
 * Newton method"), where halving can crawl from kink to kink.
 *
 * @param step a direction of descent.
 */
export function leastAlong(
  step: Float64Array,
  { problem, from }: { problem: Problem; from: Evaluation },
): number {
  const trials = problem.rows.kind === "blocks" ? TRIALS_OF_BLOCKS : 1;
  const slopesAt = slopesAlong(step, { problem, from });
  const lengths = new Float64Array(trials);
  let low = 0, high = 1;
  /** Moves low and high to the lengths between which the slope passes 0; false where it does not. */
  const narrow = (): boolean => {
    const past = slopesAt(lengths).findIndex((slope) => !(slope < 0));
    if (past !== 0) low = lengths[past < 0 ? trials - 1 : past - 1]!;
    if (past >= 0) high = lengths[past]!;
    return past >= 0;
  };
  for (;; high = 2 * low) {
    for (let k = 0; k < trials; k++) lengths[k] = high * 2 ** k;
    if (narrow() || low >= 1e12) break;
  }
  const cuts = Math.ceil(PRECISION / Math.log2(trials + 1));
  for (let cut = 0; cut < cuts; cut++) {
    for (let k = 0; k < trials; k++) {
      lengths[k] = ((trials - k) * low + (k + 1) * high) / (trials + 1);
    }
    narrow();
  }
  return (low + high) / 2;
}

/** The slopes of the objective at lengths along a step. */
function slopesAlong(
  step: Float64Array,
  { problem, from }: { problem: Problem; from: Evaluation },
): (lengths: Float64Array) => Float64Array {
  const { rows, loss } = problem;
  const change = new Float64Array(rowsAtOnce(rows));
  const inMemory = rows.kind !== "blocks";
  if (inMemory) {
    visitMargins(problem, from, (block, signs) => {
      computeMargins(block, { weights: step, signs, into: change });
    });
  }
  return (lengths) => {
    const slopes = new Float64Array(lengths.length);
    visitMargins(problem, from, (block, signs, margins) => {
      if (!inMemory) computeMargins(block, { weights: step, signs, into: change });
      for (let k = 0; k < lengths.length; k++) {
        const length = lengths[k]!;
        let sum = 0;
        for (let i = 0; i < block.rowCount; i++) {
          sum += loss.slope(margins[i]! + length * change[i]!) * change[i]!;
        }
        slopes[k]! += sum;
      }
    });
    return slopes.map((sum, k) =>
      sum / rows.rowCount + slopeOfOthers(step, { problem, from, length: lengths[k]! })
    );
  };
}

/** The slope of all terms but the loss of rows. */
function slopeOfOthers(
  step: Float64Array,
  { problem, from, length }: { problem: Problem; from: Evaluation; length: number },
): number {
  const { regulariser, lambda, quadratic, linear } = problem;
  const weights = from.weights.map((weight, j) => weight + length * step[j]!);
  const gradient = new Float64Array(step.length);
  regulariser.addGradient(weights, { scale: lambda, into: gradient });
  let rest = 0;
  for (let j = 0; j < step.length; j++) {
    rest += step[j]! * (gradient[j]! + quadratic * weights[j]! + (linear?.[j] ?? 0));
  }
  return rest;
}
