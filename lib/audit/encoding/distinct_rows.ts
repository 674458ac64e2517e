/** Distinct rows, and how often each of them occurred. */
export interface WeightedRows {
  readonly rows: Float64Array;
  readonly weights: Float64Array;
}

/** The most distinct rows that are counted, and the logarithm of the slots of the hash table: four for each row. */
const MAX_DISTINCT = 4096, SLOT_BITS = 14;

/** In blocks of fewer rows the table takes more time than it saves. */
const FEWEST_ROWS = 1024;

/** The most blocks that are skipped before the next try. */
const MAX_SKIPPED = 1024;

/** The bits of rows, two words a number. */
export function wordsOf(rows: Float64Array): Uint32Array {
  return new Uint32Array(rows.buffer, rows.byteOffset, 2 * rows.length);
}

/** A hash table of rows. */
interface Table {
  /** 1 + the place of a row whose hash begins here, 0 if there is none. */
  readonly slots: Int32Array;
  readonly rows: Float64Array;
  /** The bits of the rows. */
  readonly words: Uint32Array;
  readonly weights: Float64Array;
}

function emptyTable(width: number): Table {
  const rows = new Float64Array(MAX_DISTINCT * width);
  return {
    slots: new Int32Array(1 << SLOT_BITS),
    rows,
    words: new Uint32Array(rows.buffer),
    weights: new Float64Array(MAX_DISTINCT),
  };
}

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
  #table: Table | undefined;
  #known = 0;
  #blocksToSkip = 0;
  #nextSkip = 1;

  /** For rows of `width` numbers. */
  constructor(width: number) {
    this.#width = width;
  }

  /**
   * The distinct rows of a block, and those of earlier blocks with weight 0; `undefined` where this would save no time.
   * The result is valid until the next call.
   */
  of(rows: Float64Array): WeightedRows | undefined {
    const width = this.#width, n = rows.length / width;
    if (n < FEWEST_ROWS) return undefined;
    if (this.#blocksToSkip > 0) {
      this.#blocksToSkip--;
      return undefined;
    }
    const words = wordsOf(rows);
    const table = this.#table ??= emptyTable(width);
    table.weights.fill(0, 0, this.#known);
    if (!this.#count(table, words, n)) {
      this.#blocksToSkip = this.#nextSkip;
      this.#nextSkip = Math.min(MAX_SKIPPED, 4 * this.#nextSkip);
      this.#table = undefined;
      this.#known = 0;
      return undefined;
    }
    return {
      rows: table.rows.subarray(0, this.#known * width),
      weights: table.weights.subarray(0, this.#known),
    };
  }

  /** The hot loop. False when more than one row in eight is new: then counting equal rows together saves no time. */
  #count({ slots, words: own, weights }: Table, words: Uint32Array, n: number): boolean {
    const length = 2 * this.#width, most = Math.min(MAX_DISTINCT, this.#known + (n >> 3));
    const mask = slots.length - 1;
    let known = this.#known;
    for (let i = 0, from = 0; i < n; i++, from += length) {
      // Two chains, of every second number each: a processor multiplies for one while it waits for the other. The low halves of small
      // numbers are 0, the low bits of the high ones too: exponents move down.
      let hash = 0, other = 0, k = from;
      const end = from + length;
      for (; k + 4 <= end; k += 4) {
        const first = words[k + 1]!, second = words[k + 3]!;
        hash = Math.imul(hash ^ words[k]! ^ first ^ (first >>> 20), 0x9e3779b1);
        other = Math.imul(other ^ words[k + 2]! ^ second ^ (second >>> 20), 0x85ebca6b);
      }
      if (k < end) {
        const high = words[k + 1]!;
        hash = Math.imul(hash ^ words[k]! ^ high ^ (high >>> 20), 0x9e3779b1);
      }
      hash = Math.imul(hash ^ (other >>> 15) ^ other, 0x9e3779b1);
      let slot = hash >>> (32 - SLOT_BITS);
      for (;;) {
        const place = slots[slot]! - 1;
        if (place < 0) {
          if (known === most) return false;
          for (let k = 0; k < length; k++) own[known * length + k] = words[from + k]!;
          weights[known] = 1;
          slots[slot] = ++known;
          break;
        }
        // Most rows are those of their slot: all numbers are compared, and nothing branches on one.
        let differ = 0;
        for (let k = from, at = place * length; k < end; k += 2, at += 2) {
          differ |= (own[at]! ^ words[k]!) | (own[at + 1]! ^ words[k + 1]!);
        }
        if (differ === 0) {
          weights[place]!++;
          break;
        }
        slot = (slot + 1) & mask;
      }
    }
    this.#known = known;
    return true;
  }
}
