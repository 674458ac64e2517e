import type { Loss } from "./loss.ts";
import type { Regulariser } from "./regulariser.ts";
import { addWeightedOuterProducts, computeMargins } from "./row_kernels.ts";
import type { Rows } from "./rows.ts";
import { sumWeightedRows } from "./sum_weighted_rows.ts";

/**
 * What a learner minimises over f:
 * (1/n)Σ ℓ(y_i f·x_i) + lambda·N(f) + ½·quadratic·‖f‖² + linear·f.
 * Without the last two terms it is regularised empirical risk; with them, the perturbed objective of
 * Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2 (linear = b/n, quadratic = Δ).
 */
export interface Problem {
  /** The features. */
  readonly rows: Rows;
  /** The labels, each −1 or 1. */
  readonly signs: Float64Array;
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
  /** y_i f·x_i of every row. */
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
  const { rowCount, columnCount } = problem.rows;
  return {
    weights: new Float64Array(columnCount),
    margins: new Float64Array(rowCount),
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
  const { rows, signs, loss, regulariser, lambda, quadratic, linear } = problem;
  const { weights, margins, gradient } = at;
  const n = rows.rowCount;
  computeMargins(rows, { weights, signs, into: margins });
  const sum = loss.sumAndSlopes?.(margins, { slopes: scratch }) ??
    sumAndSlopes(loss, { margins, slopes: scratch });
  for (let i = 0; i < n; i++) scratch[i] = signs[i]! * scratch[i]!;
  sumWeightedRows(rows, { factors: scratch, into: gradient });
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

/** factors[i] = ℓ″(margin_i)/n: the weights of the rows in the Hessian. */
export function curvatureFactors(
  problem: Problem,
  { margins, into }: { margins: Float64Array; into: Float64Array },
): void {
  const n = problem.rows.rowCount;
  const { loss } = problem;
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
  addWeightedOuterProducts(rows, { factors, into });
  regulariser.addHessian(weights, { scale: lambda, into });
  for (let j = 0; j < d; j++) into[j * d + j]! += quadratic;
}

/** The Euclidean norm. */
export function norm(vector: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < vector.length; j++) sum += vector[j]! * vector[j]!;
  return Math.sqrt(sum);
}
