import { requireKnown } from "../../core/text/known_options.ts";
import { approximate, gaussian } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { requireFields, requirePositive } from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { floatNormal } from "../../core/random/float_normal.ts";
import { floatNoise } from "./float_noise.ts";
import { analyticGaussianDeviation } from "./gaussian.ts";

/**
 * The analytic Gaussian mechanism (Balle, Wang 2018) in floating point: value + normal noise. In real
 * numbers (ε, δ)-DP and sensitivity/deviation-GDP (Dong, Roth, Su 2022); in doubles the bits of the output can betray the value (Jin et al. 2022). Here for
 * comparisons and to be refuted: use {@linkcode analyticGaussian} to release.
 *
 * @throws {RangeError} when a parameter is out of range, or at release the value is not finite.
 *
 * @example
 * ```ts
 * import { floatGaussianMechanism } from "./float_gaussian_mechanism.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
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
  options: {
    readonly query: (data: Dataset<Row>) => number;
    readonly epsilon: number;
    readonly delta: number;
    readonly sensitivity: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): Mechanism<Row, number> {
  const { query, epsilon, delta, sensitivity, relation, domain } = requireFields(
    "floatGaussianMechanism",
    options,
    { query: "function", relation: "relation", domain: "record?" },
  );
  requireKnown("call floatGaussianMechanism()", options, [
    "query",
    "epsilon",
    "delta",
    "sensitivity",
    "relation",
    "domain",
    "granularity",
  ]);
  const claim = approximate({ epsilon, delta, relation });
  const multiplier = analyticGaussianDeviation({ epsilon, delta });
  // Two roundings, of the quotient and of the deviation, each by half of EPSILON.
  const mu = roundUp(1 / multiplier, { relativeError: Number.EPSILON });
  requirePositive("make the float Gaussian mechanism", "sensitivity", sensitivity);
  const deviation = sensitivity * multiplier;
  return floatNoise({
    name: "float gaussian",
    claim,
    alsoKeeps: [gaussian({ mu, relation })],
    query,
    domain,
    fill: (source, out) => floatNormal(source, out, { scale: deviation }),
    logDensity: (noise) =>
      -0.5 * (noise / deviation) ** 2 - Math.log(deviation * Math.sqrt(2 * Math.PI)),
  });
}
