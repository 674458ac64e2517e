import type { Dataset, Domain } from "../../core/dataset.ts";
import type { Mechanism } from "../../core/mechanism.ts";
import { denseRows } from "../erm/rows.ts";
import { kMeansCalibration, kMeansClaim, type KMeansOptions, sampleKMeans } from "./k_means.ts";
import { sulqNoise } from "./sulq_noise.ts";

/**
 * Private k-means as a mechanism, for audits: from points to the coordinates of all centres, then
 * the noisy counts.
 *
 * @param options `size` describes the datasets that a search may try.
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { replaceOne } from "../../core/relation.ts";
 * import { SeededSource } from "../../random/seeded_source.ts";
 * import { kMeansMechanism } from "./k_means_mechanism.ts";
 * const mechanism = kMeansMechanism({
 *   clusters: 2,
 *   rounds: 1,
 *   rho: 0.5,
 *   bounds: { lower: [0], upper: [1] },
 *   relation: replaceOne,
 * });
 * mechanism.sample([[0.2], [0.9]], new SeededSource(1)).length; // 4: two centres, two counts
 * ```
 */
export function kMeansMechanism(
  { size = { min: 1, max: 20 }, ...options }: KMeansOptions & { readonly size?: Domain["size"] },
): Mechanism<readonly number[], number[]> {
  const { bounds: { lower, upper } } = options;
  const columnCount = lower.length;
  const prepared = sulqNoise(kMeansCalibration(options));
  return {
    name: "sulq k-means",
    claim: kMeansClaim(options),
    domain: {
      size,
      rows: {
        type: "vector",
        length: columnCount,
        of: { type: "number", min: Math.min(...lower), max: Math.max(...upper) },
      },
    },
    sample(data: Dataset<readonly number[]>, source): number[] {
      const points = denseRows(data, { columnCount });
      const { centres, counts } = sampleKMeans(source, { ...options, points, prepared });
      return [...centres.flat(), ...counts];
    },
  };
}
