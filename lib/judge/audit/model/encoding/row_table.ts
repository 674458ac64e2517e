import { DistinctRows } from "./distinct_rows.ts";
import { wordsOf } from "./known_rows.ts";

/** The most rows of a table. */
export const MOST_ROWS = 64;
/** Where a larger share of the distinct rows was seen only once, rows that were not seen are likely. */
const MAX_SHARE_SEEN_ONCE = 1 / 8;

/** Data of a table: the bits of its rows, one row after the other. */
export interface RowTableData {
  readonly words: Uint32Array;
  readonly width: number;
}

/**
 * The distinct rows of outputs, where they are few, in the order of their bits. The place of a row in the table holds
 * all information of the output: no other feature is needed.
 */
export class RowTable {
  readonly #width: number;
  /** The bits of the rows, one row after the other. */
  readonly #words: Uint32Array;

  private constructor(words: Uint32Array, width: number) {
    this.#width = width;
    this.#words = words;
  }

  /** Returns the table that is made of these values. */
  static from({ words, width }: RowTableData): RowTable {
    return new RowTable(words, width);
  }

  /** The typed arrays that it is made of. */
  get data(): RowTableData {
    return { words: this.#words, width: this.#width };
  }

  /** Returns the table of some rows; `undefined` if their distinct rows are too many, or are likely to become so. */
  static of(
    { rows, width }: { readonly rows: Float64Array; readonly width: number },
  ): RowTable | undefined {
    const distinct = new DistinctRows(width).of(rows);
    if (distinct === undefined || distinct.weights.length > MOST_ROWS) return undefined;
    const once = distinct.weights.reduce((n, weight) => n + Number(weight === 1), 0);
    return once > MAX_SHARE_SEEN_ONCE * distinct.weights.length
      ? undefined
      : new RowTable(sorted(distinct.rows, width), width);
  }

  /** Writes the places in the table of rows `from` to `from + n` into `out`, NaN for rows that are not in it. */
  fill(rows: Float64Array, from: number, n: number, out: Float64Array): void {
    const words = wordsOf(rows), length = 2 * this.#width;
    const size = this.#words.length / length;
    for (let i = 0; i < n; i++) {
      const at = (from + i) * length;
      let low = 0, high = size;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (compare(this.#words, middle * length, words, at, length) < 0) low = middle + 1;
        else high = middle;
      }
      const isFound = low < size && compare(this.#words, low * length, words, at, length) === 0;
      out[i] = isFound ? low : NaN;
    }
  }
}

/** Returns the bits of rows in the order of their bits. */
function sorted(rows: Float64Array, width: number): Uint32Array {
  const words = wordsOf(rows), length = 2 * width;
  const order = Array.from({ length: rows.length / width }, (_, row) => row * length)
    .sort((a, b) => compare(words, a, words, b, length));
  const inOrder = new Uint32Array(words.length);
  order.forEach((at, place) => {
    inOrder.set(words.subarray(at, at + length), place * length);
  });
  return inOrder;
}

/** Returns the order of two rows of `length` words, from place `at` in `a` and `bt` in `b`: negative, 0 or positive. */
function compare(a: Uint32Array, at: number, b: Uint32Array, bt: number, length: number): number {
  for (let k = 0; k < length; k++) {
    if (a[at + k] !== b[bt + k]) return a[at + k]! - b[bt + k]!;
  }
  return 0;
}
