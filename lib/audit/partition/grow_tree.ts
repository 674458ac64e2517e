import { binIndex, fillBins } from "../encoding/bin_index.ts";
import { categoryThresholds, thresholdsOf } from "../encoding/thresholds.ts";
import { type Feature, fillFeature, isCategorical } from "../encoding/features.ts";

/**
 * A binary partition of the outputs. Node 0 is the root; an inner node sends an output to `left`
 * where its feature is at most (or, for categories, equals) the threshold, else, NaN included, to
 * `right`. Leaves have `left` −1. Children always follow their parent.
 */
export interface Partition {
  readonly features: readonly Feature[];
  /** Which feature a node asks for, −1 at leaves. */
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

/** The leaves of a partition. */
export function leavesOf({ left }: Partition): Int32Array {
  return Int32Array.from(left.keys()).filter((node) => left[node]! < 0);
}

/** The conditions on the way from the root to a node. */
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

/** How fine a partition may become. */
export interface GrowOptions {
  readonly maxLeaves?: number;
  /** Fewest training outputs in a leaf. */
  readonly minLeaf?: number;
  /** Fewest nats of information about the label that a split must bring on the training outputs. */
  readonly minGain?: number;
}

/** x·ln x of small whole numbers, 0 at 0: logarithms would take most of the time of small partitions. */
const XLOGX = Float64Array.from({ length: 1 << 14 }, (_, x) => (x > 0 ? x * Math.log(x) : 0));

function xlogx(x: number): number {
  return x < XLOGX.length ? XLOGX[x]! : x * Math.log(x);
}

/**
 * The prior probability of a split on each feature. What is chosen among many features and thresholds on the
 * draws that it will be counted on needs a small one; a learned score does not, for it was learned on
 * other draws.
 */
function splitPriors(features: readonly Feature[]): number[] {
  const chosen = 1 / (16 * (features.length + 1));
  return features.map(({ kind }) => (kind === "score" ? 0.25 : chosen));
}

/** The best split so far; `gain` in nats, what choosing among features costs taken off. */
interface Candidate {
  gain: number;
  feature: number;
  cut: number;
}

/**
 * Grows a partition greedily by information about the label, best split first. Returns it with the
 * training counts of its leaves at `[2 * node + label]`.
 */
export function growTree(
  { rows, labels, width, features, known }: {
    rows: Float64Array;
    labels: Uint8Array;
    width: number;
    features: readonly Feature[];
    /** Values of some features on the rows, where they are not those of the feature itself. */
    known?: ReadonlyMap<Feature, Float64Array>;
  },
  options: GrowOptions = {},
): { partition: Partition; counts: Float64Array } {
  const n = labels.length;
  const minLeaf = options.minLeaf ?? 5;
  const maxLeaves = options.maxLeaves ?? Math.max(2, Math.min(384, Math.floor(n / (2 * minLeaf))));
  const priors = splitPriors(features);
  // A split that brings less than its prior costs would not be believed: leave it out.
  const minGain = options.minGain ?? 2;
  const cost = priors.map((prior) =>
    options.minGain === undefined ? Math.max(0, -Math.log(prior) - 1.5 - minGain) : 0
  );

  const column = new Float64Array(n);
  const thresholds: Float64Array[] = [];
  const bins: Uint8Array[] = [];
  const categorical = features.map(isCategorical);
  features.forEach((feature, f) => {
    const given = known?.get(feature);
    if (given !== undefined) column.set(given);
    else fillFeature(feature, { rows, width, from: 0, to: n, out: column });
    const own = categorical[f] ? categoryThresholds(column) : thresholdsOf(column, minLeaf);
    thresholds.push(own);
    bins.push(own.length === 0 ? new Uint8Array(0) : cellsOf(column, own, categorical[f]!));
  });

  const order = Int32Array.from({ length: n }, (_, i) => i);
  const scratch = new Int32Array(n);
  const histogram = new Int32Array(512);
  const best = (from: number, to: number): Candidate => {
    const candidate: Candidate = { gain: 0, feature: -1, cut: -1 };
    for (let f = 0; f < features.length; f++) {
      const own = bins[f]!;
      if (own.length === 0) continue;
      const count = thresholds[f]!.length + 1;
      histogram.fill(0, 0, 2 * count);
      for (let k = from; k < to; k++) {
        const i = order[k]!;
        histogram[2 * own[i]! + labels[i]!]!++;
      }
      bestCut(histogram, {
        count,
        categorical: categorical[f]!,
        minLeaf,
        feature: f,
        cost: cost[f]!,
        candidate,
      });
    }
    return candidate;
  };

  const nodes = { feature: [-1], threshold: [0], left: [-1], right: [-1], parent: [-1] };
  let leaves = [{ node: 0, from: 0, to: n, split: best(0, n) }];
  while (leaves.length < maxLeaves) {
    const chosen = leaves.reduce((a, b) => (b.split.gain > a.split.gain ? b : a));
    if (!(chosen.split.gain > minGain)) break;
    const { node, from, to, split } = chosen;
    const own = bins[split.feature]!;
    let low = from, high = 0;
    for (let k = from; k < to; k++) {
      const i = order[k]!;
      const inside = categorical[split.feature] ? own[i] === split.cut : own[i]! <= split.cut;
      if (inside) order[low++] = i;
      else scratch[high++] = i;
    }
    for (let k = 0; k < high; k++) order[low + k] = scratch[k]!;
    const left = nodes.feature.length, right = left + 1;
    nodes.feature.push(-1, -1);
    nodes.threshold.push(0, 0);
    nodes.left.push(-1, -1);
    nodes.right.push(-1, -1);
    nodes.parent.push(node, node);
    nodes.feature[node] = split.feature;
    nodes.threshold[node] = thresholds[split.feature]![split.cut]!;
    nodes.left[node] = left;
    nodes.right[node] = right;
    leaves = leaves.filter((leaf) => leaf !== chosen);
    leaves.push({ node: left, from, to: low, split: best(from, low) });
    leaves.push({ node: right, from: low, to, split: best(low, to) });
  }
  const counts = new Float64Array(2 * nodes.feature.length);
  for (const { node, from, to } of leaves) {
    for (let k = from; k < to; k++) counts[2 * node + labels[order[k]!]!]!++;
  }
  const splitPrior = Float64Array.from(nodes.feature, (f) => (f < 0 ? 0.5 : priors[f]!));
  return { partition: { ...compact(nodes, features), splitPrior }, counts };
}

/** Which bin each value falls into: bin c holds (thresholds[c−1], thresholds[c]]; the last one the rest and NaN. */
function cellsOf(values: Float64Array, thresholds: Float64Array, categorical: boolean): Uint8Array {
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

/** Improves `candidate` by the best split of one feature's histogram of (bin, label). */
function bestCut(
  histogram: Int32Array,
  { count, categorical, minLeaf, feature, cost, candidate }: {
    count: number;
    cost: number;
    categorical: boolean;
    minLeaf: number;
    feature: number;
    candidate: Candidate;
  },
): void {
  let total0 = 0, total1 = 0;
  for (let bin = 0; bin < count; bin++) {
    total0 += histogram[2 * bin]!;
    total1 += histogram[2 * bin + 1]!;
  }
  const whole = xlogx(total0) + xlogx(total1) - xlogx(total0 + total1);
  let in0 = 0, in1 = 0;
  for (let cut = 0; cut < count - 1; cut++) {
    const c0 = histogram[2 * cut]!, c1 = histogram[2 * cut + 1]!;
    if (categorical) {
      in0 = c0;
      in1 = c1;
    } else {
      in0 += c0;
      in1 += c1;
      if (c0 + c1 === 0) continue;
    }
    const inside = in0 + in1;
    const out0 = total0 - in0, out1 = total1 - in1, outside = out0 + out1;
    if (inside < minLeaf || outside < minLeaf) continue;
    const gain = xlogx(in0) + xlogx(in1) - xlogx(inside) + xlogx(out0) + xlogx(out1) -
      xlogx(outside) - whole - cost;
    if (gain > candidate.gain) {
      candidate.gain = gain;
      candidate.feature = feature;
      candidate.cut = cut;
    }
  }
}

/** Typed arrays, and only the features that are asked for. */
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
