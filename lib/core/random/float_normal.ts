import type { Source } from "../mechanism/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { finishNormal, normalZiggurat } from "./normal_ziggurat.ts";
import { onDemand } from "./ziggurat.ts";
import { fillFromZiggurat, zigguratSampler } from "./ziggurat_block.ts";

const sampler = onDemand(() =>
  zigguratSampler(normalZiggurat(), {
    finish: finishNormal,
    twoSided: true,
  })
);

/**
 * Fills `out` with normal doubles of mean 0 and standard deviation `scale`: a magnitude from a ziggurat
 * of 512 layers (Marsaglia, Tsang 2000) with 53 random bits for the place in a layer and an exact
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
  if (source.fillNoise !== undefined) source.fillNoise(out, { law: "normal", scale });
  else fillFromZiggurat(source, out, { sampler: sampler(), scale });
  return out;
}
