import { binIndex, fillBins } from "../encoding/bin_index.ts";
import { type Feature, isCategorical } from "../encoding/features.ts";
import { KnownValues } from "../encoding/known_values.ts";
import { categoryThresholds, treeThresholds } from "../encoding/thresholds.ts";
import { type BestSplit, improveSplit } from "./best_split.ts";
import { divideRows } from "./divide_rows.ts";
import { type LeafRows, SplitHistograms } from "./split_histograms.ts";

/**
 * Fewest training outputs in a leaf, and the most leaves, if nothing is said. Both are choices that were not measured: larger
 * trees find smaller events, and take more time to grow and more draws before their leaves have counts.
 */
const MIN_LEAF = 5, MAX_LEAVES = 384;

/**
 * Nats that a split must gain if nothing is said: `MIN_GAIN`, or `PRIOR_ALLOWANCE` less than −ln of its prior if that
 * is more: later draws may add the rest. The allowance is a choice that was not measured: with a larger one more splits are
 * kept that are due to chance, with a smaller one more real splits wait for the next tree.
 */
const MIN_GAIN = 2, PRIOR_ALLOWANCE = 1.5;

/**
 * The prior of a split on a learned score, and, divided by the features and one, that of a split on another feature.
 */
const SCORE_SPLIT_PRIOR = 0.25, SPLIT_PRIOR = 1 / 16;

/**
 * Nats that a split on the distance from the middle must gain more than another one, for it is not what most programs leak by:
 * with 0 or 1 nat a Laplace mean with half its noise on one side needs 320 draws, with 2 nats 352, without distances 448.
 */
const DISTANCE_COST = 1;

/**
 * A binary partition of the outputs. Node 0 is the root; an inner node sends an output to `left`
 * where its feature is at most (or, for categories, equals) the threshold, else, NaN included, to
 * `right`. Leaves have `left` −1. Children always follow their parent.
 */
export interface Partition {
  readonly features: readonly Feature[];
  /** The feature of a node's split, −1 at leaves. */
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly parent: Int32Array;
  /** Prior probability that a node's split is real: about one in the number it was chosen from. */
  readonly splitPrior: Float64Array;
}

/** The partition with one leaf. */
export const trivialPartition: Partition = {
  features: [],
  feature: Int32Array.of(-1),
  threshold: Float64Array.of(0),
  left: Int32Array.of(-1),
  right: Int32Array.of(-1),
  parent: Int32Array.of(-1),
  splitPrior: Float64Array.of(0.5),
};

/** Returns the leaves of a partition. */
export function leavesOf({ left }: Partition): Int32Array {
  const leaves = new Int32Array(left.length);
  let count = 0;
  for (let node = 0; node < left.length; node++) if (left[node]! < 0) leaves[count++] = node;
  return leaves.slice(0, count);
}

/** Returns the conditions on the way from the root to a node. */
export function pathTo(
  partition: Partition,
  node: number,
): { feature: Feature; threshold: number; inside: boolean }[] {
  const path = [];
  for (let at = node; partition.parent[at]! >= 0; at = partition.parent[at]!) {
    const above = partition.parent[at]!;
    path.unshift({
      feature: partition.features[partition.feature[above]!]!,
      threshold: partition.threshold[above]!,
      inside: partition.left[above] === at,
    });
  }
  return path;
}

/** Limits of the growth of a tree. */
export interface GrowOptions {
  readonly maxLeaves?: number;
  /** Fewest training outputs in a leaf. */
  readonly minLeaf?: number;
  /** Fewest nats by which a split must raise the log likelihood of the training labels. */
  readonly minGain?: number;
}

/**
 * Returns the prior probability of a split on each feature. A split that is chosen among many features and thresholds by the draws that
 * are its first counts needs a small one, a parity that was chosen among many a smaller one; a score does not, for its values
 * were learned from other draws.
 */
function splitPriors(features: readonly Feature[]): number[] {
  const others = features.filter(({ kind }) => kind !== "distance").length;
  const chosen = SPLIT_PRIOR / (others + 1);
  return features.map((feature) => {
    if (feature.kind === "score" || feature.kind === "distance") return SCORE_SPLIT_PRIOR;
    if (feature.kind === "column" && feature.among !== undefined) {
      return feature.among === 0 ? SCORE_SPLIT_PRIOR : SPLIT_PRIOR / (feature.among + 1);
    }
    return feature.kind === "parity" ? SPLIT_PRIOR / (feature.among + 1) : chosen;
  });
}

/** The rows of a leaf and their histograms. */
interface CountedRows {
  readonly from: number;
  readonly to: number;
  readonly counted: Int32Array;
}

/** A leaf with its best split. */
interface Leaf extends LeafRows {
  readonly node: number;
  readonly split: BestSplit;
}

/**
 * Grows a tree greedily, the split of the largest gain in log likelihood first. Returns it with the training counts of
 * its leaves at `[2 * node + label]`.
 */
export function growTree(
  { rows, labels, width, features, known = new KnownValues({ rows, width }) }: {
    rows: Float64Array;
    labels: Uint8Array;
    width: number;
    features: readonly Feature[];
    /** The values of the features on the rows. */
    known?: KnownValues;
  },
  options: GrowOptions = {},
): { partition: Partition; counts: Float64Array } {
  const n = labels.length;
  const minLeaf = options.minLeaf ?? MIN_LEAF;
  const maxLeaves = options.maxLeaves ??
    Math.max(2, Math.min(MAX_LEAVES, Math.floor(n / (2 * minLeaf))));
  const priors = splitPriors(features);
  // The mixture over prunings gives little weight to a split that gains less than its prior costs: leave it out.
  const minGain = options.minGain ?? MIN_GAIN;
  const cost = priors.map((prior, f) =>
    (features[f]!.kind === "distance" ? DISTANCE_COST : 0) +
    (options.minGain === undefined ? Math.max(0, -Math.log(prior) - PRIOR_ALLOWANCE - minGain) : 0)
  );

  const thresholds: Float64Array[] = [];
  const bins: Uint8Array[] = [];
  const categorical = features.map(isCategorical);
  features.forEach((feature, f) => {
    const given = known.of(feature), { values } = given;
    const own = categorical[f] ? categoryThresholds(values) : treeThresholds(given, minLeaf);
    thresholds.push(own);
    bins.push(own.length === 0 ? new Uint8Array(0) : binsOf(values, own, categorical[f]!));
  });
  // Features without a threshold split nothing.
  const splitting = [...features.keys()].filter((f) => thresholds[f]!.length > 0);
  const histogramsOf = new SplitHistograms(
    splitting.map((f) => ({ bins: bins[f]!, count: thresholds[f]!.length + 1 })),
    labels,
  );

  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  const scratch = new Int32Array(n);
  const best = (histograms: Int32Array): BestSplit => {
    const found: BestSplit = { gain: 0, feature: -1, threshold: -1 };
    splitting.forEach((f, k) => {
      improveSplit(histograms, {
        offset: histogramsOf.offsets[k]!,
        count: thresholds[f]!.length + 1,
        categorical: categorical[f]!,
        minLeaf,
        feature: f,
        cost: cost[f]!,
        found,
      });
    });
    return found;
  };
  const leafOf = (node: number, { from, to, counted }: CountedRows): Leaf => {
    const split = best(counted);
    // A leaf that is not split needs its histograms no more.
    const histograms = split.gain > minGain ? histogramsOf.keep(counted) : undefined;
    return { node, from, to, split, histograms };
  };

  const nodes = { feature: [-1], threshold: [0], left: [-1], right: [-1], parent: [-1] };
  let leaves = [
    leafOf(0, { from: 0, to: n, counted: histogramsOf.count(order, { from: 0, to: n }) }),
  ];
  while (leaves.length < maxLeaves) {
    const chosen = leaves.reduce((a, b) => (b.split.gain > a.split.gain ? b : a));
    if (!(chosen.split.gain > minGain)) break;
    const { node, from, to, split } = chosen;
    const low = divideRows(order, {
      from,
      to,
      bins: bins[split.feature]!,
      threshold: split.threshold,
      categorical: categorical[split.feature]!,
      scratch,
    });
    const left = nodes.feature.length, right = left + 1;
    nodes.feature.push(-1, -1);
    nodes.threshold.push(0, 0);
    nodes.left.push(-1, -1);
    nodes.right.push(-1, -1);
    nodes.parent.push(node, node);
    nodes.feature[node] = split.feature;
    nodes.threshold[node] = thresholds[split.feature]![split.threshold]!;
    nodes.left[node] = left;
    nodes.right[node] = right;
    const halves = histogramsOf.divide(order, { ...chosen, middle: low });
    leaves = leaves.filter((leaf) => leaf !== chosen);
    leaves.push(leafOf(left, { from, to: low, counted: halves.left }));
    leaves.push(leafOf(right, { from: low, to, counted: halves.right }));
  }
  const counts = new Float64Array(2 * nodes.feature.length);
  for (const { node, from, to } of leaves) {
    const ones = labelled(order, { labels, from, to });
    counts[2 * node] = to - from - ones;
    counts[2 * node + 1] = ones;
  }
  const splitPrior = Float64Array.from(nodes.feature, (f) => (f < 0 ? 0.5 : priors[f]!));
  return { partition: { ...compact(nodes, features), splitPrior }, counts };
}

/** Counts those of the rows at these places of an order that have label 1. */
function labelled(
  order: Int32Array,
  { labels, from, to }: { labels: Uint8Array; from: number; to: number },
): number {
  let ones = 0;
  for (let k = from; k < to; k++) ones += labels[order[k]!]!;
  return ones;
}

/** Returns the bin of each value: bin c holds (thresholds[c−1], thresholds[c]], the last one all others and NaN. */
function binsOf(values: Float64Array, thresholds: Float64Array, categorical: boolean): Uint8Array {
  const bins = new Uint8Array(values.length);
  fillBins(binIndex(thresholds), values, values.length, bins);
  for (let i = 0; i < bins.length; i++) {
    const bin = bins[i]!;
    if (bin > thresholds.length || (categorical && thresholds[bin] !== values[i])) {
      bins[i] = thresholds.length;
    }
  }
  return bins;
}

/** Returns the nodes as typed arrays, with the features that have a split. */
function compact(
  nodes: Record<"feature" | "threshold" | "left" | "right" | "parent", number[]>,
  features: readonly Feature[],
): Omit<Partition, "splitPrior"> {
  const used = [...new Set(nodes.feature.filter((f) => f >= 0))];
  const renumbered = new Map(used.map((f, k) => [f, k]));
  return {
    features: used.map((f) => features[f]!),
    feature: Int32Array.from(nodes.feature, (f) => (f < 0 ? -1 : renumbered.get(f)!)),
    threshold: Float64Array.from(nodes.threshold),
    left: Int32Array.from(nodes.left),
    right: Int32Array.from(nodes.right),
    parent: Int32Array.from(nodes.parent),
  };
}
