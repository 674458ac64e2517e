import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { requireFields, requirePositive } from "../../core/numeric/require.ts";
import { floatLaplace } from "../../core/random/float_laplace.ts";
import { floatNoise } from "./float_noise.ts";

/**
 * The Laplace mechanism as textbooks write it, in floating point: value + Laplace noise of scale
 * sensitivity/ε (Dwork et al. 2006). In real numbers ε-DP; in doubles not private at all, for which
 * doubles can come out depends on the value (Mironov 2012). Here for comparisons and to be refuted:
 * use {@linkcode laplace} to release.
 *
 * @throws {RangeError} when a parameter is out of range, or at release the value is not finite.
 *
 * @example
 * ```ts
 * import { floatLaplaceMechanism } from "./float_laplace_mechanism.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const leaky = floatLaplaceMechanism<number>({
 *   query: (rows) => rows[0]!,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function floatLaplaceMechanism<Row>(
  options: {
    readonly query: (data: Dataset<Row>) => number;
    readonly epsilon: number;
    readonly sensitivity: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): Mechanism<Row, number> {
  const { query, epsilon, sensitivity, relation, domain } = requireFields(
    "floatLaplaceMechanism",
    options,
    { query: "function", relation: "relation", domain: "record?" },
  );
  requireKnown("call floatLaplaceMechanism()", options, [
    "query",
    "epsilon",
    "sensitivity",
    "relation",
    "domain",
    "granularity",
  ]);
  const claim = pure({ epsilon, relation });
  requirePositive("make the float Laplace mechanism", "sensitivity", sensitivity);
  const scale = sensitivity / epsilon;
  return floatNoise({
    name: "float laplace",
    claim,
    query,
    domain,
    fill: (source, out) => floatLaplace(source, out, { scale }),
    logDensity: (noise) => -Math.abs(noise) / scale - Math.log(2 * scale),
  });
}
