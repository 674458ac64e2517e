/** How often each of some numbers occurred. NaN is one of them, and so is 0 with either sign. */
export class ValueCounts {
  readonly #slots: Int32Array;
  readonly #shift: number;
  readonly #values: Float64Array;
  readonly #counts: Int32Array;
  /** The number that is looked for, and its bits. */
  readonly #own = new Float64Array(1);
  readonly #words = new Uint32Array(this.#own.buffer);
  #known = 0;

  /** For at most `most` numbers. */
  constructor(most: number) {
    // At most half of the slots are taken.
    const bits = Math.max(4, Math.ceil(Math.log2(2 * Math.max(1, most))));
    this.#slots = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
    this.#values = new Float64Array(most);
    this.#counts = new Int32Array(most);
  }

  /** Number of different numbers. */
  get size(): number {
    return this.#known;
  }

  /** The different numbers, in the order in which they came. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#known);
  }

  /** Number of times that each of them occurred. */
  get counts(): Int32Array {
    return this.#counts.subarray(0, this.#known);
  }

  /** Counts a number, and returns how often it has occurred by then. */
  add(value: number): number {
    const mask = this.#slots.length - 1;
    // -0 + 0 is 0.
    const x = this.#own[0] = value + 0;
    const high = this.#words[1]!;
    const hash = Math.imul(
      Math.imul(this.#words[0]! ^ (high >>> 20), 0x9e3779b1) ^ high,
      0x85ebca6b,
    );
    for (let slot = (hash ^ (hash >>> 15)) >>> this.#shift;; slot = (slot + 1) & mask) {
      const place = this.#slots[slot]! - 1;
      if (place < 0) {
        this.#values[this.#known] = x;
        this.#counts[this.#known] = 1;
        this.#slots[slot] = ++this.#known;
        return 1;
      }
      const other = this.#values[place]!;
      if (other === x || (other !== other && x !== x)) return ++this.#counts[place]!;
    }
  }
}
