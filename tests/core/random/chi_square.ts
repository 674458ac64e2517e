import { normalTail } from "../../../lib/core/numeric/normal_tail.ts";

/**
 * The approximate p-value of counts against expected counts, by Pearson's statistic and the cube-root
 * approximation of Wilson and Hilferty 1931. Neighbouring cells are merged until each expects 20.
 */
export function chiSquarePValue(
  counts: ArrayLike<number>,
  expected: ArrayLike<number>,
): number {
  let statistic = 0, cells = 0, count = 0, mean = 0;
  for (let i = 0; i < counts.length; i++) {
    count += counts[i]!;
    mean += expected[i]!;
    if (mean >= 20 || (i === counts.length - 1 && mean > 0)) {
      statistic += (count - mean) ** 2 / mean;
      cells++;
      count = mean = 0;
    }
  }
  const degrees = Math.max(1, cells - 1);
  const spread = 2 / (9 * degrees);
  return normalTail((Math.cbrt(statistic / degrees) - (1 - spread)) / Math.sqrt(spread));
}
