import { MOST_STEPS } from "../../dp/mechanisms/unit_steps.ts";

/** Points as whole steps away from the middle of their box: n rows of d integers. */
export interface StepPoints {
  /** d. */
  readonly columnCount: number;
  /** n·d integers as doubles, row-major. */
  readonly steps: Float64Array;
}

/**
 * The number of points in every place and the sums of their coordinates: records of d + 1 numbers [count, sums…]. All are sums of
 * integers, exact in any order; one that would pass ±2⁵² stays there, row by row, which lets a row change it by no more
 * than before.
 *
 * @param placeOf from the index of a row's first coordinate to its one place, or to −1, which counts nowhere.
 */
export function placeSums(
  { columnCount, steps }: StepPoints,
  { placeOf, out }: { readonly placeOf: (from: number) => number; readonly out: Float64Array },
): Float64Array {
  out.fill(0);
  const width = columnCount + 1;
  for (let from = 0; from < steps.length; from += columnCount) {
    const place = placeOf(from);
    if (place < 0) continue;
    const record = place * width;
    out[record]! += 1;
    for (let j = 0; j < columnCount; j++) {
      const sum = out[record + 1 + j]! + steps[from + j]!;
      out[record + 1 + j] = sum > MOST_STEPS ? MOST_STEPS : sum < -MOST_STEPS ? -MOST_STEPS : sum;
    }
  }
  return out;
}

/** The place of each point for a round of Lloyd's algorithm: the nearest centre, ties to the first. `centres` are in steps, k·d numbers. */
export function nearestCentre(
  { columnCount, steps }: StepPoints,
  centres: Float64Array,
): (from: number) => number {
  const clusters = centres.length / columnCount;
  return (from) => {
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
  };
}
