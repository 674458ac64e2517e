/**
 * Factors a symmetric positive definite matrix as LLᵀ in place. Row-major d×d; only the lower
 * triangle is read and written.
 *
 * @returns false, leaving the matrix half done, when a pivot is not positive.
 *
 * @example
 * ```ts
 * import { factorCholesky } from "./cholesky.ts";
 * factorCholesky(Float64Array.of(4, 0, 2, 2), { size: 2 }); // true: L = [2; 1 1]
 * ```
 */
export function factorCholesky(matrix: Float64Array, { size }: { size: number }): boolean {
  for (let j = 0; j < size; j++) {
    const line = j * size;
    for (let i = 0; i < j; i++) {
      const other = i * size;
      let sum = matrix[line + i]!;
      for (let k = 0; k < i; k++) sum -= matrix[line + k]! * matrix[other + k]!;
      matrix[line + i] = sum / matrix[other + i]!;
    }
    let pivot = matrix[line + j]!;
    for (let k = 0; k < j; k++) pivot -= matrix[line + k]! * matrix[line + k]!;
    if (!(pivot > 0)) return false;
    matrix[line + j] = Math.sqrt(pivot);
  }
  return true;
}

/** Solves LLᵀx = `vector` in place, L from {@linkcode factorCholesky}. */
export function solveCholesky(factor: Float64Array, { vector }: { vector: Float64Array }): void {
  const size = vector.length;
  for (let j = 0; j < size; j++) {
    let sum = vector[j]!;
    for (let k = 0; k < j; k++) sum -= factor[j * size + k]! * vector[k]!;
    vector[j] = sum / factor[j * size + j]!;
  }
  for (let j = size - 1; j >= 0; j--) {
    const value = vector[j]! / factor[j * size + j]!;
    vector[j] = value;
    for (let k = 0; k < j; k++) vector[k]! -= factor[j * size + k]! * value;
  }
}

/** ln det of LLᵀ, L from {@linkcode factorCholesky}. */
export function logDeterminant(factor: Float64Array, { size }: { size: number }): number {
  let sum = 0;
  for (let j = 0; j < size; j++) sum += Math.log(factor[j * size + j]!);
  return 2 * sum;
}
