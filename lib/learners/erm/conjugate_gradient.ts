import { norm, type Problem } from "./problem.ts";
import { addWeightedRows, computeMargins } from "./row_kernels.ts";

/**
 * Solves H·x = −gradient for the Newton step without forming H, by conjugate gradients with the
 * diagonal as preconditioner, to a residual of `tolerance` or for `maximumProducts` products with H
 * (the truncated Newton method, Nocedal, Wright 2006, chapter 7). Whatever it stops at is a descent
 * direction. Writes the step to `into`.
 *
 * @returns the number of products with H.
 */
export function conjugateGradientStep(
  problem: Problem,
  { weights, gradient, factors, tolerance, maximumProducts, into }: {
    weights: Float64Array;
    gradient: Float64Array;
    /** ℓ″(margin_i)/n. */
    factors: Float64Array;
    tolerance: number;
    maximumProducts: number;
    into: Float64Array;
  },
): number {
  const { rows, regulariser, lambda, quadratic, signs } = problem;
  const d = weights.length, n = rows.rowCount;
  const inverseDiagonal = diagonalOfHessian(problem, { weights, factors });
  for (let j = 0; j < d; j++) inverseDiagonal[j] = 1 / inverseDiagonal[j]!;
  const residual = gradient.map((g) => -g);
  const direction = residual.map((r, j) => r * inverseDiagonal[j]!);
  const product = new Float64Array(d), image = new Float64Array(n);
  into.fill(0);
  let products = 0, inner = 0;
  for (let j = 0; j < d; j++) inner += residual[j]! * direction[j]!;
  while (products < maximumProducts && norm(residual) > tolerance) {
    computeMargins(rows, { weights: direction, signs, into: image });
    for (let i = 0; i < n; i++) image[i] = factors[i]! * signs[i]! * image[i]!;
    for (let j = 0; j < d; j++) product[j] = quadratic * direction[j]!;
    addWeightedRows(rows, { factors: image, into: product });
    regulariser.addHessianProduct(weights, { direction, scale: lambda, into: product });
    products++;
    let curvature = 0;
    for (let j = 0; j < d; j++) curvature += direction[j]! * product[j]!;
    const length = inner / curvature;
    for (let j = 0; j < d; j++) {
      into[j]! += length * direction[j]!;
      residual[j]! -= length * product[j]!;
    }
    let next = 0;
    for (let j = 0; j < d; j++) next += residual[j]! * residual[j]! * inverseDiagonal[j]!;
    const ratio = next / inner;
    inner = next;
    for (let j = 0; j < d; j++) {
      direction[j] = residual[j]! * inverseDiagonal[j]! + ratio * direction[j]!;
    }
  }
  return products;
}

/** A positive diagonal close to that of the Hessian: of the data part exactly, of N's by its action on ones. */
function diagonalOfHessian(
  problem: Problem,
  { weights, factors }: { weights: Float64Array; factors: Float64Array },
): Float64Array {
  const { rows, lambda, quadratic } = problem;
  const diagonal = new Float64Array(weights.length).fill(lambda + quadratic);
  if (rows.kind === "dense") {
    const { columnCount, values } = rows;
    for (let i = 0, k = 0; i < rows.rowCount; i++) {
      for (let j = 0; j < columnCount; j++, k++) {
        diagonal[j]! += factors[i]! * values[k]! * values[k]!;
      }
    }
    return diagonal;
  }
  for (let i = 0; i < rows.rowCount; i++) {
    for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
      diagonal[rows.columns[k]!]! += factors[i]! * rows.values[k]! * rows.values[k]!;
    }
  }
  return diagonal;
}
