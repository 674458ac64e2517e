import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { KnownValues } from "../../../../lib/audit/encoding/known_values.ts";
import type { LabelledRows } from "../../../../lib/audit/encoding/labelled_rows.ts";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import {
  featureHistogramFor,
  featureHistograms,
  intervalPartition,
  knownFeatures,
} from "../../../../lib/audit/partition/feature_histogram.ts";
import type { Partition } from "../../../../lib/audit/partition/grow_tree.ts";
import { evidenceGain } from "../../../../lib/audit/partition/pruning_mixture.ts";
import { normalRows, noShift } from "../labelled_rows.ts";
import { descend } from "../trees.ts";

const FIRST: Feature = { kind: "column", index: 0, name: "output[0]" };
const SECOND: Feature = { kind: "column", index: 1, name: "output[1]" };
const SUM: Feature = { kind: "sum", elements: 2, name: "sum(output)" };
const CATEGORY: Feature = { kind: "category", index: 1, name: "output[1]" };

const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 4, arbitrary: fc.double({ min: -9, max: 9, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Infinity, -Infinity) },
);
const someThresholds = fc.array(number, { maxLength: 40 })
  .map((thresholds) => Float64Array.from(new Set(thresholds)).sort());
const someValues = fc.array(fc.oneof(number, fc.constant(NaN)), { maxLength: 30 });

/** The leaves from left to right. */
function leavesOf({ left, right }: Partition, node = 0): number[] {
  const below = [left[node]!, right[node]!];
  if (below[0]! < 0) return [node];
  return below.flatMap((child) => leavesOf({ left, right } as Partition, child));
}

// Mutants: NaN in the bin of the largest values, infinity in that of NaN, bins open at the other end.
Deno.test("intervalPartition() gives every interval a leaf, in order, and NaN the last one", () => {
  fc.assert(
    fc.property(someThresholds, someValues, (thresholds, values) => {
      const partition = intervalPartition(FIRST, thresholds);
      const leaves = leavesOf(partition);
      assertEquals(leaves.length, thresholds.length + 2);
      for (const x of [...values, ...thresholds]) {
        const place = Number.isNaN(x)
          ? thresholds.length + 1
          : thresholds.filter((threshold) => threshold < x).length;
        assertEquals(
          descend(partition, Float64Array.of(x)),
          leaves[place]!,
          `${x} among ${thresholds}`,
        );
      }
    }),
    { seed: 51, numRuns: 500 },
  );
});

// Mutants: a search that differs from the walk at infinite thresholds, or in the leaf of NaN.
Deno.test("intervalPartition()'s leaves are counted as a walk down the tree counts them", () => {
  fc.assert(
    fc.property(someThresholds, someValues, (thresholds, values) => {
      const partition = intervalPartition(FIRST, thresholds);
      const counts = new Float64Array(2 * partition.left.length), expected = counts.slice();
      compileCountLeaves(partition, 1)(Float64Array.from(values), 1, counts);
      for (const x of values) expected[2 * descend(partition, Float64Array.of(x)) + 1]!++;
      assertEquals(counts, expected);
    }),
    { seed: 52, numRuns: 500 },
  );
});

// Mutants: a list of splits instead of a balanced tree (its prunings are no coarser bins), a child
// before its parent (sums over the tree go from the last node to the first).
Deno.test("intervalPartition() is a balanced tree, parents before their children", () => {
  for (const size of [0, 1, 2, 7, 100, 300]) {
    const { left, right, parent } = intervalPartition(
      FIRST,
      Float64Array.from({ length: size }, (_, k) => k),
    );
    const depth = new Int32Array(left.length);
    for (let node = 1; node < left.length; node++) {
      const above = parent[node]!;
      assert(above < node && (left[above] === node || right[above] === node));
      depth[node] = depth[above]! + 1;
    }
    assertEquals(Math.max(...depth), Math.ceil(Math.log2(size + 2)));
    assertEquals(parent[0], -1);
  }
});

/** Rows of two numbers, of which the first depends on the label, some missing or infinite. */
function rowsWithGaps(n: number): LabelledRows {
  const all = normalRows({ n, shift: [1, 0], seed: 21 });
  for (let at = 0; at < all.rows.length; at += 7) {
    all.rows[at] = [NaN, Infinity, -Infinity][at % 3]!;
  }
  return all;
}

/** Counts by a walk down the tree for each row. */
function countsByDescent(
  { rows, labels, width }: LabelledRows,
  partition: Partition,
): Float64Array {
  const counts = new Float64Array(2 * partition.left.length);
  labels.forEach((label, i) => {
    counts[2 * descend(partition, rows.subarray(i * width, (i + 1) * width)) + label]!++;
  });
  return counts;
}

// Mutants: a row left out or counted in the bin beside its own, labels exchanged, NaN left out.
Deno.test("featureHistograms() counts every row once, in the leaf of the tree and of countLeaves()", () => {
  for (const n of [0, 1, 50, 3000]) {
    const all = rowsWithGaps(n);
    const histograms = featureHistograms(
      all,
      knownFeatures({ features: [FIRST, SECOND, SUM], known: new KnownValues(all) }),
    );
    assertEquals(histograms.length, 3);
    for (const { partition, countLeaves, counts } of histograms) {
      assertEquals(counts.reduce((a, b) => a + b, 0), n);
      assertEquals(counts, countsByDescent(all, partition));
      const counted = new Float64Array(counts.length);
      for (const label of [0, 1] as const) {
        const side = [...all.labels.keys()].filter((i) => all.labels[i] === label)
          .flatMap((i) => [...all.rows.subarray(2 * i, 2 * i + 2)]);
        countLeaves(Float64Array.from(side), label, counted);
      }
      assertEquals(counted, counts);
    }
  }
});

// Mutants: the order reversed or left as it was, categories divided as if they had an order.
Deno.test("featureHistograms() puts the largest evidence gain first and leaves categories out", () => {
  const all = normalRows({ n: 4000, shift: [0.2, 1], seed: 22 });
  const features = [FIRST, CATEGORY, SUM, SECOND];
  const histograms = featureHistograms(
    all,
    knownFeatures({ features, known: new KnownValues(all) }),
  );
  assertEquals(histograms.map(({ partition }) => partition.features), [[SECOND], [SUM], [FIRST]]);
  const gains = histograms.map(({ partition, counts }) => evidenceGain(partition, counts));
  assert(gains[2]! > 0 && gains[0]! > gains[1]! && gains[1]! > gains[2]!, `${gains}`);
});

// Mutant: rows counted by the score that was learned from them instead of their cross-fitted values.
Deno.test("featureHistograms() counts by the values given, where a feature has some", () => {
  const all = normalRows({ n: 500, shift: noShift(2), seed: 23 });
  const known = new KnownValues(all);
  known.set(SUM, Float64Array.from(all.labels, (label) => 10 * label));
  const [best] = featureHistograms(all, knownFeatures({ features: [FIRST, SUM], known }));
  assertEquals(best!.partition.features, [SUM]);
  const right = all.labels.reduce((a, b) => a + b, 0);
  const leaves = leavesOf(best!.partition).slice(0, 2);
  assertEquals(leaves.map((leaf) => [best!.counts[2 * leaf], best!.counts[2 * leaf + 1]]), [
    [500 - right, 0],
    [0, right],
  ]);
});

// Mutants: counts of rows that the feature was learned from kept, other thresholds than those of the rows.
Deno.test("featureHistogramFor() has the thresholds of featureHistograms() and counts of 0", () => {
  const all = rowsWithGaps(2000);
  for (const feature of [FIRST, SUM]) {
    const [counted] = featureHistograms(
      all,
      knownFeatures({ features: [feature], known: new KnownValues(all) }),
    );
    const empty = featureHistogramFor(feature, all);
    assertEquals(empty.partition, counted!.partition);
    assertEquals(empty.counts, new Float64Array(counted!.counts.length));
  }
});
