import { SHORTEST_CHUNK, type WordKernel, wordKernel } from "./word_kernel.ts";

/**
 * The generator xoshiro128** 1.1 (Blackman, Vigna 2021, "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47): 128 bits of state, period 2¹²⁸ − 1, arithmetic on 32-bit words only,
 * which JavaScript engines compile to a handful of integer instructions. Not cryptographic: whoever
 * sees a few outputs knows all the others.
 *
 * @example
 * ```ts
 * import { Xoshiro128 } from "./xoshiro128.ts";
 * new Xoshiro128([1, 2, 3, 4]).next(); // 11520
 * ```
 */
export class Xoshiro128 {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /**
   * Starts from four 32-bit words of state.
   *
   * @throws {RangeError} when all words are zero, the one state that the generator never leaves.
   */
  constructor(state: ArrayLike<number>) {
    const words = new Int32Array(state);
    this.#a = words[0]!;
    this.#b = words[1]!;
    this.#c = words[2]!;
    this.#d = words[3]!;
    if ((this.#a | this.#b | this.#c | this.#d) === 0) {
      throw new RangeError(
        "Cannot start a generator: state must have a word that is not zero: current value is 0,0,0,0",
      );
    }
  }

  /** The next word: an integer in [0, 2³²). */
  next(): number {
    const b = this.#b;
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    this.#c ^= this.#a;
    this.#d ^= b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= b << 9;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** Fills `out` with the words that as many calls of {@linkcode next} would give. */
  fill(out: Uint32Array): void {
    const kernel = out.length < SHORTEST_CHUNK ? undefined : wordKernel();
    this.#fillFrom(kernel === undefined ? 0 : this.#fillBy(kernel, out), out);
  }

  #fillBy(kernel: WordKernel, out: Uint32Array): number {
    const { state } = kernel;
    state[0] = this.#a;
    state[1] = this.#b;
    state[2] = this.#c;
    state[3] = this.#d;
    const filled = kernel.fill(out);
    this.#a = state[0];
    this.#b = state[1];
    this.#c = state[2];
    this.#d = state[3];
    return filled;
  }

  /** The loop that {@linkcode WordKernel} is compared with, and the words that it leaves. */
  #fillFrom(from: number, out: Uint32Array): void {
    // The state stays in locals, that is in registers, for the whole block.
    let a = this.#a, b = this.#b, c = this.#c, d = this.#d;
    const length = out.length;
    for (let i = from; i < length; i++) {
      const scrambled = Math.imul(b, 5);
      out[i] = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }
}
