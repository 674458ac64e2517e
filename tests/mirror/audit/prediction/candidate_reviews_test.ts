import { assert, assertEquals } from "@std/assert";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import type { LabelledRows } from "../../../../lib/audit/encoding/labelled_rows.ts";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import type { CountedPartition } from "../../../../lib/audit/partition/feature_histogram.ts";
import { pruneCounted } from "../../../../lib/audit/prediction/candidate_partitions.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { normalRows } from "../labelled_rows.ts";
import { partitionOf } from "../trees.ts";
import {
  candidatesOf,
  columns,
  count,
  horizon,
  nothing,
  productRows,
  reviewed,
  sideOf,
  sum,
} from "./candidates.ts";

/** Columns that record when they are read. */
function recordedColumns(count: number): { features: Feature[]; read: Set<string> } {
  const read = new Set<string>();
  const features = columns(count).map(({ name }, index): Feature => ({
    kind: "score",
    name,
    score: {
      data: null as never,
      fill(rows, width, from, n, out): void {
        read.add(name);
        for (let i = 0; i < n; i++) out[i] = rows[(from + i) * width + index]!;
      },
    },
  }));
  return { features, read };
}

// Mutants: a review at every batch (it takes time), or none; a better candidate that does not replace the current one.
Deno.test("CandidatePartitions.review() replaces the current partition when the draws have grown, not before", () => {
  const all = normalRows({ n: 1000, shift: [0, 1.5], seed: 64 });
  const candidates = candidatesOf(all, columns(2));
  const current = nothing(all);
  const few = normalRows({ n: 100, shift: [0, 1.5], seed: 65 });
  count(candidates, few, current);
  assertEquals(candidates.review(current, few.rows), undefined);
  const many = normalRows({ n: 3000, shift: [0, 1.5], seed: 66 });
  count(candidates, many, current);
  const next = candidates.review(current, many.rows)!;
  assertEquals(next.partition.features, columns(2).slice(1));
  assertEquals(sum(next.counts), 4100);
  // Reviewed again at once, it stays the current one and is counted once.
  assertEquals(candidates.review(next, many.rows), undefined);
  count(candidates, many, next);
  assertEquals(sum(next.counts), 7100);
});

// Mutants: splits of the grown partition kept for good, or its counts lost with them.
Deno.test("CandidatePartitions.review() prunes the grown partition once, where no candidate is better", () => {
  const all = normalRows({ n: 1000, shift: [0, 1.5, 1.5], seed: 67 });
  // The candidates use only the first number, which is independent of the label.
  const candidates = candidatesOf(all, columns(1));
  const split = { feature: 0, threshold: 0, left: "leaf", right: "leaf" } as const;
  const partition = partitionOf(
    { feature: 1, threshold: 0.75, left: { ...split, feature: 2 }, right: split },
    { features: columns(3) },
  );
  const current: CountedPartition = {
    partition,
    countLeaves: compileCountLeaves(partition, 3),
    counts: new Float64Array(2 * partition.left.length),
  };
  count(candidates, normalRows({ n: 4000, shift: [0, 1.5, 1.5], seed: 68 }), current);
  const next = candidates.review(current, all.rows)!;
  assertEquals(next.partition, pruneCounted(current, 3).partition);
  assertEquals(next.partition.features, columns(3).slice(1));
  assertEquals(sum(next.counts), 4000);
  count(candidates, normalRows({ n: 12_000, shift: [0, 1.5, 1.5], seed: 69 }), next);
  assertEquals(candidates.review(next, all.rows), undefined);
});

// Mutants: no candidate is ever dropped (each costs a feature a draw), or the best ones are.
Deno.test("CandidatePartitions.review() drops the candidates of small bounds, and keeps the best", () => {
  const { features, read: names } = recordedColumns(16);
  const shift = Array.from({ length: 16 }, (_, j) => j === 3 ? 1 : j === 5 ? 0.9 : 0);
  const candidates = candidatesOf(normalRows({ n: 1000, shift, seed: 70 }), features);
  let current: CountedPartition = nothing(normalRows({ n: 1000, shift, seed: 70 }));
  const read: number[] = [];
  for (let k = 0; k < 7; k++) {
    const batch = normalRows({ n: 1000 * Math.ceil(1.7 ** k), shift, seed: 71 + k });
    names.clear();
    count(candidates, batch, current);
    read.push(names.size);
    current = candidates.review(current, batch.rows) ?? current;
  }
  assertEquals(read[0], 16);
  assert(read.every((number, k) => k === 0 || number <= read[k - 1]!), `${read}`);
  assertEquals([...names].sort(), ["3", "5"]);
  // Together these two have more information than the better one alone.
  assertEquals(new Set(current.partition.features), new Set([features[3], features[5]]));
});

// Mutant: candidates kept by their bounds alone.
Deno.test("CandidatePartitions.review() keeps the candidate of the largest evidence gain", () => {
  const width = 24;
  /** On the right twenty columns are far out now and then, and one is always a little higher. */
  const drawn = (n: number, seed: number): LabelledRows => {
    const shift = Array.from({ length: width }, (_, j) => j === 22 ? 0.3 : 0);
    const all = normalRows({ n, shift, seed });
    const source = new SeededSource("far out").split(seed);
    all.labels.forEach((label, i) => {
      for (let j = 0; j < 20; j++) {
        if (label === 1 && source.uniform() < 0.01) all.rows[width * i + j] = 9;
      }
    });
    return all;
  };
  const candidates = candidatesOf(drawn(4000, 95), columns(width), "thorough");
  const current = reviewed(candidates, drawn, { seed: 95, reviews: 5 });
  const names = candidates.ranking(current, horizon)
    .map(({ partition }) => partition.features.map(({ name }) => name).join());
  assert(names.length < 15 && names.includes("22"), names.join("; "));
});

// Mutants: of the pair histograms the one of the largest bound alone; the wrong two features.
Deno.test("CandidatePartitions.review() keeps the pair histogram of the length and the sum", () => {
  const width = 4;
  /** The last two numbers have information together; of the first two one or both are present, by chance. */
  const drawn = (n: number, seed: number): LabelledRows => {
    const { rows, labels } = normalRows({ n, shift: Array(width).fill(0), seed });
    labels.forEach((_, i) => {
      labels[i] = rows[width * i + 2]! * rows[width * i + 3]! > 0 ? 1 : 0;
      if (rows[width * i]! > 0) rows[width * i + 1] = NaN;
    });
    return { rows, labels, width };
  };
  const features: Feature[] = [
    ...columns(width).slice(2),
    { kind: "present", elements: 2, name: "length" },
    { kind: "sum", elements: 2, name: "sum" },
  ];
  for (const seed of [410, 420, 430]) {
    const candidates = candidatesOf(drawn(4000, seed), features, "thorough");
    const current = reviewed(candidates, drawn, { seed, reviews: 5 });
    const names = candidates.ranking(current, horizon)
      .map(({ partition }) => partition.features.map(({ name }) => name).sort().join(" and "));
    assertEquals(names[0], "2 and 3");
    assert(names.length <= 4 && names.includes("length and sum"), names.join("; "));
  }
});

// Mutant: a pair histogram dropped like the others: its information shows late.
Deno.test("CandidatePartitions.review() keeps a pair histogram, however small its bound", () => {
  const { features, read } = recordedColumns(8);
  const all = productRows({ n: 4000, width: 8, seed: 75 });
  const pair = candidatesOf(all, features).ranking(nothing(all), horizon)
    .find(({ partition }) => partition.features.length === 2);
  const own = pair!.partition.features.map(({ name }) => name);
  const candidates = candidatesOf(all, features);
  let current: CountedPartition = nothing(all);
  // From now on the others have information, and these two have none.
  const shift = features.map(({ name }) => own.includes(name) ? 0 : 1 + Number(name) / 10);
  for (let k = 0; k < 6; k++) {
    const batch = normalRows({ n: 10_000 * 2 ** k, shift, seed: 76 + k });
    read.clear();
    count(candidates, batch, current);
    current = candidates.review(current, batch.rows) ?? current;
  }
  assertEquals(current.partition.features.length, 1);
  assert(own.every((name) => read.has(name)) && read.size <= 5, `${[...read]}`);
});

// Mutants: candidates dropped though they cost nothing, or kept for good because of one block of few rows.
Deno.test("CandidatePartitions.review() drops nothing where distinct rows are few", () => {
  const { features, read } = recordedColumns(8);
  const shift = [0.3, 0, 0, 0.2, 0, 0, 0, 0];
  const all = normalRows({ n: 1000, shift, seed: 90 });
  const candidates = candidatesOf(all, features);
  let current: CountedPartition = nothing(all);
  /** Counts many rows again, with weights or without; the number of columns that were read. */
  const columnsRead = (weighted: boolean): number => {
    read.clear();
    for (const label of [0, 1] as const) {
      const rows = sideOf(all, label);
      const weights = new Float64Array(rows.length / 8).fill(20);
      const many = new Float64Array(20 * rows.length);
      for (let k = 0; k < 20; k++) many.set(rows, k * rows.length);
      if (weighted) candidates.count(many, label, { rows, weights });
      else candidates.count(many, label);
      current.countLeaves(rows, label, current.counts, weights);
    }
    const asked = read.size;
    current = candidates.review(current, all.rows) ?? current;
    return asked;
  };
  for (let k = 0; k < 6; k++) assertEquals(columnsRead(true), 8);
  const asked = [0, 1, 2, 3, 4].map(() => columnsRead(false));
  assertEquals(asked[0], 8);
  assert(asked.at(-1)! < 8, `${asked}`);
});
