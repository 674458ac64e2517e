import { pure } from "../core/claim.ts";
import type { Dataset, Domain } from "../core/dataset.ts";
import type { Mechanism } from "../core/mechanism.ts";
import type { Relation } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { requirePositive } from "../numeric/require.ts";
import { floatLaplace } from "../random/float_laplace.ts";

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
 * import { replaceOne } from "../core/relation.ts";
 * const leaky = floatLaplaceMechanism<number>({
 *   query: (rows) => rows[0]!,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function floatLaplaceMechanism<Row>(
  { query, epsilon, sensitivity, relation, domain }: {
    readonly query: (data: Dataset<Row>) => number;
    readonly epsilon: number;
    readonly sensitivity: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): Mechanism<Row, number> {
  const claim = pure({ epsilon, relation });
  requirePositive("make the float Laplace mechanism", "sensitivity", sensitivity);
  const scale = sensitivity / epsilon;
  const center = (data: Dataset<Row>): number => {
    const value = query(data);
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new RangeError("Cannot release: the value must be a finite number");
    }
    return value;
  };
  const sampleMany = (data: Dataset<Row>, count: number, source: Source): Float64Array => {
    const at = center(data);
    const out = floatLaplace(source, new Float64Array(count), { scale });
    for (let i = 0; i < count; i++) out[i]! += at;
    return out;
  };
  return {
    name: "float laplace",
    claim,
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void center(data),
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
    sampleMany,
    logDensity: (output, data) => -Math.abs(output - center(data)) / scale - Math.log(2 * scale),
  };
}
