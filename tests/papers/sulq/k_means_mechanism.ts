import type { Dataset, Domain } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import {
  kMeansCalibration,
  kMeansClaim,
  type KMeansOptions,
  sampleKMeans,
} from "../../../lib/papers/sulq/k_means.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";

/**
 * Private k-means as a mechanism, for audits: from points to the coordinates of all centres, then
 * the noisy counts.
 *
 * @param options `size` describes the datasets that a search may try.
 * @throws {RangeError} on options out of range.
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
