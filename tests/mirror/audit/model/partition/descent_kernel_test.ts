import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Feature } from "../../../../../lib/audit/model/encoding/features.ts";
import { compileCountLeaves } from "../../../../../lib/audit/model/partition/count_leaves.ts";
import { compileDescentByKernel } from "../../../../../lib/audit/model/partition/descent_kernel.ts";
import { withoutKernels } from "../../../../../lib/numeric/kernels/kernels.ts";
import { partitionOf, type Tree } from "../../trees.ts";

const WIDTH = 4;

const column = (index: number): Feature => ({ kind: "column", index, name: `output[${index}]` });
const category = (index: number): Feature => ({
  kind: "category",
  index,
  name: `output[${index}]`,
});

/** Features that are read from the rows, that are computed, and with categories of both kinds. */
const SETS: readonly (readonly Feature[])[] = [
  [column(3), column(0), column(1)],
  [column(2), { kind: "difference", index: 1, name: "" }, { kind: "sum", elements: 3, name: "" }],
  [category(1), column(1), category(3)],
  [{ kind: "maximum", elements: 2, name: "" }, category(0), column(2)],
  // Most columns are not needed, so those that are needed are gathered.
  [column(1)],
  [category(2)],
];

const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 2, arbitrary: fc.double({ min: -3, max: 3, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity, -0) },
);

const split = fc.record({
  feature: fc.nat(2),
  threshold: fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(-Infinity, -0, 0.5, Infinity),
  ),
});

const { bush } = fc.letrec<{ bush: Tree }>((tie) => ({
  bush: fc.oneof(
    { maxDepth: 6, depthSize: "large" },
    fc.constant<Tree>("leaf"),
    fc.tuple(split, tie("bush"), tie("bush")).map(([own, left, right]) => ({
      ...own,
      left,
      right,
    })),
  ),
}));

/** Bushes at the end of chains of up to 60 nodes, which go on at one side or the other. */
const tree = fc.tuple(
  bush,
  fc.array(fc.tuple(split, fc.boolean(), fc.boolean()), { maxLength: 60 }),
  fc.boolean(),
).map(([end, chain, isLong]) => {
  let own = end;
  for (const [at, isLeft, isForked] of isLong ? chain : []) {
    const side: Tree = isForked ? { ...at, threshold: 1, left: "leaf", right: "leaf" } : "leaf";
    own = isLeft ? { ...at, left: own, right: side } : { ...at, left: side, right: own };
  }
  return own;
});

/** The tree on the features of a set. */
function onFeatures(own: Tree, count: number): Tree {
  if (own === "leaf") return own;
  return {
    ...own,
    feature: own.feature % count,
    left: onFeatures(own.left, count),
    right: onFeatures(own.right, count),
  };
}

/** Numbers over and over, in an order in which rows differ. */
function rowsOf(some: readonly number[], n: number, width: number): Float64Array {
  return Float64Array.from(
    { length: n * width },
    (_, k) => some[(k + Math.floor(k * k / 7)) % some.length]!,
  );
}

// Mutants: the least number of a category ignored, or that of another tree; rows left in the list; a last row left out or counted
// twice; counts of the block before; weights of another chunk, or added in another order.
Deno.test("the kernel counts rows in the leaves of the loop, to the last bit", () => {
  const numbers = fc.array(value, { minLength: 1, maxLength: 40 });
  const lengths = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 130, max: 400 }) },
    { weight: 1, arbitrary: fc.integer({ min: 2040, max: 2060 }) },
    { weight: 1, arbitrary: fc.integer({ min: 4090, max: 4110 }) },
  );
  fc.assert(
    fc.property(tree, fc.nat(SETS.length - 1), numbers, lengths, (own, at, some, n) => {
      const features = SETS[at]!;
      const partition = partitionOf(onFeatures(own, features.length), { features });
      const rows = rowsOf(some, n, WIDTH), size = 2 * partition.left.length;
      const weights = Float64Array.from({ length: n }, (_, i) => 0.1 * (i % 11));
      const count = compileCountLeaves(partition, WIDTH);
      const run = (): Float64Array[] => {
        const all = [new Float64Array(size).fill(3), new Float64Array(size)] as const;
        count(rows, 1, all[0]);
        count(rows, 0, all[0]);
        count(rows, 0, all[1], weights);
        count(rows.subarray(4 * WIDTH), 0, all[1], weights.subarray(4));
        return [...all];
      };
      assertEquals(run(), withoutKernels(run));
      const byKernel = compileDescentByKernel(partition, WIDTH);
      assert(byKernel(rows, 0, new Float64Array(size)));
    }),
    { seed: 31, numRuns: 250 },
  );
});

/** A tree of so many leaves as even as they can be. */
function evenTree(leaves: number, features: number, depth = 0): Tree {
  if (leaves === 1) return "leaf";
  const half = Math.ceil(leaves / 2);
  return {
    feature: (leaves + depth) % features,
    threshold: Math.sin(leaves),
    left: evenTree(half, features, depth + 1),
    right: evenTree(leaves - half, features, depth + 1),
  };
}

// Mutants: one node or feature more than there is room for; blocks of few rows.
Deno.test("the kernel leaves trees that are too large, and few rows, to the loop", () => {
  const isByKernel = (leaves: number, features: readonly Feature[], width: number, n: number) => {
    const partition = partitionOf(evenTree(leaves, features.length), { features });
    const rows = Float64Array.from({ length: n * width }, (_, i) => 2 * Math.sin(i));
    const run = (): Float64Array => {
      const counts = new Float64Array(2 * partition.left.length);
      compileCountLeaves(partition, width)(rows, 1, counts);
      return counts;
    };
    assertEquals(run(), withoutKernels(run));
    const counts = new Float64Array(2 * partition.left.length);
    const count = compileDescentByKernel(partition, width);
    assert(withoutKernels(() => !count(rows, 1, counts)));
    assertEquals(counts, new Float64Array(counts.length));
    return count(rows, 1, counts);
  };
  const two = [column(0), column(1)];
  assert(isByKernel(512, two, 2, 5000));
  assert(!isByKernel(513, two, 2, 5000));
  assert(isByKernel(9, two, 2, 69));
  assert(!isByKernel(9, two, 2, 68));
  assert(isByKernel(101, two, 2, 115));
  assert(!isByKernel(101, two, 2, 114));
  const columns = Array.from({ length: 129 }, (_, k) => column(k));
  assert(isByKernel(200, columns.slice(0, 128), 128, 300));
  assert(!isByKernel(200, columns, 129, 300));
  const sums = columns.map((_, k): Feature => ({ kind: "sum", elements: k + 1, name: "" }));
  assert(isByKernel(200, sums.slice(0, 128), 128, 300));
  assert(!isByKernel(200, sums, 129, 300));
  // Columns of rows that are too long to be copied are gathered.
  assert(isByKernel(20, [column(0), column(19_999)], 20_000, 90));
});
