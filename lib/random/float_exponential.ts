import type { Source } from "../core/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { exponentialZiggurat, finishExponential } from "./exponential_ziggurat.ts";
import { borrowWordBlock, fillWords, returnWordBlock } from "./word_block.ts";

const { step, inside } = exponentialZiggurat;

/**
 * Fills `out` with exponential doubles of mean `scale`, by a ziggurat of 256 layers with 53 random
 * bits for the place in a layer (Marsaglia, Tsang 2000).
 *
 * A fast float sampler for audits and utility, not for private release: the low bits of its doubles
 * betray what they are added to (Mironov 2012, "On significance of the least significant bits for
 * differential privacy").
 *
 * @returns `out`.
 * @throws {RangeError} unless `scale` is positive and finite.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { floatExponential } from "./float_exponential.ts";
 * floatExponential(new SeededSource(1), new Float64Array(1000), { scale: 2 });
 * ```
 */
export function floatExponential(
  source: Source,
  out: Float64Array,
  { scale = 1 }: { scale?: number } = {},
): Float64Array {
  requirePositive("draw exponential noise", "scale", scale);
  const words = borrowWordBlock();
  const block = words.length >>> 1;
  for (let from = 0; from < out.length; from += block) {
    const count = Math.min(block, out.length - from);
    fillWords(source, words, 2 * count);
    for (let i = 0; i < count; i++) {
      // Eight bits for the layer and 21 + 32 others for the place in it.
      const low = words[2 * i]!;
      const layer = low & 255;
      const position = words[2 * i + 1]! * 2 ** 21 + (low >>> 11);
      out[from + i] = scale *
        (position < inside[layer]!
          ? position * step[layer]!
          : finishExponential(source, layer, position));
    }
  }
  returnWordBlock(words);
  return out;
}
