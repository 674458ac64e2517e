import type { DenseRows, Rows, SparseRows } from "../rows/rows.ts";

/** The hot loops over rows: no allocation, plain indices, one branch on the layout. */

/** margins[i] = signs[i]·(x_i·f). */
export function computeMargins(
  rows: Rows,
  { weights, signs, into }: { weights: Float64Array; signs: Float64Array; into: Float64Array },
): void {
  if (rows.kind === "dense") {
    const { rowCount, columnCount, values } = rows;
    for (let i = 0, k = 0; i < rowCount; i++) {
      let even = 0, odd = 0, j = 0;
      for (; j + 1 < columnCount; j += 2, k += 2) {
        even += values[k]! * weights[j]!;
        odd += values[k + 1]! * weights[j + 1]!;
      }
      if (j < columnCount) even += values[k++]! * weights[j]!;
      into[i] = signs[i]! * (even + odd);
    }
    return;
  }
  const { rowCount, offsets, columns, values } = rows;
  for (let i = 0; i < rowCount; i++) {
    let sum = 0;
    for (let k = offsets[i]!, end = offsets[i + 1]!; k < end; k++) {
      sum += values[k]! * weights[columns[k]!]!;
    }
    into[i] = signs[i]! * sum;
  }
}

/** into += Σ factors[i]·x_i. */
export function addWeightedRows(
  rows: Rows,
  { factors, into }: { factors: Float64Array; into: Float64Array },
): void {
  if (rows.kind === "dense") {
    const { rowCount, columnCount, values } = rows;
    for (let i = 0, k = 0; i < rowCount; i++) {
      const factor = factors[i]!;
      if (factor === 0) {
        k += columnCount;
        continue;
      }
      for (let j = 0; j < columnCount; j++, k++) into[j]! += factor * values[k]!;
    }
    return;
  }
  const { rowCount, offsets, columns, values } = rows;
  for (let i = 0; i < rowCount; i++) {
    const factor = factors[i]!;
    if (factor === 0) continue;
    for (let k = offsets[i]!, end = offsets[i + 1]!; k < end; k++) {
      into[columns[k]!]! += factor * values[k]!;
    }
  }
}

/** Lower triangle of into += Σ factors[i]·x_i x_iᵀ, row-major d×d. */
export function addWeightedOuterProducts(
  rows: Rows,
  { factors, into }: { factors: Float64Array; into: Float64Array },
): void {
  if (rows.kind === "dense") addDenseOuterProducts(rows, factors, into);
  else addSparseOuterProducts(rows, factors, into);
}

function addDenseOuterProducts(rows: DenseRows, factors: Float64Array, into: Float64Array): void {
  const { rowCount, columnCount: d, values } = rows;
  // Four rows a pass: each entry of the matrix is read and written once for four products.
  let i = 0;
  for (; i + 3 < rowCount; i += 4) {
    const a = i * d, b = a + d, c = b + d, e = c + d;
    const fa = factors[i]!, fb = factors[i + 1]!, fc = factors[i + 2]!, fe = factors[i + 3]!;
    if (fa === 0 && fb === 0 && fc === 0 && fe === 0) continue;
    for (let j = 0; j < d; j++) {
      const pa = fa * values[a + j]!, pb = fb * values[b + j]!;
      const pc = fc * values[c + j]!, pe = fe * values[e + j]!;
      const line = j * d;
      for (let k = 0; k <= j; k++) {
        into[line + k]! += pa * values[a + k]! + pb * values[b + k]! + pc * values[c + k]! +
          pe * values[e + k]!;
      }
    }
  }
  for (; i < rowCount; i++) {
    const a = i * d;
    for (let j = 0; j < d; j++) {
      const product = factors[i]! * values[a + j]!;
      for (let k = 0; k <= j; k++) into[j * d + k]! += product * values[a + k]!;
    }
  }
}

function addSparseOuterProducts(rows: SparseRows, factors: Float64Array, into: Float64Array): void {
  const { rowCount, columnCount: d, offsets, columns, values } = rows;
  for (let i = 0; i < rowCount; i++) {
    const factor = factors[i]!;
    if (factor === 0) continue;
    const start = offsets[i]!, end = offsets[i + 1]!;
    for (let j = start; j < end; j++) {
      const product = factor * values[j]!;
      const line = columns[j]! * d;
      // Columns ascend, so the entries up to j are the lower triangle.
      for (let k = start; k <= j; k++) into[line + columns[k]!]! += product * values[k]!;
    }
  }
}
