import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { trivialPartition } from "../../../../lib/audit/partition/grow_tree.ts";
import { descend, partitionOf, type Tree } from "../trees.ts";

const FEATURES: readonly Feature[] = [
  { kind: "column", index: 0, name: "output[0]" },
  { kind: "category", index: 1, name: "output[1]" },
  { kind: "sum", elements: 2, name: "sum(output)" },
];

const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 2, arbitrary: fc.double({ min: -3, max: 3, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity, -0) },
);

const threshold = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-Infinity, 0.5, Infinity),
);

/** Trees with splits on any of the features, in any order. */
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: "large" },
    fc.constant<Tree>("leaf"),
    fc.record({
      feature: fc.nat(FEATURES.length - 1),
      threshold,
      left: tie("tree"),
      right: tie("tree"),
    }),
  ),
}));

/** Trees on one feature, as they are grown: every threshold lies in its node's interval. */
function intervalTree(thresholds: readonly number[], places: readonly number[]): Tree {
  if (thresholds.length === 0) return "leaf";
  const [place = 0, ...rest] = places;
  const at = place % thresholds.length;
  return {
    feature: 0,
    threshold: thresholds[at]!,
    left: intervalTree(thresholds.slice(0, at), rest),
    right: intervalTree(thresholds.slice(at + 1), rest),
  };
}

const intervals = fc.tuple(
  fc.uniqueArray(threshold, { maxLength: 6, comparator: "SameValueZero" }),
  fc.array(fc.nat(20), { maxLength: 6 }),
).map(([thresholds, places]) => intervalTree(thresholds.toSorted((a, b) => a - b), places));

function checkAgainstDescent(
  own: Tree,
  { features, rows, width }: { features: readonly Feature[]; rows: Float64Array; width: number },
): void {
  const partition = partitionOf(own, { features: own === "leaf" ? [] : features });
  const size = 2 * partition.left.length;
  for (const label of [0, 1] as const) {
    const expected = new Float64Array(size).fill(1);
    for (let at = 0; at < rows.length; at += width) {
      expected[2 * descend(partition, rows.subarray(at, at + width)) + label]!++;
    }
    const counts = new Float64Array(size).fill(1);
    compileCountLeaves(partition, width)(rows, label, counts);
    assertEquals(counts, expected);
  }
}

Deno.test("compileCountLeaves() counts outputs in the leaves of a descent, on several features", () => {
  fc.assert(
    fc.property(tree, fc.array(fc.tuple(value, value), { maxLength: 40 }), (own, table) => {
      checkAgainstDescent(own, {
        features: FEATURES,
        rows: Float64Array.from(table.flat()),
        width: 2,
      });
    }),
    { seed: 12, numRuns: 1000 },
  );
});

Deno.test("compileCountLeaves() counts outputs in the leaves of a descent, on one feature", () => {
  fc.assert(
    fc.property(intervals, fc.array(value, { maxLength: 40 }), (own, values) => {
      const rows = Float64Array.from(values);
      checkAgainstDescent(own, { features: FEATURES.slice(0, 1), rows, width: 1 });
      const even = rows.subarray(0, 2 * Math.floor(rows.length / 2));
      checkAgainstDescent(own, { features: FEATURES.slice(2), rows: even, width: 2 });
    }),
    { seed: 13, numRuns: 1000 },
  );
});

Deno.test("compileCountLeaves() counts every output once, across chunks", () => {
  const rows = Float64Array.from({ length: 5000 }, (_, i) => Math.sin(i));
  const own = intervalTree([-0.5, 0, 0.5], [1]);
  checkAgainstDescent(own, { features: FEATURES.slice(0, 1), rows, width: 1 });
  checkAgainstDescent(own, { features: FEATURES.slice(2), rows, width: 2 });
  const counts = new Float64Array(2);
  compileCountLeaves(trivialPartition, 2)(rows, 1, counts);
  assertEquals(counts, Float64Array.of(0, 2500));
});

/** The rows, each as often as its weight says. */
function repeated(rows: Float64Array, width: number, weights: Float64Array): Float64Array {
  const all: number[] = [];
  weights.forEach((weight, i) => {
    for (let k = 0; k < weight; k++) all.push(...rows.subarray(i * width, (i + 1) * width));
  });
  return Float64Array.from(all);
}

function checkWeights(
  own: Tree,
  { features, rows, width, weights }: {
    features: readonly Feature[];
    rows: Float64Array;
    width: number;
    weights: Float64Array;
  },
): void {
  const partition = partitionOf(own, { features: own === "leaf" ? [] : features });
  const countLeaves = compileCountLeaves(partition, width);
  for (const label of [0, 1] as const) {
    const counts = new Float64Array(2 * partition.left.length).fill(1), expected = counts.slice();
    countLeaves(rows, label, counts, weights);
    countLeaves(repeated(rows, width, weights), label, expected);
    assertEquals(counts, expected);
  }
}

const weight = fc.integer({ min: 0, max: 3 });

/** The tree with another feature in place of the category. */
function ordered(own: Tree): Tree {
  if (own === "leaf") return own;
  const { feature, left, right } = own;
  return {
    ...own,
    feature: feature === 1 ? 2 : feature,
    left: ordered(left),
    right: ordered(right),
  };
}

// Mutants: weights ignored by intervals, descents with or without categories, or where there is one leaf.
Deno.test("compileCountLeaves() counts a row as often as its weight says", () => {
  const some = fc.array(fc.tuple(value, value, weight), { maxLength: 40 });
  fc.assert(
    fc.property(tree, intervals, some, (own, single, table) => {
      const rows = Float64Array.from(table.flatMap(([a, b]) => [a, b]));
      const weights = Float64Array.from(table, (row) => row[2]);
      for (const one of [own, ordered(own), "leaf"] as const) {
        checkWeights(one, { features: FEATURES, rows, width: 2, weights });
      }
      checkWeights(single, { features: FEATURES.slice(2), rows, width: 2, weights });
      const column = rows.subarray(0, weights.length);
      checkWeights(single, { features: FEATURES.slice(0, 1), rows: column, width: 1, weights });
    }),
    { seed: 14, numRuns: 500 },
  );
});

// Mutant: the weights of the first chunk for the rows of every chunk.
Deno.test("compileCountLeaves() uses each row's own weight across chunks", () => {
  const rows = Float64Array.from({ length: 6000 }, (_, i) => Math.sin(i));
  const weights = Float64Array.from(
    { length: 3000 },
    (_, i) => i % 1024 % 3 + Math.floor(i / 1024),
  );
  const own = intervalTree([-0.5, 0, 0.5], [1]);
  const deep: Tree = { feature: 2, threshold: 0, left: own, right: own };
  const mixed: Tree = { feature: 1, threshold: Math.sin(1), left: own, right: deep };
  for (const one of [deep, mixed]) {
    checkWeights(one, { features: FEATURES, rows, width: 2, weights });
  }
  checkWeights(own, { features: FEATURES.slice(2), rows, width: 2, weights });
  const column = rows.subarray(0, 3000);
  checkWeights(own, { features: FEATURES.slice(0, 1), rows: column, width: 1, weights });
});
