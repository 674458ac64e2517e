import { addWeightedRows } from "./row_kernels.ts";
import type { RowBlocks } from "../files/row_blocks.ts";
import type { DenseRows, Rows, SparseRows } from "../rows/rows.ts";

/** So many rows are added plainly; sums of blocks of dense rows, and all sparse rows, with compensation. */
const BLOCK = 128;

/** 2⁻⁵³, half the distance from 1 to the next double. */
export const UNIT_ROUNDOFF: number = Number.EPSILON / 2;

/**
 * Σ factors[i]·x_i of rows that come in blocks, in every coordinate within {@linkcode sumRoundingBound} times Σ |factors[i]·x_ij|
 * of it, however many rows there are: blocks of 128 rows are added plainly, and the blocks by compensated
 * summation (Neumaier 1974; Ogita, Rump, Oishi 2005, Algorithm 4.4). It costs two additions in a hundred
 * more than a plain sum, whose rounding is n units.
 */
export class WeightedRowSum {
  readonly #into: Float64Array;
  readonly #carry: Float64Array;
  readonly #plain: boolean;

  /** Begins at zero. @param rows all rows that will be added, for their number. */
  constructor(rows: Rows | RowBlocks, { into }: { readonly into: Float64Array }) {
    this.#into = into.fill(0);
    this.#carry = new Float64Array(rows.columnCount);
    this.#plain = rows.rowCount <= BLOCK;
  }

  /** Adds factors[i]·x_i for every row of a block. */
  add(block: Rows, factors: Float64Array): void {
    const into = this.#into, carry = this.#carry;
    if (this.#plain) addWeightedRows(block, { factors, into });
    else if (block.kind === "dense") sumDense(block, { factors, into, carry });
    else sumSparse(block, { factors, into, carry });
  }

  /** Adds what the sums have lost. No block may follow. */
  end(): void {
    for (let j = 0; j < this.#carry.length; j++) this.#into[j]! += this.#carry[j]!;
  }
}

/** State of compensated sums: the sums, and their rounding errors so far. */
interface Sums {
  readonly factors: Float64Array;
  readonly into: Float64Array;
  readonly carry: Float64Array;
}

/**
 * The largest rounding error of a coordinate of {@linkcode WeightedRowSum} as a part of the sum of absolute
 * values: γ of a block and a product, one rounding of the result, and the square of γ of all the rows
 * (Ogita, Rump, Oishi 2005, Proposition 4.5).
 */
export function sumRoundingBound({ rowCount }: { rowCount: number }): number {
  return roundingOf(BLOCK + 2) + roundingOf(rowCount) ** 2;
}

/** γ_k = ku/(1 − ku): what k roundings do at most (Higham 2002, Lemma 3.1). */
export function roundingOf(operations: number): number {
  const all = operations * UNIT_ROUNDOFF;
  return all / (1 - all);
}

function sumDense(
  { rowCount, columnCount, values }: DenseRows,
  { factors, into, carry }: Sums,
): void {
  const block = new Float64Array(columnCount);
  for (let from = 0, k = 0; from < rowCount; from += BLOCK) {
    const to = Math.min(rowCount, from + BLOCK);
    for (let i = from; i < to; i++) {
      const factor = factors[i]!;
      if (factor === 0) {
        k += columnCount;
        continue;
      }
      for (let j = 0; j < columnCount; j++, k++) block[j]! += factor * values[k]!;
    }
    for (let j = 0; j < columnCount; j++) {
      const term = block[j]!, before = into[j]!, sum = before + term, taken = sum - before;
      carry[j]! += (before - (sum - taken)) + (term - taken);
      into[j] = sum;
      block[j] = 0;
    }
  }
}

function sumSparse(
  { rowCount, offsets, columns, values }: SparseRows,
  { factors, into, carry }: Sums,
): void {
  for (let i = 0; i < rowCount; i++) {
    const factor = factors[i]!;
    if (factor === 0) continue;
    for (let k = offsets[i]!, end = offsets[i + 1]!; k < end; k++) {
      // The rounding error of a sum is computed exactly (Knuth's TwoSum).
      const at = columns[k]!, term = factor * values[k]!, before = into[at]!;
      const sum = before + term, taken = sum - before;
      carry[at]! += (before - (sum - taken)) + (term - taken);
      into[at] = sum;
    }
  }
}
