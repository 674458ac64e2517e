import { norm, type Problem } from "./problem.ts";
import { rowsAtOnce } from "../files/row_blocks.ts";
import { addWeightedRows, computeMargins } from "./row_kernels.ts";
import type { Rows } from "../rows/rows.ts";
import { visitFactors } from "./visit_rows.ts";

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
    /** As `curvatureFactors` left them. */
    factors: Float64Array;
    tolerance: number;
    maximumProducts: number;
    into: Float64Array;
  },
): number {
  const { rows, regulariser, lambda, quadratic } = problem;
  const d = weights.length;
  const inverseDiagonal = diagonalOfHessian(problem, { weights, factors });
  for (let j = 0; j < d; j++) inverseDiagonal[j] = 1 / inverseDiagonal[j]!;
  const residual = gradient.map((g) => -g);
  const direction = residual.map((r, j) => r * inverseDiagonal[j]!);
  const product = new Float64Array(d), image = new Float64Array(rowsAtOnce(rows));
  into.fill(0);
  let products = 0, inner = 0;
  for (let j = 0; j < d; j++) inner += residual[j]! * direction[j]!;
  while (products < maximumProducts && norm(residual) > tolerance) {
    for (let j = 0; j < d; j++) product[j] = quadratic * direction[j]!;
    visitFactors(problem, { weights, factors }, (block, signs, blockFactors) => {
      computeMargins(block, { weights: direction, signs, into: image });
      for (let i = 0; i < block.rowCount; i++) image[i] = blockFactors[i]! * signs[i]! * image[i]!;
      addWeightedRows(block, { factors: image, into: product });
    });
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
  const { lambda, quadratic } = problem;
  const diagonal = new Float64Array(weights.length).fill(lambda + quadratic);
  visitFactors(problem, { weights, factors }, (block, _signs, blockFactors) => {
    addSquares(block, { factors: blockFactors, into: diagonal });
  });
  return diagonal;
}

/** into[j] += Σ factors[i]·x_ij². */
function addSquares(
  rows: Rows,
  { factors, into }: { readonly factors: Float64Array; readonly into: Float64Array },
): void {
  if (rows.kind === "dense") {
    const { columnCount, values } = rows;
    for (let i = 0, k = 0; i < rows.rowCount; i++) {
      for (let j = 0; j < columnCount; j++, k++) {
        into[j]! += factors[i]! * values[k]! * values[k]!;
      }
    }
    return;
  }
  for (let i = 0; i < rows.rowCount; i++) {
    for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
      into[rows.columns[k]!]! += factors[i]! * rows.values[k]! * rows.values[k]!;
    }
  }
}
