import { requireKnown } from "../../core/text/known_options.ts";
import { evaluatedOnce } from "./evaluated_once.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { logGamma } from "../../core/numeric/log_gamma.ts";
import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";
import { floatGamma } from "../../core/random/float_gamma.ts";
import { floatNormal } from "../../core/random/float_normal.ts";

/**
 * The vector mechanism with density ∝ exp(−β·‖b‖), β = ε/sensitivity, for Euclidean sensitivity
 * (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1; Dwork et al. 2006): the norm is Gamma with shape
 * `dimension` and scale 1/β, the direction uniform. ε-DP in real numbers.
 *
 * Its noise is floating point, and the low bits of its outputs can betray the value they were added
 * to (Mironov 2012). {@linkcode vectorLaplace} and {@linkcode vectorGaussian} release on a grid.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a value is not finite.
 *
 * @example
 * ```ts
 * import { floatSphericalLaplace } from "./float_spherical_laplace.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const mechanism = floatSphericalLaplace<readonly number[]>({
 *   query: (rows) => rows[0]!,
 *   dimension: 3,
 *   epsilon: 1,
 *   sensitivity: 2,
 *   relation: replaceOne,
 * });
 * ```
 */
export function floatSphericalLaplace<Row>(
  options: {
    readonly query: (data: Dataset<Row>) => readonly number[];
    readonly dimension: number;
    readonly epsilon: number;
    /** The most the query changes between neighbours, in Euclidean norm. */
    readonly sensitivity: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): Mechanism<Row, number[]> {
  const { query, dimension, epsilon, sensitivity, relation, domain } = requireFields(
    "floatSphericalLaplace",
    options,
    { query: "function", relation: "relation", domain: "record?" },
  );
  requireKnown("call floatSphericalLaplace()", options, [
    "query",
    "dimension",
    "epsilon",
    "sensitivity",
    "relation",
    "domain",
  ]);
  const action = "make the spherical Laplace mechanism";
  const claim = pure({ epsilon, relation });
  requireInteger(action, "dimension", dimension, { min: 1 });
  requirePositive(action, "sensitivity", sensitivity);
  const scale = sensitivity / epsilon;
  const center = evaluatedOnce((data: Dataset<Row>): readonly number[] => {
    const values = query(data);
    if (values.length !== dimension || !values.every(Number.isFinite)) {
      throw new RangeError(
        `Cannot release a vector: it must be ${dimension} finite numbers: current number is ${values.length}`,
      );
    }
    return values;
  });
  const sampleMany = (data: Dataset<Row>, count: number, source: Source): Float64Array => {
    const at = center(data);
    const norms = floatGamma(source, new Float64Array(count), { shape: dimension, scale });
    const out = floatNormal(source, new Float64Array(count * dimension));
    for (let i = 0; i < count; i++) {
      let squared = 0;
      for (let j = i * dimension; j < (i + 1) * dimension; j++) squared += out[j]! * out[j]!;
      const factor = norms[i]! / Math.sqrt(squared);
      for (let j = 0; j < dimension; j++) {
        out[i * dimension + j] = at[j]! + out[i * dimension + j]! * factor;
      }
    }
    return out;
  };
  // The density's constant: Γ(d/2)/(2·π^(d/2)·Γ(d)·scale^d).
  const logConstant = logGamma(dimension / 2) - Math.LN2 - dimension / 2 * Math.log(Math.PI) -
    logGamma(dimension) - dimension * Math.log(scale);
  return {
    name: "spherical laplace (floating point)",
    claim,
    ...(domain === undefined ? {} : { domain }),
    width: dimension,
    check: (data) => void center(data),
    sample: (data, source) => Array.from(sampleMany(data, 1, source)),
    sampleMany,
    logDensity: (output, data) =>
      logConstant - Math.hypot(...center(data).map((value, i) => output[i]! - value)) / scale,
  };
}
