import type { Above } from "../encoding/features.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";

/** Values that are sorted for the middle of a column, about. */
const SORTED_VALUES = 4096;

/** Shares of the values below the two ends of the interval from which a short threshold is taken. */
const MIDDLE = [7 / 16, 9 / 16] as const;

/** A condition holds of at least this share of the values, and of so many at most fails. */
const LEAST_SHARE = 1 / 64;

/**
 * The condition that a column lies above its middle, with a threshold of few digits; where a value repeats so often that it is the
 * middle, it lies on the side that makes both sides more even. `undefined` where nearly all values are the same.
 */
export function conditionOf(
  { rows, labels, width }: LabelledRows,
  index: number,
): Above | undefined {
  const step = Math.max(1, Math.floor(labels.length / SORTED_VALUES));
  const sample: number[] = [];
  for (let i = 0; i < labels.length; i += step) {
    const value = rows[i * width + index]!;
    if (!Number.isNaN(value)) sample.push(value);
  }
  const sorted = Float64Array.from(sample).sort(), n = sorted.length;
  if (n === 0) return undefined;
  const [low, high] = MIDDLE.map((share) => sorted[Math.floor(share * n)]!) as [number, number];
  let threshold = shortestBetween(low, high);
  if (low === high) {
    const first = sorted.indexOf(low), last = sorted.lastIndexOf(low);
    threshold = n - 1 - last >= first ? low : shortestBetween(sorted[first - 1]!, low);
  }
  const above = sorted.reduce((count, value) => count + Number(value > threshold), 0);
  const rare = Math.min(above, labels.length / step - above);
  return rare < LEAST_SHARE * labels.length / step ? undefined : { index, threshold };
}

/** The number of fewest digits that is at least `low` and below `high`; `low` itself if both are equal. */
function shortestBetween(low: number, high: number): number {
  if (low <= 0 && high > 0) return 0;
  const middle = low / 2 + high / 2;
  for (let digits = 1; digits <= 17; digits++) {
    const short = Number(middle.toPrecision(digits));
    if (short >= low && short < high) return short;
  }
  return low;
}
