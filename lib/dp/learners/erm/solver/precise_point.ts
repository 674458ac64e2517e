import { productError, twoSum, upperHalf } from "../../../../core/numeric/error_free.ts";
import { rowsRounding } from "./gradient_bound.ts";
import { norm, type Problem } from "./problem.ts";
import { squaredNorm } from "../losses/regulariser.ts";
import { rowsAtOnce } from "../files/row_blocks.ts";
import type { Rows } from "../rows/rows.ts";
import { roundingOf, sumRoundingBound, UNIT_ROUNDOFF, WeightedRowSum } from "./weighted_row_sum.ts";
import { visitRows } from "./visit_rows.ts";

/** Weights as unevaluated sums of two doubles, and the gradient there, computed with that precision. */
export interface PrecisePoint {
  /** The weights, rounded. */
  readonly high: Float64Array;
  /** Low-order parts of the weights. */
  readonly low: Float64Array;
  /** y_i f·x_i of every row, rounded once; where rows are not in memory, of the last block. */
  readonly margins: Float64Array;
  /** The gradient at high + low. */
  readonly gradient: Float64Array;
  /** The exact gradient is no longer. */
  readonly gradientNormBound: number;
}

/**
 * The gradient at high + low, with margins and the terms that cancel at a minimum in twice the precision of
 * doubles (Dekker 1971; Ogita, Rump, Oishi 2005, Algorithm 5.3): what is left is the rounding of slopes.
 */
export function precisePoint(
  problem: Problem,
  { high, low }: { readonly high: Float64Array; readonly low: Float64Array },
): PrecisePoint {
  const { rows, loss } = problem;
  const d = high.length, most = rowsAtOnce(rows);
  const margins = new Float64Array(most), errors = new Float64Array(most);
  const sums = new Float64Array(d), rowSum = new WeightedRowSum(rows, { into: sums });
  let slopes = 0, mass = 0;
  visitRows(problem, (block, signs) => {
    preciseMargins(block, { signs, high, low, margins, errors });
    const own = margins.subarray(0, block.rowCount);
    rowSum.add(block, own.map((margin, i) => signs[i]! * loss.slope(margin)));
    const added = rowsRounding(block, { loss, margins: own, errors, rowCount: rows.rowCount });
    slopes += added.slopes;
    mass += added.mass;
  });
  rowSum.end();
  const gradient = new Float64Array(d);
  const { size, own } = addOthers(problem, { high, low, sums, into: gradient });
  const rounding = slopes + (sumRoundingBound(rows) + 4 * UNIT_ROUNDOFF) * mass + own +
    64 * UNIT_ROUNDOFF ** 2 * size;
  return {
    high,
    low,
    margins,
    gradient,
    gradientNormBound: norm(gradient) * (1 + roundingOf(d + 8)) + rounding * (1 + 1e-6) + 1e-290,
  };
}

/** The point a step further on. */
export function preciseMove(
  { high, low }: Pick<PrecisePoint, "high" | "low">,
  step: Float64Array,
): { high: Float64Array; low: Float64Array } {
  const moved = { high: new Float64Array(high.length), low: new Float64Array(high.length) };
  for (let j = 0; j < high.length; j++) {
    const [sum, lost] = twoSum(high[j]!, step[j]!);
    const rest = lost + low[j]!;
    moved.high[j] = sum + rest;
    moved.low[j] = rest - (moved.high[j]! - sum);
  }
  return moved;
}

function preciseMargins(
  rows: Rows,
  { signs, high, low, margins, errors }: Pick<PrecisePoint, "high" | "low" | "margins"> & {
    readonly signs: Float64Array;
    readonly errors: Float64Array;
  },
): void {
  const upper = high.map(upperHalf);
  for (let i = 0; i < rows.rowCount; i++) {
    const from = rows.kind === "dense" ? i * rows.columnCount : rows.offsets[i]!;
    const to = rows.kind === "dense" ? from + rows.columnCount : rows.offsets[i + 1]!;
    let sum = 0, rest = 0, size = 0;
    for (let k = from; k < to; k++) {
      const j = rows.kind === "dense" ? k - from : rows.columns[k]!;
      const x = rows.values[k]!, f = high[j]!, product = x * f;
      const xUpper = upperHalf(x), xLower = x - xUpper, fUpper = upper[j]!, fLower = f - fUpper;
      const lost = xLower * fLower -
        (((product - xUpper * fUpper) - xLower * fUpper) - xUpper * fLower);
      const next = sum + product, taken = next - sum;
      rest += (sum - (next - taken)) + (product - taken) + lost + x * low[j]!;
      sum = next;
      size += Math.abs(product);
    }
    margins[i] = signs[i]! * (sum + rest);
    // One rounding of the margin, and those of the rest, which is a γ smaller than the sum.
    errors[i] = 2 * UNIT_ROUNDOFF * Math.abs(margins[i]!) +
      2 * roundingOf(4 * (to - from) + 8) ** 2 * size + 1e-300;
  }
}

/**
 * Writes the mean over the rows, ½Δ‖f‖², linear and Λ∇N, added in twice the precision. `size` is the sum of
 * absolute values, `own` how far a regulariser's own gradient may be off.
 */
function addOthers(
  { rows, lambda, quadratic, linear, regulariser }: Problem,
  { high, low, sums, into }: Pick<PrecisePoint, "high" | "low"> & {
    readonly sums: Float64Array;
    readonly into: Float64Array;
  },
): { readonly size: number; readonly own: number } {
  const n = rows.rowCount, d = high.length;
  const plain = regulariser === squaredNorm;
  const pull = new Float64Array(d), change = new Float64Array(d);
  if (!plain) {
    regulariser.addGradient(high, { scale: lambda, into: pull });
    regulariser.addHessianProduct(high, { direction: low, scale: lambda, into: change });
  }
  let size = 0;
  for (let j = 0; j < d; j++) {
    let sum = sums[j]! / n, rest = 0;
    const add = (term: number, lost: number): void => {
      const [next, error] = twoSum(sum, term);
      sum = next;
      rest += error + lost;
      size += Math.abs(term);
    };
    for (const scale of plain ? [lambda, quadratic] : [quadratic]) {
      add(scale * high[j]!, productError(scale, high[j]!) + scale * low[j]!);
    }
    if (!plain) add(pull[j]!, change[j]!);
    if (linear !== undefined) add(linear[j]!, 0);
    into[j] = sum + rest;
  }
  return { size, own: 24 * UNIT_ROUNDOFF * norm(pull) };
}
