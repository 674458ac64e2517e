import { largestFirst } from "../../../../core/numeric/ranking.ts";
import { binIndex, fillBins } from "../encoding/bin_index.ts";
import { type Feature, isCategorical } from "../encoding/features.ts";
import type { FeatureValues } from "../encoding/feature_values.ts";
import { KnownValues } from "../encoding/known_values.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { histogramThresholds } from "../encoding/thresholds.ts";
import { compileCountLeaves, type CountLeaves } from "./count_leaves.ts";
import type { Partition } from "./grow_tree.ts";
import { evidenceGain } from "./pruning_mixture.ts";

/**
 * The prior probability of a split between intervals: thresholds are placed without labels, so it need not be small.
 */
const INTERVAL_SPLIT_PRIOR = 0.5;

/** A partition with the draws counted in its leaves. */
export interface CountedPartition {
  readonly partition: Partition;
  readonly countLeaves: CountLeaves;
  /** Draws at `[2 * node + label]`, leaves only. */
  readonly counts: Float64Array;
}

// A feature histogram says how often the values of one feature occur on either side, in bins so fine that any event
// "the feature lies in these intervals" is nearly a union of them. It takes one feature a draw, so it is counted over
// many more draws than a tree of many features is grown on.

/** Returns the histograms of the ordered features of some rows, those of the largest evidence gain first. */
export function featureHistograms(
  { all, features, known }: {
    readonly all: LabelledRows;
    readonly features: readonly Feature[];
    readonly known: KnownValues;
  },
): CountedPartition[] {
  const histograms = features.filter((feature) => !isCategorical(feature))
    .map((feature) => featureHistogramOf(feature, all, known.of(feature)));
  return largestFirst(histograms, ({ partition, counts }) => evidenceGain(partition, counts));
}

/**
 * Returns the histogram of a feature with these values on some rows; the thresholds are quantiles of the values if none are
 * given.
 */
export function featureHistogramOf(
  feature: Feature,
  { labels, width }: LabelledRows,
  given: FeatureValues,
  thresholds: Float64Array = histogramThresholds(given),
): CountedPartition {
  const histogram = emptyHistogram(feature, { thresholds, width });
  const { values } = given, bins = new Int32Array(values.length);
  fillBins(binIndex(thresholds), values, values.length, bins);
  // Leaves from left to right are the bins in order, then a bin for infinity and one for NaN.
  const leaves = leavesInOrder(histogram.partition);
  for (let i = 0; i < bins.length; i++) histogram.counts[2 * leaves[bins[i]!]! + labels[i]!]!++;
  return histogram;
}

/** Returns the histogram of a feature with thresholds at quantiles of its values on some rows, and with counts of 0. */
export function featureHistogramFor(
  feature: Feature,
  { rows, width }: Pick<LabelledRows, "rows" | "width">,
): CountedPartition {
  return emptyHistogram(feature, {
    thresholds: histogramThresholds(new KnownValues({ rows, width }).of(feature)),
    width,
  });
}

function emptyHistogram(
  feature: Feature,
  { thresholds, width }: { thresholds: Float64Array; width: number },
): CountedPartition {
  const partition = intervalPartition(feature, thresholds);
  const counts = new Float64Array(2 * partition.left.length);
  return { partition, countLeaves: compileCountLeaves(partition, width), counts };
}

/** Returns the leaves of a partition of one feature from left to right. */
function leavesInOrder(partition: Partition, node = 0): number[] {
  const left = partition.left[node]!, right = partition.right[node]!;
  if (left < 0) return [node];
  return [...leavesInOrder(partition, left), ...leavesInOrder(partition, right)];
}

/**
 * Returns the partition of one ordered feature into the intervals between some ascending thresholds, as a balanced tree: its
 * prunings are coarser bins. Missing values (NaN) have a leaf of their own, at the right end.
 */
function intervalPartition(feature: Feature, thresholds: Float64Array): Partition {
  const nodes = {
    feature: [] as number[],
    threshold: [] as number[],
    left: [] as number[],
    right: [] as number[],
    parent: [] as number[],
  };
  const add = (from: number, to: number, above: number): number => {
    const node = nodes.feature.length;
    const split = from < to;
    const middle = (from + to) >> 1;
    nodes.feature.push(split ? 0 : -1);
    // NaN <= Infinity is false: NaN goes right.
    nodes.threshold.push(split ? thresholds[middle] ?? Infinity : 0);
    nodes.left.push(-1);
    nodes.right.push(-1);
    nodes.parent.push(above);
    if (split) {
      nodes.left[node] = add(from, middle, node);
      nodes.right[node] = add(middle + 1, to, node);
    }
    return node;
  };
  add(0, thresholds.length + 1, -1);
  return {
    features: [feature],
    feature: Int32Array.from(nodes.feature),
    threshold: Float64Array.from(nodes.threshold),
    left: Int32Array.from(nodes.left),
    right: Int32Array.from(nodes.right),
    parent: Int32Array.from(nodes.parent),
    splitPrior: new Float64Array(nodes.feature.length).fill(INTERVAL_SPLIT_PRIOR),
  };
}
