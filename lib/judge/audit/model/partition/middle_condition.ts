import type { Above } from "../encoding/features.ts";
import type { FeatureValues } from "../encoding/feature_values.ts";

/** Shares of the values below the two ends of the interval from which a short threshold is taken. */
const MIDDLE = [7 / 16, 9 / 16] as const;

/** A condition must hold for at least this share of the values, and fail for at least as many. */
const LEAST_SHARE = 1 / 64;

/**
 * Returns the condition that a column lies above its middle, with a threshold of few digits; where a value repeats so often that it is the
 * middle, it lies on the side that makes both sides more even. `undefined` where nearly all values are the same.
 */
export function conditionOf(
  { values, present, sorted }: FeatureValues,
  index: number,
): Above | undefined {
  const n = sorted.length;
  if (n === 0) return undefined;
  const [low, high] = MIDDLE.map((share) => sorted[Math.floor(share * n)]!) as [number, number];
  let threshold = shortestBetween(low, high);
  if (low === high) {
    const first = sorted.indexOf(low), last = sorted.lastIndexOf(low);
    threshold = n - 1 - last >= first ? low : shortestBetween(sorted[first - 1]!, low);
  }
  let above = 0;
  for (let i = 0; i < n; i++) above += Number(sorted[i]! > threshold);
  // Missing values are not above it.
  const share = (above / n) * (present / values.length);
  return Math.min(share, 1 - share) < LEAST_SHARE ? undefined : { index, threshold };
}

/** Returns the number of fewest digits that is at least `low` and below `high`; `low` itself if both are equal. */
function shortestBetween(low: number, high: number): number {
  if (low <= 0 && high > 0) return 0;
  const middle = low / 2 + high / 2;
  for (let digits = 1; digits <= 17; digits++) {
    const short = Number(middle.toPrecision(digits));
    if (short >= low && short < high) return short;
  }
  return low;
}
