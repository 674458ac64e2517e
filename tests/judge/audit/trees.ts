import type { Feature } from "../../../lib/judge/audit/model/encoding/features.ts";
import type { Partition } from "../../../lib/judge/audit/model/partition/grow_tree.ts";

/** A tree as a reader writes it: a leaf, or a question with two answers. */
export type Tree = "leaf" | {
  readonly feature: number;
  readonly threshold: number;
  readonly left: Tree;
  readonly right: Tree;
};

/** The tree as typed arrays, parents before children. Every split has the same prior. */
export function partitionOf(
  tree: Tree,
  { features, prior = 0.25 }: { features: readonly Feature[]; prior?: number },
): Partition {
  const feature: number[] = [], threshold: number[] = [];
  const left: number[] = [], right: number[] = [], parent: number[] = [];
  const add = (own: Tree, above: number): number => {
    const node = feature.length;
    feature.push(own === "leaf" ? -1 : own.feature);
    threshold.push(own === "leaf" ? 0 : own.threshold);
    left.push(-1);
    right.push(-1);
    parent.push(above);
    if (own !== "leaf") {
      left[node] = add(own.left, node);
      right[node] = add(own.right, node);
    }
    return node;
  };
  add(tree, -1);
  return {
    features,
    feature: Int32Array.from(feature),
    threshold: Float64Array.from(threshold),
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    parent: Int32Array.from(parent),
    splitPrior: new Float64Array(feature.length).fill(prior),
  };
}
