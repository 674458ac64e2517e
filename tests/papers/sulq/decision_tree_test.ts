import { assert, assertThrows } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  type CategoricalRow,
  type DecisionTreeOptions,
  sampleDecisionTree,
  treeCalibration,
  type TreeNode,
} from "../../../lib/papers/sulq/decision_tree.ts";
import { treeGainBound } from "../../../lib/papers/sulq/tree_gain_bound.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const options: DecisionTreeOptions = {
  attributes: [2, 3, 2, 2],
  classes: 2,
  depth: 2,
  rho: 0.5,
  relation: replaceOne,
};

/** The class follows attribute 1, and attribute 3 where that is 2; a tenth of the labels are flipped. */
function rowsOf(rowCount: number, seed: number): CategoricalRow[] {
  const source = new SeededSource(seed);
  return Array.from({ length: rowCount }, () => {
    const values = options.attributes.map((many) => Math.floor(source.uniform() * many));
    const label = values[1] === 2 ? values[3]! : values[1]!;
    return { values, label: source.uniform() < 0.1 ? 1 - label : label };
  });
}

/** The information gain of an attribute over the rows, in nats, by the textbook. */
function gainOf(rows: readonly CategoricalRow[], attribute: number): number {
  const entropy = (group: readonly CategoricalRow[]): number =>
    [0, 1].reduce((sum, label) => {
      const share = group.filter((row) => row.label === label).length / group.length;
      return share > 0 ? sum - share * Math.log(share) : sum;
    }, 0);
  const groups = Array.from(
    { length: options.attributes[attribute]! },
    (_, value) => rows.filter(({ values }) => values[attribute] === value),
  ).filter((group) => group.length > 0);
  return groups.reduce(
    (left, group) => left - group.length / rows.length * entropy(group),
    entropy(rows),
  );
}

Deno.test("sampleDecisionTree() tests an attribute whose gain is within treeGainBound() of the best, at every node of the promised share of 40 runs", () => {
  const data = rowsOf(20_000, 678), failure = 0.05;
  const prepared = sulqNoise(treeCalibration(options));
  const within = (node: TreeNode, rows: readonly CategoricalRow[], left: number[]): boolean => {
    if (node.kind === "leaf") return true;
    const gains = left.map((attribute) => gainOf(rows, attribute));
    const bound = treeGainBound(options, { rows: rows.length, failure });
    const rest = left.filter((attribute) => attribute !== node.attribute);
    return gainOf(rows, node.attribute) >= Math.max(...gains) - bound &&
      node.children.every((child, value) =>
        within(child, rows.filter(({ values }) => values[node.attribute] === value), rest)
      );
  };
  let good = 0;
  for (let run = 0; run < 40; run++) {
    const source = new SeededSource(679).split(run);
    const { root } = sampleDecisionTree(source, { ...options, data, prepared });
    if (within(root, data, [0, 1, 2, 3])) good++;
  }
  // Four nodes, each within Δ but for 5%: 80% of 40 at least. Fewer than 22 with chance below 1e-3.
  assert(good >= 22, `${good} runs are good`);
  // The bound says something: the attributes that do not matter are not within it at the root.
  assert(treeGainBound(options, { rows: data.length, failure }) < 0.1);
  assert(!within({ kind: "test", attribute: 0, children: [] }, data, [0, 1, 2, 3]));
  assertThrows(() => treeGainBound(options, { rows: 0, failure }), RangeError, "rows");
  assertThrows(() => treeGainBound(options, { rows: 1, failure: 1 }), RangeError, "failure");
});
