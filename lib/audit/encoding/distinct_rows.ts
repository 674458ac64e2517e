/** Rows that differ, and how often each of them occurred. */
export interface WeightedRows {
  readonly rows: Float64Array;
  readonly weights: Float64Array;
}

/** Rows are told apart as long as there are not more of them. */
const MOST = 4096;
const SLOT_BITS = 14;
/** Blocks of fewer rows are not worth it. */
const FEWEST_ROWS = 1024;

/** The bits of rows, two words a number. */
export function wordsOf(rows: Float64Array): Uint32Array {
  return new Uint32Array(rows.buffer, rows.byteOffset, 2 * rows.length);
}

/** Where the rows of a block are looked up. */
interface Table {
  /** 1 + the place of a row whose hash begins here, 0 if there is none. */
  readonly slots: Int32Array;
  readonly rows: Float64Array;
  /** The bits of the rows. */
  readonly words: Uint32Array;
  readonly weights: Float64Array;
}

function emptyTable(width: number): Table {
  const rows = new Float64Array(MOST * width);
  return {
    slots: new Int32Array(1 << SLOT_BITS),
    rows,
    words: new Uint32Array(rows.buffer),
    weights: new Float64Array(MOST),
  };
}

/**
 * Counts equal rows together: of outputs with few values a batch holds few different rows, and every
 * feature has to be computed for each of them only once. Rows are equal when their bits are.
 *
 * What was seen is remembered from block to block. When rows turn out to be all different, a few blocks are
 * left alone before the next try.
 */
export class DistinctRows {
  readonly #width: number;
  /** Nothing before the first block that is worth it: most predictors never see one. */
  #table: Table | undefined;
  #known = 0;
  #rest = 0;
  #nextRest = 1;

  /** For rows of `width` numbers. */
  constructor(width: number) {
    this.#width = width;
  }

  /**
   * The distinct rows of a block, also those of earlier blocks with weight 0; nothing where that would be
   * no gain. The answer is good until the next call.
   */
  of(rows: Float64Array): WeightedRows | undefined {
    const width = this.#width, n = rows.length / width;
    if (n < FEWEST_ROWS) return undefined;
    if (this.#rest > 0) {
      this.#rest--;
      return undefined;
    }
    const words = wordsOf(rows);
    const table = this.#table ??= emptyTable(width);
    table.weights.fill(0, 0, this.#known);
    if (!this.#count(table, words, n)) {
      this.#rest = this.#nextRest;
      this.#nextRest = Math.min(1024, 4 * this.#nextRest);
      this.#table = undefined;
      this.#known = 0;
      return undefined;
    }
    return {
      rows: table.rows.subarray(0, this.#known * width),
      weights: table.weights.subarray(0, this.#known),
    };
  }

  /** The hot loop. False when there are too many rows for this to be a gain. */
  #count({ slots, words: own, weights }: Table, words: Uint32Array, n: number): boolean {
    const length = 2 * this.#width, most = Math.min(MOST, this.#known + (n >> 3));
    const mask = slots.length - 1;
    let known = this.#known;
    for (let i = 0, from = 0; i < n; i++, from += length) {
      let hash = 0;
      for (let k = from; k < from + length; k += 2) {
        // The low halves of small numbers are 0, the low bits of the high ones too: exponents move down.
        const high = words[k + 1]!;
        hash = Math.imul(hash ^ words[k]! ^ high ^ (high >>> 20), 0x9e3779b1);
      }
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
        let k = 0;
        const at = place * length;
        while (k < length && own[at + k] === words[from + k]) k++;
        if (k === length) {
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
