import type { Source } from "../mechanism/source.ts";

/** Words kept ready: 8 KiB, so that a call to the platform is paid for by two thousand draws. */
const BUFFERED = 2048;
/** The most that one call of `crypto.getRandomValues` gives: 65,536 bytes. */
const MOST = 16384;

/**
 * The platform's cryptographic generator (`crypto.getRandomValues`), buffered. What private releases
 * draw from. A word is overwritten in the buffer as it is handed out, so that reading the buffer
 * later tells nothing about the noise of releases already made.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * const coin = new SecureSource().uint32() % 2;
 * ```
 */
export class SecureSource implements Source {
  /** Always `"secure"`. */
  readonly kind = "secure";
  readonly #words = new Uint32Array(BUFFERED);
  #next = BUFFERED;

  /** A uniform integer in [0, 2³²). */
  uint32(): number {
    if (this.#next === BUFFERED) {
      crypto.getRandomValues(this.#words);
      this.#next = 0;
    }
    const at = this.#next++;
    const word = this.#words[at]!;
    this.#words[at] = 0;
    return word;
  }

  /** A uniform double among the multiples of 2⁻⁵³ in the open interval (0, 1). */
  uniform(): number {
    for (;;) {
      const high = this.uint32(), low = this.uint32();
      const value = high * 2 ** -32 + (low >>> 11) * 2 ** -53;
      if (value > 0) return value;
    }
  }

  /** Fills `out` with uniform 32-bit integers; large blocks come straight from the platform. */
  fillUint32(out: Uint32Array): void {
    if (out.length < BUFFERED) {
      this.#fillFromBuffer(out);
      return;
    }
    // The platform refuses views of shared memory, which the type of `out` does not exclude.
    if (!(out.buffer instanceof ArrayBuffer)) {
      for (let i = 0; i < out.length; i++) out[i] = this.uint32();
      return;
    }
    for (let from = 0; from < out.length; from += MOST) {
      crypto.getRandomValues(out.subarray(from, from + MOST) as Uint32Array<ArrayBuffer>);
    }
  }

  #fillFromBuffer(out: Uint32Array): void {
    for (let done = 0; done < out.length;) {
      if (this.#next === BUFFERED) {
        crypto.getRandomValues(this.#words);
        this.#next = 0;
      }
      const count = Math.min(out.length - done, BUFFERED - this.#next);
      const words = this.#words.subarray(this.#next, this.#next + count);
      out.set(words, done);
      words.fill(0);
      this.#next += count;
      done += count;
    }
  }

  /** A source independent of this one, for every draw of either is; the label is ignored. */
  split(_label: string | number): SecureSource {
    return new SecureSource();
  }
}
