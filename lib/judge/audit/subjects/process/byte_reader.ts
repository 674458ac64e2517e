import type { Readable } from "node:stream";

const NEWLINE = 10;

/** Cuts a stream of bytes into lines or blocks; nothing is copied until a whole line or block is there. */
export class ByteReader {
  readonly #stream: Readable;
  /** Bytes received and not yet taken, in order; never an empty chunk. */
  readonly #chunks: Uint8Array[] = [];
  #available = 0;
  /** Chunks known to hold no newline. */
  #searched = 0;
  /** Resolves the wait for bytes, or for the end. */
  #wake: () => void = () => {};
  #hasEnded = false;

  /** Reads `stream`, which must have no other reader. */
  constructor(stream: Readable) {
    this.#stream = stream;
    const end = (): void => {
      this.#hasEnded = true;
      this.#wake();
    };
    stream.on("readable", () => this.#wake());
    // A stream that was destroyed, or broke, has no end of its own.
    for (const event of ["end", "close", "error"]) stream.on(event, end);
  }

  /** Bytes received and not yet taken. */
  get available(): number {
    return this.#available;
  }

  /** Waits for more bytes: false at the end of the stream. */
  async receive(): Promise<boolean> {
    for (;;) {
      const chunk: Uint8Array | null = this.#stream.read();
      if (chunk !== null && chunk.length > 0) {
        this.#chunks.push(chunk);
        this.#available += chunk.length;
        return true;
      }
      if (this.#hasEnded) return false;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** Returns the next line without its newline, or `undefined` while its end has not been received. */
  takeLine(): Uint8Array | undefined {
    for (let i = this.#searched; i < this.#chunks.length; i++) {
      const end = this.#chunks[i]!.indexOf(NEWLINE);
      if (end >= 0) {
        let length = end;
        for (let j = 0; j < i; j++) length += this.#chunks[j]!.length;
        const line = this.take(length);
        this.#drop(1);
        return line;
      }
      this.#searched = i + 1;
    }
    return undefined;
  }

  /** Returns the next `length` bytes, or as many as there are. */
  take(length: number): Uint8Array {
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= length) {
      const bytes = first.subarray(0, length);
      this.#drop(length);
      return bytes;
    }
    const bytes = new Uint8Array(Math.min(length, this.#available));
    this.takeInto(bytes);
    return bytes;
  }

  /** Moves received bytes into `target` until it is full or none is left, and returns how many. */
  takeInto(target: Uint8Array): number {
    let filled = 0;
    while (filled < target.length && this.#chunks.length > 0) {
      const part = this.#chunks[0]!.subarray(0, target.length - filled);
      target.set(part, filled);
      filled += part.length;
      this.#drop(part.length);
    }
    return filled;
  }

  /** Returns the first bytes not yet taken, at most `limit`, without taking them. */
  peek(limit: number): Uint8Array {
    const bytes = new Uint8Array(Math.min(limit, this.#available));
    let filled = 0;
    for (const chunk of this.#chunks) {
      if (filled === bytes.length) break;
      const part = chunk.subarray(0, bytes.length - filled);
      bytes.set(part, filled);
      filled += part.length;
    }
    return bytes;
  }

  /** Stops reading. */
  cancel(): void {
    this.#stream.destroy();
  }

  /** Removes `length` bytes from the first chunk. */
  #drop(length: number): void {
    const first = this.#chunks[0]!;
    this.#searched = 0;
    this.#available -= length;
    if (length === first.length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(length);
  }
}
