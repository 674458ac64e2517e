import { assert, assertEquals } from "@std/assert";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { growTree, pathTo } from "../../../../lib/audit/partition/grow_tree.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { descend } from "../trees.ts";

const column = (index: number): Feature => ({ kind: "column", index, name: `output[${index}]` });

/** Rows of three columns; the label depends on the columns by the planted rule. */
function planted(
  { count, seed, rule }: {
    count: number;
    seed: number;
    rule: (row: readonly number[], source: SeededSource) => 0 | 1;
  },
): { rows: Float64Array; labels: Uint8Array; width: number } {
  const source = new SeededSource(seed);
  const rows = new Float64Array(3 * count), labels = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const row = [source.uniform(), source.uniform(), Math.floor(6 * source.uniform())];
    rows.set(row, 3 * i);
    labels[i] = rule(row, source);
  }
  return { rows, labels, width: 3 };
}

const coin = (source: SeededSource, probability: number): 0 | 1 =>
  source.uniform() < probability ? 1 : 0;

Deno.test("growTree() finds a planted threshold first, near its place", () => {
  const data = planted({
    count: 4000,
    seed: 21,
    rule: ([, x], source) => coin(source, x! > 0.7 ? 0.75 : 0.5),
  });
  const { partition } = growTree({ ...data, features: [column(0), column(1), column(2)] });
  assertEquals(partition.features[partition.feature[0]!]!.name, "output[1]");
  assert(Math.abs(partition.threshold[0]! - 0.7) < 0.05, `${partition.threshold[0]}`);
});

Deno.test("growTree() finds a planted category", () => {
  const data = planted({
    count: 4000,
    seed: 22,
    rule: ([, , c], source) => coin(source, c === 3 ? 0.9 : 0.5),
  });
  const category: Feature = { kind: "category", index: 2, name: "output[2]" };
  const { partition } = growTree({ ...data, features: [column(0), column(1), category] });
  assertEquals(partition.features[partition.feature[0]!], category);
  assertEquals(partition.threshold[0], 3);
});

Deno.test("growTree() finds an event of two outputs in a thousand in the tail", () => {
  const data = planted({
    count: 20_000,
    seed: 23,
    rule: ([x], source) => coin(source, x! > 0.998 ? 1 : 0.5),
  });
  const { counts } = growTree({ ...data, features: [column(0), column(1)] });
  // A leaf of its own, of right outputs only: about 40 lie there.
  let found = false;
  for (let at = 0; at < counts.length; at += 2) found ||= counts[at] === 0 && counts[at + 1]! >= 15;
  assert(found);
});

Deno.test("growTree() seldom splits where labels are independent of the rows", () => {
  let leaves = 0;
  for (let seed = 0; seed < 20; seed++) {
    const data = planted({ count: 2000, seed, rule: (_, source) => coin(source, 0.5) });
    const { partition } = growTree({ ...data, features: [column(0), column(1), column(2)] });
    leaves += (partition.left.length + 1) / 2;
  }
  assert(leaves < 150, `${leaves} leaves in 20 partitions of noise`);
});

Deno.test("growTree() counts every training output in its leaf", () => {
  const data = planted({
    count: 3000,
    seed: 24,
    rule: ([x, y, c], source) => coin(source, x! + y! > 1 ? 0.8 : c! > 2 ? 0.6 : 0.2),
  });
  for (let i = 0; i < data.rows.length; i += 7) data.rows[i] = NaN;
  const features: Feature[] = [
    column(0),
    column(1),
    { kind: "category", index: 2, name: "output[2]" },
    { kind: "sum", elements: 2, name: "sum(output)" },
  ];
  const { partition, counts } = growTree({ ...data, features }, { minLeaf: 20 });
  assert(partition.left.length > 5);
  const expected = new Float64Array(counts.length);
  const compiled = new Float64Array(counts.length);
  data.labels.forEach((label, i) => {
    const row = data.rows.subarray(3 * i, 3 * i + 3);
    expected[2 * descend(partition, row) + label]!++;
    compileCountLeaves(partition, 3)(row, label as 0 | 1, compiled);
  });
  assertEquals(counts, expected);
  assertEquals(compiled, expected);
  for (let node = 0; node < partition.left.length; node++) {
    const l = partition.left[node]!, r = partition.right[node]!;
    if (l < 0) {
      assert(counts[2 * node]! + counts[2 * node + 1]! >= 20, "a leaf below minLeaf");
      continue;
    }
    assert(l > node && r > node && partition.parent[l] === node && partition.parent[r] === node);
    assert(partition.splitPrior[node]! > 0 && partition.splitPrior[node]! < 1);
  }
});

Deno.test("growTree() has at most maxLeaves leaves", () => {
  const data = planted({ count: 3000, seed: 25, rule: ([x], s) => coin(s, x!) });
  const { partition } = growTree({ ...data, features: [column(0)] }, { maxLeaves: 4 });
  assertEquals(partition.left.length, 7);
});

Deno.test("growTree() gives splits a smaller prior where it chooses among more features", () => {
  const data = planted({ count: 3000, seed: 26, rule: ([x], s) => coin(s, x! > 0.5 ? 0.9 : 0.1) });
  const prior = (copies: number): number => {
    const features = Array.from({ length: copies }, () => column(0));
    return growTree({ ...data, features }).partition.splitPrior[0]!;
  };
  assert(prior(20) < prior(1) / 5);
});

Deno.test("growTree() takes rows that are all missing, or all the same", () => {
  for (const fill of [NaN, 0, Infinity]) {
    const rows = new Float64Array(200).fill(fill);
    const labels = Uint8Array.from({ length: 200 }, (_, i) => i % 2);
    const { partition, counts } = growTree({ rows, labels, width: 1, features: [column(0)] });
    assertEquals(partition.left.length, 1);
    assertEquals(counts, Float64Array.of(100, 100));
  }
});

Deno.test("pathTo() lists the conditions from the root to a node", () => {
  const data = planted({
    count: 4000,
    seed: 27,
    rule: ([x, y], source) => coin(source, x! > 0.5 && y! > 0.5 ? 0.9 : 0.4),
  });
  const { partition } = growTree({ ...data, features: [column(0), column(1)] });
  for (let node = 0; node < partition.left.length; node++) {
    if (partition.left[node]! >= 0) continue;
    const path = pathTo(partition, node);
    for (let i = 0; i < 200; i++) {
      const row = data.rows.subarray(3 * i, 3 * i + 3);
      const satisfied = path.every(({ feature, threshold, inside }) => {
        assert(feature.kind === "column");
        return (row[feature.index]! <= threshold) === inside;
      });
      assertEquals(satisfied, descend(partition, row) === node);
    }
  }
});
