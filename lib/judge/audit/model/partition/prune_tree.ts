import type { Partition } from "./grow_tree.ts";
import { stopShares } from "./pruning_mixture.ts";

/** A node becomes a leaf where at least this share of the prunings that reach it stop. */
const MIN_STOP_SHARE = 0.5;

/**
 * Removes splits: a node stays split if the prunings that stop there have less than half of the posterior weight of
 * those that reach it. The smaller partition needs fewer features a draw, which makes long runs faster.
 *
 * @param counts draws at `[2 * node + label]`, leaves only
 * @returns the smaller partition with its counts
 */
export function pruneTree(
  partition: Partition,
  counts: Float64Array,
): { partition: Partition; counts: Float64Array } {
  const { stop, total } = stopShares(partition, counts);
  const nodes = { feature: [] as number[], threshold: [] as number[], left: [] as number[] };
  const right: number[] = [], parent: number[] = [], prior: number[] = [];
  const kept: number[] = [];
  const visit = (node: number, above: number): number => {
    const at = kept.push(node) - 1;
    const split = partition.left[node]! >= 0 && stop[node]! < MIN_STOP_SHARE;
    nodes.feature.push(split ? partition.feature[node]! : -1);
    nodes.threshold.push(partition.threshold[node]!);
    nodes.left.push(-1);
    right.push(-1);
    parent.push(above);
    prior.push(partition.splitPrior[node]!);
    if (split) {
      nodes.left[at] = visit(partition.left[node]!, at);
      right[at] = visit(partition.right[node]!, at);
    }
    return at;
  };
  visit(0, -1);
  const used = [...new Set(nodes.feature.filter((f) => f >= 0))];
  const own = new Float64Array(2 * kept.length);
  kept.forEach((node, at) => {
    if (nodes.left[at]! >= 0) return;
    own[2 * at] = total[2 * node]!;
    own[2 * at + 1] = total[2 * node + 1]!;
  });
  return {
    partition: {
      features: used.map((f) => partition.features[f]!),
      feature: Int32Array.from(nodes.feature, (f) => used.indexOf(f)),
      threshold: Float64Array.from(nodes.threshold),
      left: Int32Array.from(nodes.left),
      right: Int32Array.from(right),
      parent: Int32Array.from(parent),
      splitPrior: Float64Array.from(prior),
    },
    counts: own,
  };
}
