import type { ClassIndices } from "./signs.ts";

/** A list of whole numbers that grows: a byte each where they are below 257, else four. */
export class IndexList {
  #values: ClassIndices;
  #length = 0;

  /** An empty list of numbers from 0 to `below` − 1. */
  constructor({ below }: { readonly below: number }) {
    this.#values = below <= 256 ? new Uint8Array(1024) : new Int32Array(1024);
  }

  /** Numbers so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds numbers, which the caller has checked. */
  append(values: ArrayLike<number>): void {
    const needed = this.#length + values.length;
    if (needed > this.#values.length) {
      const size = Math.max(needed, this.#values.length + (this.#values.length >> 1));
      const longer = this.#values instanceof Uint8Array
        ? new Uint8Array(size)
        : new Int32Array(size);
      longer.set(this.#values.subarray(0, this.#length));
      this.#values = longer;
    }
    this.#values.set(values, this.#length);
    this.#length = needed;
  }

  /** The numbers so far, in an array of their own. */
  toArray(): ClassIndices {
    return this.#values.slice(0, this.#length);
  }
}
