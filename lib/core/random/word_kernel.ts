import { inKernelMemory, type Kernels } from "./kernels/kernels.ts";

/** Steps between the lanes of a chunk, the most first. A chunk is four times as many words. */
const STEPS = [256, 32] as const;

/** The fewest words that a chunk has: fewer are not asked for. */
export const SHORTEST_CHUNK: number = 4 * STEPS[1];

/** Bytes of the state and of the table of one jump. */
const STATE_BYTES = 64, TABLE_BYTES = 32 * 16 * 16;

/** Words that are filled at a time where they are not wanted in the kernels' memory. */
const MOST_WORDS = 4096;

const BYTES = STATE_BYTES + STEPS.length * TABLE_BYTES + 4 * MOST_WORDS;

/** The kernel of xoshiro128**. */
export class WordKernel {
  /** The four words of the state, before and after a call. */
  readonly state: Int32Array;
  readonly #kernels: Kernels;
  readonly #tables: readonly number[];
  readonly #words: Uint32Array;

  /** At an address with room for {@linkcode BYTES}. */
  constructor(own: Kernels, address: number) {
    this.#kernels = own;
    this.state = new Int32Array(own.memory, address, 4);
    this.#tables = STEPS.map((_, k) => address + STATE_BYTES + k * TABLE_BYTES);
    STEPS.forEach((steps, k) => own.writeJumpTable(this.#tables[k]!, steps));
    this.#words = new Uint32Array(own.memory, address + BYTES - 4 * MOST_WORDS, MOST_WORDS);
  }

  /** Fills the beginning of `out` with the next words, as many as whole chunks go into it. @returns how many. */
  fill(out: Uint32Array): number {
    if (out.buffer === this.#kernels.memory) return this.#fillAt(out.byteOffset, out.length);
    const words = this.#words;
    for (let from = 0;; from += MOST_WORDS) {
      const filled = this.#fillAt(words.byteOffset, Math.min(MOST_WORDS, out.length - from));
      out.set(filled === MOST_WORDS ? words : words.subarray(0, filled), from);
      if (filled < MOST_WORDS) return from + filled;
    }
  }

  #fillAt(address: number, count: number): number {
    let filled = 0;
    for (let k = 0; k < STEPS.length; k++) {
      const steps = STEPS[k]!, chunks = Math.floor((count - filled) / (4 * steps));
      if (chunks === 0) continue;
      const to = address + 4 * filled;
      this.#kernels.fillChunks(this.state.byteOffset, to, chunks, steps, this.#tables[k]!);
      filled += chunks * 4 * steps;
    }
    return filled;
  }
}

/** The kernel of this thread; `undefined` where there is none. */
export const wordKernel: () => WordKernel | undefined = inKernelMemory(
  BYTES,
  (own, address) => new WordKernel(own, address),
);
