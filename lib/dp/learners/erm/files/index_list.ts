import type { ClassIndices } from "../rows/signs.ts";

/** Numbers of a part of the list. */
const PART = 2 ** 16;

/** A list of whole numbers that grows: a byte each where they are below 257, else four. Parts that are full stay where they are. */
export class IndexList {
  readonly #parts: ClassIndices[] = [];
  readonly #allocate: (length: number) => ClassIndices;
  #length = 0;

  /** An empty list of numbers from 0 to `below` − 1. */
  constructor({ below }: { readonly below: number }) {
    this.#allocate = (length) => below <= 256 ? new Uint8Array(length) : new Int32Array(length);
  }

  /** Numbers so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds numbers, which the caller has checked. */
  append(values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; i++) {
      const place = this.#length % PART;
      if (place === 0) this.#parts.push(this.#allocate(PART));
      this.#parts.at(-1)![place] = values[i]!;
      this.#length++;
    }
  }

  /** The numbers so far, in an array of their own. */
  toArray(): ClassIndices {
    const all = this.#allocate(this.#length);
    this.#parts.forEach((part, k) => {
      all.set(part.subarray(0, this.#length - k * PART), k * PART);
    });
    return all;
  }
}
