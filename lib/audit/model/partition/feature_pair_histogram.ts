import { binIndex, fillBins } from "../encoding/bin_index.ts";
import { type Feature, fillFeature } from "../encoding/features.ts";
import type { FeatureValues } from "../encoding/feature_values.ts";
import { pairThresholds } from "../encoding/thresholds.ts";
import { CHUNK, type CountLeaves, ONES } from "./count_leaves.ts";
import {
  type CountedPartition,
  INTERVAL_SPLIT_PRIOR,
  intervalPartition,
  type KnownFeature,
  leavesInOrder,
} from "./feature_histogram.ts";
import type { Partition } from "./grow_tree.ts";
import { evidenceGain } from "./pruning_mixture.ts";

// Two features together can have far more information than either of them: after nine answers below the threshold a low
// tenth answer means more than after none. A feature-pair histogram counts the bins of two features, each divided into
// a few tens of intervals with fine tails.

/** Features that are positions or counts of numbers; all others are amounts. */
const POSITIONS: readonly Feature["kind"][] = [
  "present",
  "repeats",
  "argmax",
  "argmin",
  "firstEqual",
  "countEqual",
  "countAbove",
];

/** The most positions and the most amounts that are paired: every pair takes a pass over the rows. */
const MOST_POSITIONS = 3, MOST_AMOUNTS = 4;

/** The pair that is always among them where outputs differ in length: mechanisms that stop early leak there. */
const LENGTH_AND_SUM: readonly Feature["kind"][] = ["present", "sum"];

/**
 * The histograms, at most `most`, of the pairs of features with the largest evidence gain: a position and an amount, or
 * two amounts. Where outputs differ in length, the pair of length and sum comes first.
 *
 * @param ranking the features, those of the largest evidence gain first
 */
export function featurePairHistograms(
  known: readonly KnownFeature[],
  { ranking, labels, width, most }: {
    ranking: readonly Feature[];
    labels: Uint8Array;
    width: number;
    most: number;
  },
): CountedPartition[] {
  const axes = new Map<Feature, Axis>();
  for (const feature of ranking) {
    const { values } = known.find((own) => own.feature === feature)!;
    const isPosition = POSITIONS.includes(feature.kind);
    const others = [...axes.keys()].filter(({ kind }) => POSITIONS.includes(kind) === isPosition);
    if (
      others.length >= (isPosition ? MOST_POSITIONS : MOST_AMOUNTS) &&
      !LENGTH_AND_SUM.includes(feature.kind)
    ) {
      continue;
    }
    const axis = axisOf(feature, values);
    if (axis.bins.some((bin) => bin !== axis.bins[0])) axes.set(feature, axis);
  }
  const pairs: { histogram: FeaturePairHistogram; gain: number }[] = [];
  const chosen = [...axes.values()];
  chosen.forEach((b, k) => {
    for (const a of chosen.slice(0, k)) {
      if ([a, b].every(({ feature }) => POSITIONS.includes(feature.kind))) continue;
      // The coarser one is the upper part of the tree: prunings merge its bins last.
      const [outer, inner] = a.thresholds.length <= b.thresholds.length ? [a, b] : [b, a];
      const histogram = new FeaturePairHistogram(outer, inner, width);
      histogram.countKnown(labels);
      const gain = evidenceGain(histogram.partition, histogram.counts);
      pairs.push({ histogram, gain: isOfLengthAndSum(histogram) ? Infinity : gain });
    }
  });
  return pairs.sort((a, b) => b.gain - a.gain).slice(0, most).map(({ histogram }) => histogram);
}

/** Whether it is the histogram of the length and the sum. */
export function isOfLengthAndSum({ partition: { features } }: CountedPartition): boolean {
  return features.length === 2 &&
    LENGTH_AND_SUM.every((kind) => features.some((own) => own.kind === kind));
}

/** A feature, its thresholds and the bins of its known values. */
interface Axis {
  readonly feature: Feature;
  readonly thresholds: Float64Array;
  readonly bins: Uint8Array;
}

function axisOf(feature: Feature, known: FeatureValues): Axis {
  const { values } = known, thresholds = pairThresholds(known);
  const bins = new Uint8Array(values.length);
  fillBins(binIndex(thresholds), values, values.length, bins);
  return { feature, thresholds, bins };
}

/** Counts rows by the bins of both features. */
class FeaturePairHistogram implements CountedPartition {
  readonly partition: Partition;
  readonly counts: Float64Array;
  readonly #width: number;
  #compiled: CountLeaves | undefined;
  readonly #outer: Axis;
  readonly #inner: Axis;
  /** The leaf of bin a of the outer and bin b of the inner feature, at `[a * #step + b]`. */
  readonly #leaves: Int32Array;
  readonly #step: number;

  constructor(outer: Axis, inner: Axis, width: number) {
    this.#outer = outer;
    this.#inner = inner;
    const { partition, leaves } = pairPartition(outer, inner);
    this.partition = partition;
    this.#leaves = leaves;
    // One bin more than thresholds, and one for NaN.
    this.#step = inner.thresholds.length + 2;
    this.counts = new Float64Array(2 * partition.left.length);
    this.#width = width;
  }

  /** Compiled when it is first asked for: most pairs are only compared. */
  get countLeaves(): CountLeaves {
    return this.#compiled ??= this.#compile(this.#width);
  }

  /** Counts the rows whose bins are known. */
  countKnown(labels: Uint8Array): void {
    const cells = new Int32Array(2 * this.#leaves.length);
    countCells(this.#outer.bins, this.#inner.bins, labels, this.#step, cells);
    this.#leaves.forEach((leaf, cell) => {
      this.counts[2 * leaf]! += cells[2 * cell]!;
      this.counts[2 * leaf + 1]! += cells[2 * cell + 1]!;
    });
  }

  #compile(width: number): CountLeaves {
    const outer = binIndex(this.#outer.thresholds), inner = binIndex(this.#inner.thresholds);
    const leaves = this.#leaves, step = this.#step;
    const features = [this.#outer.feature, this.#inner.feature] as const;
    const values = new Float64Array(CHUNK);
    const a = new Int32Array(CHUNK), b = new Int32Array(CHUNK);
    return (rows, label, counts, weights) => {
      const total = rows.length / width;
      for (let from = 0; from < total; from += CHUNK) {
        const to = Math.min(total, from + CHUNK), n = to - from;
        fillFeature(features[0], { rows, width, from, to, out: values });
        fillBins(outer, values, n, a);
        fillFeature(features[1], { rows, width, from, to, out: values });
        fillBins(inner, values, n, b);
        const repeats = weights?.subarray(from, to) ?? ONES;
        for (let i = 0; i < n; i++) {
          counts[2 * leaves[a[i]! * step + b[i]!]! + label]! += repeats[i]!;
        }
      }
    };
  }
}

/** Counts rows by their bins and labels: the hot loop. */
function countCells(
  outer: Uint8Array,
  inner: Uint8Array,
  labels: Uint8Array,
  step: number,
  cells: Int32Array,
): void {
  for (let i = 0; i < labels.length; i++) {
    cells[2 * (outer[i]! * step + inner[i]!) + labels[i]!]!++;
  }
}

/** The partition by the outer feature, each of its bins divided by the inner one. */
function pairPartition(outer: Axis, inner: Axis): { partition: Partition; leaves: Int32Array } {
  const outerTree = intervalPartition(outer.feature, outer.thresholds);
  const innerTree = intervalPartition(inner.feature, inner.thresholds);
  const bins = leavesInOrder(outerTree), within = leavesInOrder(innerTree);
  const size = outerTree.left.length + bins.length * (innerTree.left.length - 1);
  const partition = {
    features: [outer.feature, inner.feature],
    feature: new Int32Array(size).fill(-1),
    threshold: new Float64Array(size),
    left: new Int32Array(size).fill(-1),
    right: new Int32Array(size).fill(-1),
    parent: new Int32Array(size).fill(-1),
    splitPrior: new Float64Array(size).fill(INTERVAL_SPLIT_PRIOR),
  };
  /** Writes node `from` of a tree to the place `at`, its children to `place(child)`. */
  const copy = (
    tree: Partition,
    { from, at, feature, place }: {
      from: number;
      at: number;
      feature: number;
      place: (node: number) => number;
    },
  ): void => {
    if (tree.left[from]! < 0) return;
    partition.feature[at] = feature;
    partition.threshold[at] = tree.threshold[from]!;
    for (const side of ["left", "right"] as const) {
      const child = place(tree[side][from]!);
      partition[side][at] = child;
      partition.parent[child] = at;
    }
  };
  for (let node = 0; node < outerTree.left.length; node++) {
    copy(outerTree, { from: node, at: node, feature: 0, place: (child) => child });
  }
  // The root of an inner tree is a leaf of the outer one; its other nodes follow, children after parents.
  const leaves = new Int32Array(bins.length * within.length);
  bins.forEach((bin, a) => {
    const base = outerTree.left.length + a * (innerTree.left.length - 1) - 1;
    const place = (node: number): number => (node === 0 ? bin : base + node);
    for (let node = 0; node < innerTree.left.length; node++) {
      copy(innerTree, { from: node, at: place(node), feature: 1, place });
    }
    within.forEach((leaf, b) => leaves[a * within.length + b] = place(leaf));
  });
  return { partition, leaves };
}
