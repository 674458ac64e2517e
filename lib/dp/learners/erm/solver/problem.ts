import type { Loss } from "../losses/loss.ts";
import type { Regulariser } from "../losses/regulariser.ts";
import { addWeightedOuterProducts, computeMargins } from "./row_kernels.ts";
import { rowsAtOnce } from "../files/row_blocks.ts";
import { WeightedRowSum } from "./weighted_row_sum.ts";
import { type SignedRows, visitFactors, visitRows } from "./visit_rows.ts";

/**
 * Objective that a learner minimises over f:
 * (1/n)Σ ℓ(y_i f·x_i) + lambda·N(f) + ½·quadratic·‖f‖² + linear·f.
 * Without the last two terms it is regularised empirical risk; with them, the perturbed objective of
 * Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2 (linear = b/n, quadratic = Δ).
 */
export interface Problem extends SignedRows {
  /** ℓ. */
  readonly loss: Loss;
  /** N. */
  readonly regulariser: Regulariser;
  /** Λ > 0. */
  readonly lambda: number;
  /** Δ ≥ 0. */
  readonly quadratic: number;
  /** Absent: zero. */
  readonly linear?: Float64Array;
}

/** The problem at one point: margins, value and gradient, with the arrays to hold them. */
export interface Evaluation {
  /** f. */
  readonly weights: Float64Array;
  /** y_i f·x_i of every row; where rows are not in memory, room for those of a block. */
  readonly margins: Float64Array;
  /** The gradient at f. */
  readonly gradient: Float64Array;
  /** The value at f. */
  value: number;
  /** The Euclidean norm of the gradient. */
  gradientNorm: number;
}

/** Arrays for one point of the problem. */
export function allocateEvaluation(problem: Problem): Evaluation {
  const { columnCount } = problem.rows;
  return {
    weights: new Float64Array(columnCount),
    margins: new Float64Array(rowsAtOnce(problem.rows)),
    gradient: new Float64Array(columnCount),
    value: Infinity,
    gradientNorm: Infinity,
  };
}

/**
 * Computes margins, value and gradient at `at.weights`. The gradient is summed over all the rows and
 * divided by n last.
 */
export function evaluate(
  problem: Problem,
  { at, scratch }: { at: Evaluation; scratch: Float64Array },
): void {
  const { rows, loss, regulariser, lambda, quadratic, linear } = problem;
  const { weights, gradient } = at;
  const n = rows.rowCount;
  const rowSum = new WeightedRowSum(rows, { into: gradient });
  let sum = 0;
  visitRows(problem, (block, signs) => {
    const count = block.rowCount;
    const margins = at.margins.subarray(0, count), slopes = scratch.subarray(0, count);
    computeMargins(block, { weights, signs, into: margins });
    sum += loss.sumAndSlopes?.(margins, { slopes }) ?? sumAndSlopes(loss, { margins, slopes });
    for (let i = 0; i < count; i++) slopes[i] = signs[i]! * slopes[i]!;
    rowSum.add(block, slopes);
  });
  rowSum.end();
  let square = 0, tilt = 0;
  for (let j = 0; j < weights.length; j++) {
    square += weights[j]! * weights[j]!;
    gradient[j] = gradient[j]! / n + quadratic * weights[j]!;
    if (linear !== undefined) {
      tilt += linear[j]! * weights[j]!;
      gradient[j]! += linear[j]!;
    }
  }
  regulariser.addGradient(weights, { scale: lambda, into: gradient });
  at.value = sum / n + lambda * regulariser.value(weights) + quadratic * square / 2 + tilt;
  at.gradientNorm = norm(gradient);
}

function sumAndSlopes(
  loss: Loss,
  { margins, slopes }: { margins: Float64Array; slopes: Float64Array },
): number {
  let sum = 0;
  for (let i = 0; i < margins.length; i++) {
    sum += loss.value(margins[i]!);
    slopes[i] = loss.slope(margins[i]!);
  }
  return sum;
}

/**
 * factors[i] = ℓ″(margin_i)/n: the weights of the rows in the Hessian. Where rows are not in memory, `visitFactors`
 * computes them a block at a time, and this does nothing.
 */
export function curvatureFactors(
  problem: Problem,
  { margins, into }: { margins: Float64Array; into: Float64Array },
): void {
  const { rows, loss } = problem;
  if (rows.kind === "blocks") return;
  const n = rows.rowCount;
  for (let i = 0; i < n; i++) into[i] = loss.curvature(margins[i]!) / n;
}

/** The lower triangle of the Hessian, row-major d×d, from the factors of {@linkcode curvatureFactors}. */
export function hessian(
  problem: Problem,
  { weights, factors, into }: {
    weights: Float64Array;
    factors: Float64Array;
    into: Float64Array;
  },
): void {
  const { rows, regulariser, lambda, quadratic } = problem;
  const d = rows.columnCount;
  into.fill(0);
  visitFactors(problem, { weights, factors }, (block, _signs, blockFactors) => {
    addWeightedOuterProducts(block, { factors: blockFactors, into });
  });
  regulariser.addHessian(weights, { scale: lambda, into });
  for (let j = 0; j < d; j++) into[j * d + j]! += quadratic;
}

/** The Euclidean norm. */
export function norm(vector: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < vector.length; j++) sum += vector[j]! * vector[j]!;
  return Math.sqrt(sum);
}
