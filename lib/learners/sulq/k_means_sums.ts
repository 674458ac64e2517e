import { MOST_STEPS } from "./sulq_noise.ts";

/** Points as whole steps away from the middle of their box: n rows of d integers. */
export interface StepPoints {
  /** d. */
  readonly columnCount: number;
  /** n·d integers as doubles, row-major. */
  readonly steps: Float64Array;
}

/**
 * Sums for one round of k-means: for every centre the number of points nearest to it (ties go to
 * the first) and the sum of their coordinates, k records of d + 1 numbers [count, sums…]. All are
 * sums of integers, exact in any order; one that would pass ±2⁵² stays there, row by row, which lets a row
 * change it by no more than before. `centres` are in steps, k·d numbers.
 */
export function nearestSums(
  { columnCount, steps }: StepPoints,
  { centres, out }: { readonly centres: Float64Array; readonly out: Float64Array },
): Float64Array {
  out.fill(0);
  const clusters = centres.length / columnCount, width = columnCount + 1;
  for (let from = 0; from < steps.length; from += columnCount) {
    const nearest = nearestOf(steps, { from, centres, clusters, columnCount });
    const record = nearest * width;
    out[record]! += 1;
    for (let j = 0; j < columnCount; j++) {
      const sum = out[record + 1 + j]! + steps[from + j]!;
      out[record + 1 + j] = sum > MOST_STEPS ? MOST_STEPS : sum < -MOST_STEPS ? -MOST_STEPS : sum;
    }
  }
  return out;
}

/** The index of the centre nearest to the point at `from`. */
function nearestOf(
  steps: Float64Array,
  { from, centres, clusters, columnCount }: {
    readonly from: number;
    readonly centres: Float64Array;
    readonly clusters: number;
    readonly columnCount: number;
  },
): number {
  let nearest = 0, least = Infinity;
  for (let k = 0, at = 0; k < clusters; k++) {
    let distance = 0;
    for (let j = 0; j < columnCount; j++, at++) {
      const difference = steps[from + j]! - centres[at]!;
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = k;
    }
  }
  return nearest;
}
