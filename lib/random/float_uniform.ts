import type { Source } from "../core/source.ts";
import { borrowWordBlock, fillWords, returnWordBlock } from "./word_block.ts";

/**
 * Fills `out` with uniform doubles in the open interval (0, 1): multiples of 2⁻⁵³, each with the same
 * probability. Zero is redrawn.
 *
 * A fast float sampler for audits and utility, not for private release: doubles on a grid have holes,
 * and noise computed from them betrays what it was added to (Mironov 2012, "On significance of the
 * least significant bits for differential privacy").
 *
 * @returns `out`.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { floatUniform } from "./float_uniform.ts";
 * floatUniform(new SeededSource(1), new Float64Array(1000));
 * ```
 */
export function floatUniform(source: Source, out: Float64Array): Float64Array {
  const words = borrowWordBlock();
  const block = words.length >>> 1;
  for (let from = 0; from < out.length; from += block) {
    const count = Math.min(block, out.length - from);
    fillWords(source, words, 2 * count);
    for (let i = 0; i < count; i++) {
      const value = words[2 * i]! * 2 ** -32 + (words[2 * i + 1]! >>> 11) * 2 ** -53;
      out[from + i] = value > 0 ? value : source.uniform();
    }
  }
  returnWordBlock(words);
  return out;
}
