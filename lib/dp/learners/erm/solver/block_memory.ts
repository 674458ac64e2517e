/**
 * Memory for the rows of one block after the other: arrays of the same name share their memory, so that a visit to many blocks
 * leaves no garbage. An array is good until the next of its name is asked for, and its contents are unspecified.
 */
export class BlockMemory {
  readonly #parts = new Map<string, ArrayBuffer>();

  /** Room for doubles. */
  doubles(name: string, length: number): Float64Array {
    return new Float64Array(this.#bytes(name, 8 * length), 0, length);
  }

  /** Room for 32-bit integers. */
  integers(name: string, length: number): Int32Array {
    return new Int32Array(this.#bytes(name, 4 * length), 0, length);
  }

  #bytes(name: string, length: number): ArrayBuffer {
    let part = this.#parts.get(name);
    if (part === undefined || part.byteLength < length) {
      this.#parts.set(name, part = new ArrayBuffer(length));
    }
    return part;
  }
}
