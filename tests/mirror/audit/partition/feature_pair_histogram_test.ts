import { assert, assertEquals } from "@std/assert";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { KnownValues } from "../../../../lib/audit/encoding/known_values.ts";
import type { LabelledRows } from "../../../../lib/audit/encoding/labelled_rows.ts";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import {
  type CountedPartition,
  knownFeatures,
} from "../../../../lib/audit/partition/feature_histogram.ts";
import { featurePairHistograms } from "../../../../lib/audit/partition/feature_pair_histogram.ts";
import { leavesOf } from "../../../../lib/audit/partition/grow_tree.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { normalRows } from "../labelled_rows.ts";
import { descend } from "../trees.ts";

const columns = (count: number): Feature[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: "column",
    index,
    name: `output[${index}]`,
  }));

function pairHistogramsOf(
  all: LabelledRows,
  features: readonly Feature[],
  most: number,
): CountedPartition[] {
  const known = knownFeatures({ features, known: new KnownValues(all) });
  const { labels, width } = all;
  return featurePairHistograms(known, { ranking: features, labels, width, most });
}

/** Rows whose label is the sign of a product, while each factor alone is independent of it. */
function productRows(n: number, seed: number): LabelledRows {
  const { rows, labels, width } = normalRows({ n, shift: [0, 0, 0], seed });
  labels.forEach((_, i) => labels[i] = rows[3 * i]! * rows[3 * i + 2]! > 0 ? 1 : 0);
  return { rows, labels, width };
}

// Mutants: pairs ranked by the gains of their single features; the second feature never used.
Deno.test("featurePairHistograms() puts the pair of the largest evidence gain first", () => {
  const [best, ...others] = pairHistogramsOf(productRows(4000, 91), columns(3), 2);
  assertEquals(others.length, 1);
  assertEquals(
    new Set(best!.partition.features.map(({ name }) => name)),
    new Set(["output[0]", "output[2]"]),
  );
});

// Mutants: leaf of another bin, inner thresholds of the wrong feature, the last chunk left out, weights ignored.
Deno.test("a feature-pair histogram counts rows in the leaves of its tree", () => {
  const all = productRows(3000, 92);
  // Some numbers are missing or infinite.
  for (let i = 0; i < all.rows.length; i += 7) all.rows[i] = [NaN, Infinity, -Infinity][i % 3]!;
  for (const histogram of pairHistogramsOf(all, columns(3), 3)) {
    const { partition, counts, countLeaves } = histogram;
    const expected = new Float64Array(counts.length);
    all.labels.forEach((label, i) => {
      expected[2 * descend(partition, all.rows.subarray(3 * i, 3 * i + 3)) + label]!++;
    });
    assertEquals(counts, expected);
    const again = new Float64Array(counts.length), compiled = again.slice();
    const weights = Float64Array.from(all.labels, (_, i) => i % 7);
    countLeaves(all.rows, 1, again, weights);
    compileCountLeaves(partition, 3)(all.rows, 1, compiled, weights);
    assertEquals(again, compiled);
    assertEquals(again.reduce((a, b) => a + b, 0), weights.reduce((a, b) => a + b, 0));
    assertEquals(leavesOf(partition).length, new Set(leavesOf(partition)).size);
  }
});

// Mutants: the order of the nodes (sums run over children before parents).
Deno.test("a feature-pair histogram's nodes come after their parents", () => {
  const [histogram] = pairHistogramsOf(productRows(2000, 93), columns(3), 1);
  const { left, right, parent } = histogram!.partition;
  left.forEach((l, node) => {
    if (l < 0) return;
    assert(l > node && right[node]! > node);
    assertEquals([parent[l], parent[right[node]!]], [node, node]);
  });
  assertEquals(parent[0], -1);
});

// Mutants: the length and the sum ranked like all others.
Deno.test("featurePairHistograms() always has the length and the sum of outputs of several lengths", () => {
  const source = new SeededSource(94);
  const all = normalRows({ n: 4000, shift: [0.5, 0.5, 0.5], seed: 95 });
  all.labels.forEach((_, i) => {
    if (source.uniform() < 0.5) all.rows[3 * i + 2] = NaN;
    // The first two numbers have far more information.
    all.labels[i] = all.rows[3 * i]! * all.rows[3 * i + 1]! > 0 ? 1 : 0;
  });
  const present: Feature = { kind: "present", elements: 3, name: "count(output)" };
  const sum: Feature = { kind: "sum", elements: 3, name: "sum(output)" };
  const [first] = pairHistogramsOf(all, [...columns(3), sum, present], 1);
  assertEquals(first!.partition.features, [present, sum]);
  // Where all outputs have one length, the length is in no pair.
  const even = normalRows({ n: 4000, shift: [0.5, 0.5, 0.5], seed: 96 });
  for (const { partition } of pairHistogramsOf(even, [...columns(3), sum, present], 9)) {
    assertEquals(partition.features.includes(present), false);
  }
});
