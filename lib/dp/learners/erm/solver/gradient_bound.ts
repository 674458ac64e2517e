import type { Loss } from "../losses/loss.ts";
import { type Evaluation, norm, type Problem } from "./problem.ts";
import type { Rows } from "../rows/rows.ts";
import { roundingOf, sumRoundingBound, UNIT_ROUNDOFF } from "./weighted_row_sum.ts";
import { visitMargins } from "./visit_rows.ts";

/**
 * Returns a bound on the rounding error of a loss's computed slope: 32 unit roundoffs, and as many for each
 * unit of curvature, for the formula of a steep loss subtracts margins.
 */
function slopeRounding({ curvatureBound }: Loss): number {
  return 32 * UNIT_ROUNDOFF * (1 + curvatureBound);
}

/** Contribution of the rows to the rounding error of a gradient, and to its size. */
export interface RowsRounding {
  /** (1/n)Σ wᵢ‖xᵢ‖, wᵢ how far the slope of row i may be off. */
  readonly slopes: number;
  /** (1/n)Σ |ℓ′ᵢ|·‖xᵢ‖, which no sum of absolute values is above. */
  readonly mass: number;
}

/**
 * The effect of rounded margins on the gradient. Slopes rise with margins: where a margin is known within
 * `errorOf`, the slope is between those at the two ends.
 */
export function rowsRounding(
  rows: Rows,
  { loss, margins, errors, rowCount }: {
    readonly loss: Loss;
    readonly margins: Float64Array;
    /** Error bound of each margin, before it is widened to the next doubles here. */
    readonly errors: Float64Array;
    /** n, of all rows, of which these may be a block. */
    readonly rowCount: number;
  },
): RowsRounding {
  const own = slopeRounding(loss);
  let slopes = 0, mass = 0;
  for (let i = 0; i < rows.rowCount; i++) {
    const from = rows.kind === "dense" ? i * rows.columnCount : rows.offsets[i]!;
    const to = rows.kind === "dense" ? from + rows.columnCount : rows.offsets[i + 1]!;
    let square = 0;
    for (let k = from; k < to; k++) square += rows.values[k]! * rows.values[k]!;
    const length = Math.sqrt(square), margin = margins[i]!;
    const error = errors[i]! + 4 * UNIT_ROUNDOFF * Math.abs(margin);
    const slope = loss.slope(margin);
    const off = Math.max(loss.slope(margin + error) - slope, slope - loss.slope(margin - error), 0);
    slopes += (off + 2 * own) * length;
    mass += (Math.abs(slope) + own) * length;
  }
  return { slopes: slopes / rowCount, mass: mass / rowCount };
}

/**
 * An upper bound on the norm of the exact gradient at `at`, of the problem as its doubles say it: the computed
 * norm and all that rounding may have done to it, in margins, slopes, products, sums and the last additions
 * (Higham 2002, chapter 3). Regularisers are taken to compute their gradient within 16 roundings.
 *
 * @param at as `evaluate` left it.
 */
export function gradientNormBound(problem: Problem, at: Evaluation): number {
  const { rows, loss, lambda, quadratic, linear, regulariser } = problem;
  const { weights, gradient } = at;
  let slopes = 0, mass = 0;
  visitMargins(problem, at, (block, _signs, margins) => {
    const errors = absoluteProducts(block, weights);
    const added = rowsRounding(block, { loss, margins, errors, rowCount: rows.rowCount });
    slopes += added.slopes;
    mass += added.mass;
  });
  const pull = new Float64Array(weights.length);
  regulariser.addGradient(weights, { scale: lambda, into: pull });
  const others = mass + quadratic * norm(weights) + (linear === undefined ? 0 : norm(linear));
  const rounding = slopes + sumRoundingBound(rows) * mass + 8 * UNIT_ROUNDOFF * others +
    24 * UNIT_ROUNDOFF * norm(pull);
  return norm(gradient) * (1 + roundingOf(gradient.length + 8)) + rounding * (1 + 1e-6) + 1e-290;
}

/** γ·Σⱼ|xᵢⱼfⱼ| of every row: how far its margin may be off, in whatever order it was added. */
function absoluteProducts(rows: Rows, weights: Float64Array): Float64Array {
  const into = new Float64Array(rows.rowCount);
  for (let i = 0; i < into.length; i++) {
    const from = rows.kind === "dense" ? i * rows.columnCount : rows.offsets[i]!;
    const to = rows.kind === "dense" ? from + rows.columnCount : rows.offsets[i + 1]!;
    let sum = 0;
    for (let k = from; k < to; k++) {
      const j = rows.kind === "dense" ? k - from : rows.columns[k]!;
      sum += Math.abs(rows.values[k]! * weights[j]!);
    }
    // Two more than products and additions: the sum itself is off by γ, whose square is less than two roundings.
    into[i] = roundingOf(to - from + 2) * sum + 1e-300;
  }
  return into;
}
