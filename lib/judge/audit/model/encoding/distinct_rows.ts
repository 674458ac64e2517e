import { countRows, type KnownRows, MAX_DISTINCT, noKnownRows, wordsOf } from "./known_rows.ts";

/** Distinct rows, and how often each of them occurred. */
export interface WeightedRows {
  readonly rows: Float64Array;
  readonly weights: Float64Array;
}

/** In blocks of fewer rows the table takes more time than it saves. */
const FEWEST_ROWS = 1024;

/** The most blocks that are skipped before the next try. */
const MAX_SKIPPED = 1024;

/**
 * Counts equal rows together: outputs with few values have few distinct rows, and every feature is computed once for
 * each of them. Rows are equal when their bits are.
 *
 * The rows are kept from block to block. After a block with too many distinct rows some blocks are skipped, four times
 * as many after each further one.
 */
export class DistinctRows {
  readonly #width: number;
  /** `undefined` before the first block of enough rows, which most predictors never get: the table is large. */
  #own: KnownRows | undefined;
  #blocksToSkip = 0;
  #nextSkip = 1;

  /** For rows of `width` numbers. */
  constructor(width: number) {
    this.#width = width;
  }

  /**
   * Returns the distinct rows of a block, and those of earlier blocks with weight 0; `undefined` where this would save no time.
   * The result is valid until the next call.
   */
  of(rows: Float64Array): WeightedRows | undefined {
    const width = this.#width, n = rows.length / width;
    if (n < FEWEST_ROWS) return undefined;
    if (this.#blocksToSkip > 0) {
      this.#blocksToSkip--;
      return undefined;
    }
    const own = this.#own ??= noKnownRows(width);
    own.weights.fill(0, 0, own.known);
    // When more than one row in eight is new, counting equal rows together saves no time.
    const most = Math.min(MAX_DISTINCT, own.known + (n >> 3));
    if (!countRows(own, wordsOf(rows), { n, most })) {
      this.#blocksToSkip = this.#nextSkip;
      this.#nextSkip = Math.min(MAX_SKIPPED, 4 * this.#nextSkip);
      this.#own = undefined;
      return undefined;
    }
    return {
      rows: own.rows.subarray(0, own.known * width),
      weights: own.weights.subarray(0, own.known),
    };
  }
}
