import type { Source } from "../../../../core/mechanism/source.ts";
import { requirePositive } from "../../../../core/numeric/require.ts";
import { floatGamma } from "../../../../core/random/float_gamma.ts";
import { floatNormal } from "../../../../core/random/float_normal.ts";

/**
 * Fills `out` with one vector of density ∝ e^(−rate·‖b‖) on ℝ^d: a length of law Γ(d, 1/rate) in a
 * uniform direction (Chaudhuri, Monteleoni, Sarwate 2011, equation 3).
 *
 * The doubles are rounded: in the last bits of a vector added to something, the something shows
 * (Mironov 2012). Whoever releases a sum must round it to a grid much coarser than those bits, as
 * `sampleMinimiser` does; that closes the known attacks, but is not a proof.
 *
 * @returns `out`.
 * @throws {RangeError} unless `rate` is positive and finite.
 *
 * @example
 * ```ts
 * import { SeededSource } from "../../../../core/random/seeded_source.ts";
 * import { vectorNoise } from "./vector_noise.ts";
 * vectorNoise(new SeededSource(1), new Float64Array(3), { rate: 2 });
 * ```
 */
export function vectorNoise(
  source: Source,
  out: Float64Array,
  { rate }: { rate: number },
): Float64Array {
  requirePositive("draw vector noise", "rate", rate);
  const length = floatGamma(source, new Float64Array(1), {
    shape: out.length,
    scale: 1 / rate,
  })[0]!;
  // A vector of normals is never zero for practical purposes, but 0/0 would be NaN.
  let square = 0;
  while (square === 0) {
    floatNormal(source, out, { scale: 1 });
    for (let j = 0; j < out.length; j++) square += out[j]! * out[j]!;
  }
  const scale = length / Math.sqrt(square);
  for (let j = 0; j < out.length; j++) out[j]! *= scale;
  return out;
}
