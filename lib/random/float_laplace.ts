import type { Source } from "../core/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { exponentialZiggurat, finishExponential } from "./exponential_ziggurat.ts";
import { borrowWordBlock, fillWords, returnWordBlock } from "./word_block.ts";

const { step, inside } = exponentialZiggurat;

/**
 * Fills `out` with Laplace doubles of mean 0 and density e^(−|x|/scale)/(2·scale): an exponential
 * from a ziggurat of 256 layers (Marsaglia, Tsang 2000) with 53 random bits for the place in a layer,
 * and a sign bit of its own.
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
 * import { floatLaplace } from "./float_laplace.ts";
 * floatLaplace(new SeededSource(1), new Float64Array(1000), { scale: 2 });
 * ```
 */
export function floatLaplace(
  source: Source,
  out: Float64Array,
  { scale = 1 }: { scale?: number } = {},
): Float64Array {
  requirePositive("draw Laplace noise", "scale", scale);
  const words = borrowWordBlock();
  const block = words.length >>> 1;
  for (let from = 0; from < out.length; from += block) {
    const count = Math.min(block, out.length - from);
    fillWords(source, words, 2 * count);
    for (let i = 0; i < count; i++) {
      // Bits 0 to 7 choose the layer, bit 8 the sign; 21 + 32 others the place in the layer.
      const low = words[2 * i]!;
      const layer = low & 255;
      const position = words[2 * i + 1]! * 2 ** 21 + (low >>> 11);
      const sign = (low & 256) === 0 ? scale : -scale;
      out[from + i] = sign *
        (position < inside[layer]!
          ? position * step[layer]!
          : finishExponential(source, layer, position));
    }
  }
  returnWordBlock(words);
  return out;
}
