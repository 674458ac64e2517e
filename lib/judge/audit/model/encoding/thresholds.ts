import { firstAtLeast } from "../../../../core/numeric/sorted_search.ts";
import { type FeatureValues, MOST_FEW, TAIL_PLACE } from "./feature_values.ts";
import { repeatedValues } from "./repeated_values.ts";

/** Up to this many distinct values are all thresholds: for trees and histograms, and for coarse histograms. */
const FEW_VALUES = MOST_FEW, COARSE_FEW_VALUES = 24;

/** The most categories with a threshold, and the fewest outputs of each. */
const MAX_CATEGORIES = 120, FEWEST_OF_CATEGORY = 3;

/**
 * Bins between the tails: for trees, for histograms (any event is nearly a union of them), for coarse histograms.
 */
const TREE_BINS = 48, HISTOGRAM_BINS = 160, COARSE_BINS = 12;

/**
 * The number of values beyond a threshold of a tail, as a multiple of that beyond the next one. The ratios are choices that were
 * not measured: a smaller one meets the edge of a rare event more closely, and has more thresholds to look at.
 */
const TREE_TAIL_RATIO = 1.7, HISTOGRAM_TAIL_RATIO = 1.3, COARSE_TAIL_RATIO = 2;

/**
 * The tails of trees in the sorted sample: one value in this many lies beyond the first threshold; and the ratio to the
 * next.
 */
const TREE_FIRST_TAIL = 75, TREE_FIRST_TAIL_RATIO = 1.6;

/** The fewest values beyond a threshold of a histogram. */
const FEWEST_BEYOND = 16;

/** A value that occurs more than this many times in the sample has a bin of its own. */
const REPEATS = 8;

/**
 * Returns thresholds for the splits of a tree: quantiles of the training values, finer in both tails, where rare events are,
 * and both sides of every value that repeats often.
 */
export function treeThresholds(values: FeatureValues, minLeaf: number): Float64Array {
  const few = values.few(FEW_VALUES);
  if (few !== undefined) return few;
  const { sorted } = values;
  const n = sorted.length;
  if (n === 0) return new Float64Array(0);
  const thresholds = new Set<number>();
  const add = (place: number): void => {
    const value = sorted[Math.min(n - 1, Math.max(0, Math.floor(place)))]!;
    thresholds.add(value);
    const start = firstAtLeast(sorted, value);
    // A value that repeats has a bin of its own.
    if (start > 0 && start + REPEATS < n && sorted[start + REPEATS] === value) {
      thresholds.add(sorted[start - 1]!);
    }
  };
  for (let k = 1; k < TREE_BINS; k++) add((k * n) / TREE_BINS);
  for (let tail = n / TREE_FIRST_TAIL; tail >= TAIL_PLACE; tail /= TREE_FIRST_TAIL_RATIO) {
    add(tail);
    add(n - 1 - tail);
  }
  const own = Float64Array.from(thresholds);
  const tails = ([1, -1] as const)
    .flatMap((sign) => tailThresholds(values, { fewest: minLeaf, ratio: TREE_TAIL_RATIO, sign }));
  return Float64Array.from(new Set([...own, ...tails])).sort();
}

/**
 * Returns thresholds for a histogram: many quantiles, and tails down to a few values. Where all values are NaN there are none.
 */
export function histogramThresholds(values: FeatureValues): Float64Array {
  const few = values.few(FEW_VALUES);
  return few ??
    quantileThresholds(values, {
      bins: HISTOGRAM_BINS,
      ratio: HISTOGRAM_TAIL_RATIO,
      repeats: true,
    });
}

/** Returns thresholds of a coarse histogram: some quantiles, and tails that halve down to a few values. */
export function coarseThresholds(values: FeatureValues): Float64Array {
  const few = values.few(COARSE_FEW_VALUES);
  return few ??
    quantileThresholds(values, { bins: COARSE_BINS, ratio: COARSE_TAIL_RATIO, repeats: false });
}

/**
 * Quantiles of a sample for `bins` bins of equal mass, and tails beyond which there are fewer and
 * fewer values, by `ratio`, on each side; with `repeats` also both sides of a value that repeats.
 */
function quantileThresholds(
  values: FeatureValues,
  { bins, ratio, repeats }: { bins: number; ratio: number; repeats: boolean },
): Float64Array {
  const { sorted } = values;
  const n = sorted.length;
  if (n === 0) return new Float64Array(0);
  const thresholds = new Set<number>();
  for (let k = 1; k < bins; k++) thresholds.add(sorted[Math.floor((k * n) / bins)]!);
  for (let tail = n / bins / ratio; tail >= TAIL_PLACE; tail /= ratio) {
    thresholds.add(sorted[Math.floor(tail)]!);
    thresholds.add(sorted[n - 1 - Math.floor(tail)]!);
  }
  for (const sign of [1, -1] as const) {
    for (const threshold of tailThresholds(values, { fewest: FEWEST_BEYOND, ratio, sign })) {
      thresholds.add(threshold);
    }
  }
  for (const threshold of repeats ? [...thresholds] : []) {
    const start = firstAtLeast(sorted, threshold);
    if (start > 0 && sorted[start + REPEATS] === threshold) thresholds.add(sorted[start - 1]!);
  }
  return Float64Array.from(thresholds).sort();
}

/**
 * Thresholds among the most extreme values at one end, for which a sample is too coarse: `fewest` values lie beyond the
 * last one, `ratio` times as many beyond each one before it.
 */
function tailThresholds(
  values: FeatureValues,
  { fewest, ratio, sign }: { fewest: number; ratio: number; sign: 1 | -1 },
): number[] {
  const ascending = values.tail(sign);
  const thresholds: number[] = [];
  for (let beyond = fewest; beyond < ascending.length; beyond *= ratio) {
    const at = ascending.length - Math.floor(beyond);
    // Values beyond the threshold t are x > t at the upper end, x <= t at the lower one.
    thresholds.push(sign * ascending[sign === 1 ? at - 1 : at]!);
  }
  return thresholds.filter((threshold) => !Number.isNaN(threshold));
}

/** Returns the values of a categorical feature that repeat, the most frequent ones, in order. */
export function categoryThresholds(values: Float64Array): Float64Array {
  const { values: distinct, counts } = repeatedValues(values, FEWEST_OF_CATEGORY);
  return Float64Array.from(
    [...distinct.keys()].filter((k) => counts[k]! >= FEWEST_OF_CATEGORY)
      .sort((a, b) => counts[b]! - counts[a]!)
      .slice(0, MAX_CATEGORIES)
      .map((k) => distinct[k]!),
  ).sort();
}
