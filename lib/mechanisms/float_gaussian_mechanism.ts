import { approximate } from "../core/claim.ts";
import type { Dataset, Domain } from "../core/dataset.ts";
import type { Mechanism } from "../core/mechanism.ts";
import type { Relation } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { floatNormal } from "../random/float_normal.ts";
import { analyticGaussianDeviation } from "./gaussian.ts";

/**
 * The analytic Gaussian mechanism (Balle, Wang 2018) in floating point: value + normal noise. In real
 * numbers (ε, δ)-DP; in doubles the bits of the output can betray the value (Jin et al. 2022). Here for
 * comparisons and to be refuted: use {@linkcode analyticGaussian} to release.
 *
 * @throws {RangeError} when a parameter is out of range, or at release the value is not finite.
 *
 * @example
 * ```ts
 * import { floatGaussianMechanism } from "./float_gaussian_mechanism.ts";
 * import { replaceOne } from "../core/relation.ts";
 * const leaky = floatGaussianMechanism<number>({
 *   query: (rows) => rows[0]!,
 *   epsilon: 1,
 *   delta: 1e-6,
 *   sensitivity: 1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function floatGaussianMechanism<Row>(
  { query, epsilon, delta, sensitivity, relation, domain }: {
    readonly query: (data: Dataset<Row>) => number;
    readonly epsilon: number;
    readonly delta: number;
    readonly sensitivity: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): Mechanism<Row, number> {
  const claim = approximate({ epsilon, delta, relation });
  requirePositive("make the float Gaussian mechanism", "sensitivity", sensitivity);
  const deviation = sensitivity * analyticGaussianDeviation({ epsilon, delta });
  const center = (data: Dataset<Row>): number => {
    const value = query(data);
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new RangeError("Cannot release: the value must be a finite number");
    }
    return value;
  };
  const sampleMany = (data: Dataset<Row>, count: number, source: Source): Float64Array => {
    const at = center(data);
    const out = floatNormal(source, new Float64Array(count));
    for (let i = 0; i < count; i++) out[i] = at + out[i]! * deviation;
    return out;
  };
  return {
    name: "float gaussian",
    claim,
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void center(data),
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
    sampleMany,
    logDensity: (output, data) =>
      -0.5 * ((output - center(data)) / deviation) ** 2 -
      Math.log(deviation * Math.sqrt(2 * Math.PI)),
  };
}
