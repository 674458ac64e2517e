import { binIndex, countBins, fillBins } from "../encoding/bin_index.ts";
import { fillFeature, isCategorical } from "../encoding/features.ts";
import type { Partition } from "./grow_tree.ts";

/** Rows in a chunk: their features fit into the first-level cache. */
export const CHUNK = 2048;

/** The weights of a chunk in which every row counts once. */
const ONES: Float64Array = new Float64Array(CHUNK).fill(1);

/**
 * Adds the number of rows in each leaf to `counts[2 * leaf + label]`; a row counts as often as `weights` says, once if
 * they are absent.
 */
export type CountLeaves = (
  rows: Float64Array,
  label: 0 | 1,
  counts: Float64Array,
  weights?: Float64Array,
) => void;

/**
 * Compiles a partition into its counting loop: for one ordered feature a search among sorted thresholds, else a descent
 * from node to node.
 */
export function compileCountLeaves(partition: Partition, width: number): CountLeaves {
  if (partition.features.length === 0) {
    return (rows, label, counts, weights) => {
      counts[label]! += weights?.reduce((a, b) => a + b, 0) ?? rows.length / width;
    };
  }
  if (partition.features.length === 1 && !isCategorical(partition.features[0]!)) {
    return compileIntervals(partition, width);
  }
  return compileDescent(partition, width);
}

function compileIntervals(partition: Partition, width: number): CountLeaves {
  const { thresholds, leaves, missing } = intervalsOf(partition);
  const feature = partition.features[0]!;
  const isColumn = feature.kind === "column" && width === 1;
  const column = new Float64Array(CHUNK);
  const index = binIndex(thresholds);
  const hits = new Float64Array(thresholds.length + 2);
  const bins = new Int32Array(CHUNK);
  return (rows, label, counts, weights) => {
    const n = rows.length / width;
    hits.fill(0);
    if (isColumn && weights === undefined) countBins(index, rows, n, hits);
    else {
      for (let from = 0; from < n; from += CHUNK) {
        const to = Math.min(n, from + CHUNK);
        fillFeature(feature, { rows, width, from, to, out: column });
        if (weights === undefined) countBins(index, column, to - from, hits);
        else {
          fillBins(index, column, to - from, bins);
          for (let i = from; i < to; i++) hits[bins[i - from]!]! += weights[i]!;
        }
      }
    }
    leaves.forEach((leaf, k) => counts[2 * leaf + label]! += hits[k]!);
    counts[2 * missing + label]! += hits[hits.length - 1]!;
  };
}

/** Returns the leaves of a one-feature partition in the order of their intervals, and the leaf of missing values (NaN). */
function intervalsOf(
  { threshold, left, right }: Partition,
): { thresholds: Float64Array; leaves: number[]; missing: number } {
  const thresholds: number[] = [];
  const leaves: number[] = [];
  const visit = (node: number): void => {
    if (left[node]! < 0) {
      leaves.push(node);
      return;
    }
    visit(left[node]!);
    thresholds.push(threshold[node]!);
    visit(right[node]!);
  };
  visit(0);
  let missing = 0;
  while (left[missing]! >= 0) missing = right[missing]!;
  return { thresholds: Float64Array.from(thresholds), leaves, missing };
}

function compileDescent(partition: Partition, width: number): CountLeaves {
  const { features, feature, threshold, left, right } = partition;
  const flat = new Float64Array(features.length * CHUNK);
  const columns = features.map((_, f) => flat.subarray(f * CHUNK, (f + 1) * CHUNK));
  const isEquality = Uint8Array.from(feature, (f) => f >= 0 && isCategorical(features[f]!) ? 1 : 0);
  const hasEquality = isEquality.includes(1);
  return (rows, label, counts, weights) => {
    const n = rows.length / width;
    for (let from = 0; from < n; from += CHUNK) {
      const to = Math.min(n, from + CHUNK);
      features.forEach((own, f) => fillFeature(own, { rows, width, from, to, out: columns[f]! }));
      const descent = {
        feature,
        threshold,
        left,
        right,
        label,
        counts,
        weights: weights?.subarray(from, to) ?? ONES,
      };
      if (hasEquality) descendMixed(flat, to - from, { ...descent, isEquality });
      else descend(flat, to - from, descent);
    }
  };
}

/** The nodes of the tree, and where rows are counted. */
interface Descent {
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly label: 0 | 1;
  readonly counts: Float64Array;
  readonly weights: Float64Array;
}

/** Counts rows in the leaves of a tree without categories. */
function descend(
  flat: Float64Array,
  n: number,
  { feature, threshold, left, right, label, counts, weights }: Descent,
): void {
  for (let i = 0; i < n; i++) {
    let node = 0, f = feature[0]!;
    while (f >= 0) {
      node = flat[f * CHUNK + i]! <= threshold[node]! ? left[node]! : right[node]!;
      f = feature[node]!;
    }
    counts[2 * node + label]! += weights[i]!;
  }
}

/** Counts rows in the leaves of a tree with categories. */
function descendMixed(
  flat: Float64Array,
  n: number,
  { feature, threshold, left, right, isEquality, label, counts, weights }: Descent & {
    /** 1 at nodes that compare by equality, 0 at those that compare by order. */
    readonly isEquality: Uint8Array;
  },
): void {
  for (let i = 0; i < n; i++) {
    let node = 0, f = feature[0]!;
    while (f >= 0) {
      const x = flat[f * CHUNK + i]!, t = threshold[node]!;
      node = (isEquality[node] === 1 ? x === t : x <= t) ? left[node]! : right[node]!;
      f = feature[node]!;
    }
    counts[2 * node + label]! += weights[i]!;
  }
}
