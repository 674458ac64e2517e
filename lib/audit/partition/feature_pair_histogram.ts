import { CHUNK, type CountLeaves, ONES } from "./count_leaves.ts";
import { pairThresholds } from "../encoding/thresholds.ts";
import { binIndex, fillBins } from "../encoding/bin_index.ts";
import { type Feature, fillFeature } from "../encoding/features.ts";
import { evidenceGain } from "./pruning_mixture.ts";
import type { Partition } from "./grow_tree.ts";
import {
  type CountedPartition,
  intervalPartition,
  type KnownFeature,
  leavesInOrder,
} from "./feature_histogram.ts";

// What two features tell together can be far more than what either of them tells: after nine answers
// below the threshold a low tenth one is worth more than after none. A cross profile counts the bins of two
// features at a time, each cut into a few tens of intervals with fine tails.

/** Features that say where something is or how many there are, and those that say how much. */
const PLACES: readonly Feature["kind"][] = [
  "present",
  "argmax",
  "argmin",
  "firstEqual",
  "countEqual",
  "countAbove",
];

/** Places and amounts that are crossed. */
const MOST_PLACES = 3;
const MOST_AMOUNTS = 4;

/**
 * The cross profiles, at most `most`, of those pairs of features that tell most about the label
 * together: a place and an amount, or two amounts. In outputs of several lengths the length and the sum are
 * always among them, for what follows on many answers is where mechanisms that stop early leak.
 *
 * @param ranking the features, those that tell most first
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
  const sides = new Map<Feature, Side>();
  for (const feature of ranking) {
    const { values } = known.find((own) => own.feature === feature)!;
    const isPlace = PLACES.includes(feature.kind);
    const others = [...sides.keys()].filter(({ kind }) => PLACES.includes(kind) === isPlace);
    if (others.length >= (isPlace ? MOST_PLACES : MOST_AMOUNTS) && !ALWAYS.includes(feature.kind)) {
      continue;
    }
    const side = sideOf(feature, values);
    if (new Set(side.bins).size > 1) sides.set(feature, side);
  }
  const crosses: { cross: Cross; gain: number }[] = [];
  const chosen = [...sides.values()];
  chosen.forEach((b, k) => {
    for (const a of chosen.slice(0, k)) {
      if ([a, b].every(({ feature }) => PLACES.includes(feature.kind))) continue;
      // The coarser one outside: its bins are the last to be merged.
      const [outer, inner] = a.thresholds.length <= b.thresholds.length ? [a, b] : [b, a];
      const cross = new Cross(outer, inner, width);
      cross.countKnown(labels);
      const gain = evidenceGain(cross.partition, cross.counts);
      crosses.push({ cross, gain: isOfLengthAndSum(cross) ? Infinity : gain });
    }
  });
  return crosses.sort((a, b) => b.gain - a.gain).slice(0, most).map(({ cross }) => cross);
}

/** The pair of features that is always crossed, where outputs differ in length. */
const ALWAYS: readonly Feature["kind"][] = ["present", "sum"];

/** Whether it is the cross profile that there always is, where outputs differ in length. */
export function isOfLengthAndSum({ partition: { features } }: CountedPartition): boolean {
  return features.length === 2 && ALWAYS.every((kind) => features.some((own) => own.kind === kind));
}

/** A feature, its thresholds and the bins of its known values. */
interface Side {
  readonly feature: Feature;
  readonly thresholds: Float64Array;
  readonly bins: Uint8Array;
}

function sideOf(feature: Feature, values: Float64Array): Side {
  const thresholds = pairThresholds(values);
  const bins = new Uint8Array(values.length);
  fillBins(binIndex(thresholds), values, values.length, bins);
  return { feature, thresholds, bins };
}

class Cross implements CountedPartition {
  readonly partition: Partition;
  readonly counts: Float64Array;
  readonly countLeaves: CountLeaves;
  readonly #outer: Side;
  readonly #inner: Side;
  /** The leaf of bin a outside and bin b inside, at `[a * #step + b]`. */
  readonly #leaves: Int32Array;
  readonly #step: number;

  constructor(outer: Side, inner: Side, width: number) {
    this.#outer = outer;
    this.#inner = inner;
    const { partition, leaves } = crossPartition(outer, inner);
    this.partition = partition;
    this.#leaves = leaves;
    // One bin more than thresholds, and one for NaN.
    this.#step = inner.thresholds.length + 2;
    this.counts = new Float64Array(2 * partition.left.length);
    this.countLeaves = this.#compile(width);
  }

  /** Counts the rows whose bins are known. */
  countKnown(labels: Uint8Array): void {
    const a = this.#outer.bins, b = this.#inner.bins, leaves = this.#leaves;
    for (let i = 0; i < labels.length; i++) {
      this.counts[2 * leaves[a[i]! * this.#step + b[i]!]! + labels[i]!]!++;
    }
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
        const times = weights?.subarray(from, to) ?? ONES;
        for (let i = 0; i < n; i++) {
          counts[2 * leaves[a[i]! * step + b[i]!]! + label]! += times[i]!;
        }
      }
    };
  }
}

/** The partition by one feature, each of its bins divided by another. */
function crossPartition(outer: Side, inner: Side): { partition: Partition; leaves: Int32Array } {
  const outside = intervalPartition(outer.feature, outer.thresholds);
  const inside = intervalPartition(inner.feature, inner.thresholds);
  const bins = leavesInOrder(outside), within = leavesInOrder(inside);
  const size = outside.left.length + bins.length * (inside.left.length - 1);
  const partition = {
    features: [outer.feature, inner.feature],
    feature: new Int32Array(size).fill(-1),
    threshold: new Float64Array(size),
    left: new Int32Array(size).fill(-1),
    right: new Int32Array(size).fill(-1),
    parent: new Int32Array(size).fill(-1),
    splitPrior: new Float64Array(size).fill(0.5),
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
  for (let node = 0; node < outside.left.length; node++) {
    copy(outside, { from: node, at: node, feature: 0, place: (child) => child });
  }
  // The root of an inner tree is the leaf of the outer one, its other nodes come behind; children after parents.
  const leaves = new Int32Array(bins.length * within.length);
  bins.forEach((bin, a) => {
    const base = outside.left.length + a * (inside.left.length - 1) - 1;
    const place = (node: number): number => (node === 0 ? bin : base + node);
    for (let node = 0; node < inside.left.length; node++) {
      copy(inside, { from: node, at: place(node), feature: 1, place });
    }
    within.forEach((leaf, b) => leaves[a * within.length + b] = place(leaf));
  });
  return { partition, leaves };
}
