import type { Source } from "../core/source.ts";
import { BLOCK, borrowWordBlock, fillPairs, returnWordBlock } from "./word_block.ts";

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
  for (let from = 0; from < out.length; from += BLOCK) {
    const values = out.length <= BLOCK ? out : out.subarray(from, from + BLOCK);
    fillPairs(source, words, values.length);
    if (convert(words, values)) redrawZeros(source, values);
  }
  returnWordBlock(words);
  return out;
}

/**
 * The hot loop: at most {@linkcode BLOCK} values. Numbers that the compiler knows spare it checks:
 * hence 2048.
 *
 * @returns whether zeros may be among them.
 */
function convert(words: Uint32Array, values: Float64Array): boolean {
  const count = values.length;
  let zeros = false;
  for (let i = 0; i < count && i < 2048; i++) {
    const high = words[i]!;
    values[i] = high * 2 ** -32 + (words[2048 + i]! >>> 11) * 2 ** -53;
    if (high === 0) zeros = true;
  }
  return zeros;
}

/** One draw in 2⁵³ is zero. */
function redrawZeros(source: Source, values: Float64Array): void {
  for (let i = values.indexOf(0); i >= 0; i = values.indexOf(0, i + 1)) {
    values[i] = source.uniform();
  }
}
