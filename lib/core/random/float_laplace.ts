import type { Source } from "../mechanism/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { exponentialZiggurat, finishExponential } from "./exponential_ziggurat.ts";
import { onDemand } from "./ziggurat.ts";
import { fillFromZiggurat, zigguratSampler } from "./ziggurat_block.ts";

const sampler = onDemand(() =>
  zigguratSampler(exponentialZiggurat(), {
    finish: finishExponential,
    twoSided: true,
  })
);

/**
 * Fills `out` with Laplace doubles of mean 0 and density e^(−|x|/scale)/(2·scale): an exponential
 * from a ziggurat of 512 layers (Marsaglia, Tsang 2000) with 53 random bits for the place in a layer,
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
  if (source.fillNoise !== undefined) source.fillNoise(out, { law: "laplace", scale });
  else fillFromZiggurat(source, out, { sampler: sampler(), scale });
  return out;
}
