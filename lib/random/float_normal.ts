import type { Source } from "../core/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { finishNormal, normalZiggurat } from "./normal_ziggurat.ts";
import { borrowWordBlock, fillWords, returnWordBlock } from "./word_block.ts";

const { step, inside } = normalZiggurat;

/**
 * Fills `out` with normal doubles of mean 0 and standard deviation `scale`: a magnitude from a ziggurat
 * of 256 layers (Marsaglia, Tsang 2000) with 53 random bits for the place in a layer and an exact
 * tail, and a sign bit of its own (Doornik 2005 on why it must be).
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
 * import { floatNormal } from "./float_normal.ts";
 * floatNormal(new SeededSource(1), new Float64Array(1000), { scale: 2 });
 * ```
 */
export function floatNormal(
  source: Source,
  out: Float64Array,
  { scale = 1 }: { scale?: number } = {},
): Float64Array {
  requirePositive("draw normal noise", "scale", scale);
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
          : finishNormal(source, layer, position));
    }
  }
  returnWordBlock(words);
  return out;
}
