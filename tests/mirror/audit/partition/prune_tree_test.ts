import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { stopShares } from "../../../../lib/audit/partition/pruning_mixture.ts";
import type { Partition } from "../../../../lib/audit/partition/grow_tree.ts";
import { pruneTree } from "../../../../lib/audit/partition/prune_tree.ts";
import { partitionOf, type Tree } from "../trees.ts";

const FEATURES = [
  { kind: "column", index: 0, name: "output[0]" },
  { kind: "category", index: 1, name: "output[1]" },
  { kind: "column", index: 2, name: "output[2]" },
] as const satisfies readonly Feature[];

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: "large" },
    fc.constant<Tree>("leaf"),
    fc.record({
      feature: fc.nat(2),
      threshold: fc.integer({ min: -1, max: 1 }),
      left: tie("tree"),
      right: tie("tree"),
    }),
  ),
}));

const number = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constant(NaN));
const rowsOf = fc.array(fc.tuple(number, number, number), { maxLength: 60 })
  .map((rows) => Float64Array.from(rows.flat()));

/** Counts of the rows, each 20 times so that some splits stay. */
function counted(partition: Partition, left: Float64Array, right: Float64Array): Float64Array {
  const counts = new Float64Array(2 * partition.left.length);
  const countLeaves = compileCountLeaves(partition, 3);
  countLeaves(left, 0, counts);
  countLeaves(right, 1, counts);
  return counts.map((count) => 20 * count);
}

// Mutants: counts of the kept leaves alone without what was below them, of inner nodes too, features
// renumbered in another order than the nodes say, the two children exchanged.
Deno.test("pruneTree() has the counts that its smaller partition gives the same outputs", () => {
  let smaller = 0;
  fc.assert(
    fc.property(tree, rowsOf, rowsOf, (own, left, right) => {
      const partition = partitionOf(own, { features: FEATURES });
      const counts = counted(partition, left, right);
      const pruned = pruneTree(partition, counts);
      assertEquals(counted(pruned.partition, left, right), pruned.counts);
      const kept = pruned.partition.left.length;
      if (kept < partition.left.length && kept > 1) smaller++;
    }),
    { seed: 91, numRuns: 600 },
  );
  assert(smaller > 50, `only ${smaller} became smaller`);
});

// Mutants: a threshold, a prior or a parent of another node; a split kept at which half of the mixture stops,
// or removed though most of it does not; features kept that have no split.
Deno.test("pruneTree() keeps nodes as they were, split where less than half of the mixture stops", () => {
  fc.assert(
    fc.property(tree, rowsOf, rowsOf, (own, left, right) => {
      const partition = partitionOf(own, { features: FEATURES });
      // Its prior identifies a node.
      partition.splitPrior.forEach((_, node, priors) => priors[node] = 0.3 + node / 1000);
      const counts = counted(partition, left, right);
      const { stop } = stopShares(partition, counts);
      const { partition: kept } = pruneTree(partition, counts);
      const origin = Array.from(kept.splitPrior, (prior) => partition.splitPrior.indexOf(prior));
      assertEquals(origin[0], 0);
      origin.forEach((node, at) => {
        const isSplit = partition.left[node]! >= 0 && stop[node]! < 0.5;
        assertEquals(kept.left[at]! >= 0, isSplit);
        if (!isSplit) return assertEquals(kept.feature[at], -1);
        assertEquals(kept.features[kept.feature[at]!], FEATURES[partition.feature[node]!]);
        assertEquals(kept.threshold[at], partition.threshold[node]);
        for (const side of ["left", "right"] as const) {
          const child = kept[side][at]!;
          assertEquals(origin[child], partition[side][node]);
          assertEquals(kept.parent[child], at);
          assert(child > at);
        }
      });
      const used = new Set(kept.feature.filter((f) => f >= 0));
      assertEquals(kept.features.length, used.size);
    }),
    { seed: 92, numRuns: 300 },
  );
});

/** A split on each of two features. */
const TWO: Tree = {
  feature: 0,
  threshold: 0,
  left: { feature: 2, threshold: 0, left: "leaf", right: "leaf" },
  right: "leaf",
};

// Mutants: the comparison reversed, or with the prior of a split instead of its posterior.
Deno.test("pruneTree() keeps the splits whose sides differ and drops the others", () => {
  const partition = partitionOf(TWO, { features: FEATURES });
  const [deep, shallow, none] = [
    // Nodes: root, its left, two leaves below that, the root's right.
    [0, 0, 0, 0, 50, 500, 500, 50, 300, 300],
    [0, 0, 0, 0, 250, 50, 250, 50, 50, 500],
    [0, 0, 0, 0, 100, 100, 101, 99, 200, 200],
  ].map((counts) => pruneTree(partition, Float64Array.from(counts)));
  assertEquals(deep!.partition.features, [FEATURES[0], FEATURES[2]]);
  assertEquals(shallow!.partition.features, [FEATURES[0]]);
  assertEquals(shallow!.counts, Float64Array.of(0, 0, 500, 100, 50, 500));
  assertEquals(none!.partition.features, []);
  assertEquals(none!.counts, Float64Array.of(401, 399));
});
