import type { Source } from "../mechanism/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { exponentialZiggurat, finishExponential } from "./exponential_ziggurat.ts";
import { onDemand } from "./ziggurat.ts";
import { fillFromZiggurat, zigguratSampler } from "./ziggurat_block.ts";

const sampler = onDemand(() =>
  zigguratSampler(exponentialZiggurat(), {
    finish: finishExponential,
    twoSided: false,
  })
);

/**
 * Fills `out` with exponential doubles of mean `scale`, by a ziggurat of 512 layers with 53 random
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
  if (source.fillNoise !== undefined) source.fillNoise(out, { law: "exponential", scale });
  else fillFromZiggurat(source, out, { sampler: sampler(), scale });
  return out;
}
