import type { Source } from "../mechanism/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { floatNormal } from "./float_normal.ts";
import { floatUniform } from "./float_uniform.ts";

/** Normal and uniform draws made at a time. */
const BLOCK = 512;

/**
 * Fills `out` with gamma doubles of density x^(shape−1) e^(−x/scale) up to a factor, by the squeeze of
 * Marsaglia and Tsang 2000 ("A simple method for generating gamma variables"); a shape below 1 is
 * drawn as one above it times U^(1/shape). Draws below the least double (shapes under about 0.05 make
 * some) are 0.
 *
 * A fast float sampler for audits and utility, not for private release: the low bits of its doubles
 * betray what they are added to (Mironov 2012, "On significance of the least significant bits for
 * differential privacy").
 *
 * @returns `out`.
 * @throws {RangeError} unless `shape` and `scale` are positive and finite.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { floatGamma } from "./float_gamma.ts";
 * floatGamma(new SeededSource(1), new Float64Array(1000), { shape: 3, scale: 2 });
 * ```
 */
export function floatGamma(
  source: Source,
  out: Float64Array,
  { shape, scale = 1 }: { shape: number; scale?: number },
): Float64Array {
  requirePositive("draw gamma noise", "shape", shape);
  requirePositive("draw gamma noise", "scale", scale);
  const d = (shape < 1 ? shape + 1 : shape) - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  const size = Math.min(BLOCK, out.length);
  const normals = new Float64Array(size), uniforms = new Float64Array(size);
  for (let done = 0; done < out.length;) {
    floatNormal(source, normals);
    floatUniform(source, uniforms);
    // Draws beyond the end of `out` are not written.
    for (let i = 0; i < size; i++) {
      const x = normals[i]!, uniform = uniforms[i]!;
      const root = 1 + c * x;
      // Refused when v ≤ 0: its logarithm compares false, and the squeeze is below 0 from x = −2.35 on.
      const v = root * root * root;
      const squared = x * x;
      if (
        uniform < 1 - 0.0331 * squared * squared ||
        Math.log(uniform) < 0.5 * squared + d * (1 - v + Math.log(v))
      ) {
        out[done++] = scale * d * v;
      }
    }
  }
  if (shape < 1) boost(source, out, { shape, uniforms });
  return out;
}

/** Turns draws of shape + 1 into draws of `shape`: times U^(1/shape). */
function boost(
  source: Source,
  out: Float64Array,
  { shape, uniforms }: { shape: number; uniforms: Float64Array },
): void {
  for (let from = 0; from < out.length; from += uniforms.length) {
    floatUniform(source, uniforms);
    const values = out.subarray(from, from + uniforms.length);
    for (let i = 0; i < values.length; i++) values[i]! *= Math.pow(uniforms[i]!, 1 / shape);
  }
}
