import type { Source } from "../mechanism/source.ts";
import { kernelFor } from "./block_kernel.ts";
import { BLOCK, borrowWordBlock, fillPairs, returnWordBlock, valuesOfBlock } from "./word_block.ts";

/** Fewer draws than this are made one by one: a block costs more. */
const FEW = 64;

// Used inside `convert` alone, which calls nothing that could come back to it.
const ownWords = new Uint32Array(2 * BLOCK);
const ownValues = new Float64Array(BLOCK);

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
  if (source.fillNoise !== undefined) {
    source.fillNoise(out, { law: "uniform", scale: 1 });
    return out;
  }
  if (out.length < FEW) {
    for (let i = 0; i < out.length; i++) out[i] = source.uniform();
    return out;
  }
  const words = borrowWordBlock();
  for (let from = 0; from < out.length; from += BLOCK) {
    const values = valuesOfBlock(out, from);
    fillPairs(source, words, values.length);
    if (convertByKernel(words, values) ?? convert(words, values)) redrawZeros(source, values);
  }
  returnWordBlock(words);
  return out;
}

/** {@linkcode convert} by the kernel; `undefined` where there is none. */
function convertByKernel(words: Uint32Array, values: Float64Array): boolean | undefined {
  const own = kernelFor(words);
  if (own === undefined) return undefined;
  const count = values.length;
  const zeros = own.kernels.convertWords(words.byteOffset, own.values.byteOffset, count) === 1;
  values.set(count === BLOCK ? own.values : own.values.subarray(0, count));
  return zeros;
}

/**
 * The hot loop: at most {@linkcode BLOCK} values. Arrays and numbers that the compiler knows (hence
 * 2048) halve its instructions, which pays for two copies.
 *
 * @returns whether zeros may be among the values.
 */
function convert(words: Uint32Array, values: Float64Array): boolean {
  const count = values.length;
  ownWords.set(words);
  let zeros = false;
  for (let i = 0; i < count; i++) {
    const high = ownWords[i]!;
    ownValues[i] = high * 2 ** -32 + (ownWords[2048 + i]! >>> 11) * 2 ** -53;
    if (high === 0) zeros = true;
  }
  values.set(ownValues.subarray(0, count));
  return zeros;
}

/** One draw in 2⁵³ is zero. */
function redrawZeros(source: Source, values: Float64Array): void {
  for (let i = values.indexOf(0); i >= 0; i = values.indexOf(0, i)) {
    values[i] = source.uniform();
  }
}
