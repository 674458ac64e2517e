import { assert, assertEquals } from "@std/assert";
import { compileAssign } from "../../lib/audit/assign.ts";
import type { Feature } from "../../lib/audit/features.ts";
import { chooseGuesses } from "../../lib/audit/guesses.ts";
import { CAUTIONS, leafLogOdds } from "../../lib/audit/mixture.ts";
import { leavesOf, trivialPartition } from "../../lib/audit/partition.ts";
import { type Counted, profilesOf } from "../../lib/audit/profile.ts";
import { type Pace, pruned, Rivals } from "../../lib/audit/rivals.ts";
import type { LabelledRows } from "../../lib/audit/score_cells.ts";
import { normalRows } from "./labelled_rows.ts";
import { partitionOf } from "./trees.ts";

const horizon = { alpha: 0.02, draws: 50_000 };

function columns(width: number): Feature[] {
  return Array.from({ length: width }, (_, index) => ({ kind: "column", index, name: `${index}` }));
}

function rivalsOf(all: LabelledRows, features: readonly Feature[], pace: Pace = "sparing"): Rivals {
  return new Rivals({ all, features, known: new Map(), cells: new Map() }, pace);
}

/** The rows of one side. */
function sideOf({ rows, labels, width }: LabelledRows, label: 0 | 1): Float64Array {
  return rows.filter((_, at) => labels[Math.floor(at / width)] === label);
}

/** Counts rows of both sides, in the partition in force too. */
function count(rivals: Rivals, all: LabelledRows, inForce?: Counted): void {
  for (const label of [0, 1] as const) {
    rivals.count(sideOf(all, label), label);
    inForce?.assign(sideOf(all, label), label, inForce.counts);
  }
}

/** One cell for everything, in which some rows were counted. */
function nothing({ labels, width }: LabelledRows): Counted {
  const right = labels.reduce((sum, label) => sum + label, 0);
  return {
    partition: trivialPartition,
    assign: compileAssign(trivialPartition, width),
    counts: Float64Array.of(labels.length - right, right),
  };
}

function promiseOf({ partition, counts }: Counted): number {
  const logOdds = leafLogOdds(partition, { counts, cautions: CAUTIONS });
  return chooseGuesses({ counts, leaves: leavesOf(partition), logOdds }, horizon).promise;
}

function sum(counts: Float64Array): number {
  return counts.reduce((a, b) => a + b, 0);
}

// Mutants: the least promising one, the one that tells most of the training rows, always the one in force.
Deno.test("Rivals.best() promises most, of the profiles and the partition in force", () => {
  const all = normalRows({ n: 2000, shift: [0.1, 1.5, 0], seed: 61 });
  const rivals = rivalsOf(all, columns(3));
  const best = rivals.best(nothing(all), horizon);
  assertEquals(best.partition.features, [columns(3)[1]]);
  for (const profile of profilesOf(all, { features: columns(3), known: new Map() })) {
    assert(promiseOf(profile) <= promiseOf(best));
  }
  const noise = rivalsOf({ ...all, labels: all.labels.map((_, i) => i % 2) }, columns(3));
  assert(noise.best(best, horizon) === best);
});

// Mutants: rivals that are not counted on, or one side only.
Deno.test("Rivals.count() counts every row in each of them", () => {
  const all = normalRows({ n: 2000, shift: [0.1, 1.5], seed: 62 });
  const rivals = rivalsOf(all, columns(2));
  const later = normalRows({ n: 3000, shift: [1.5, 0], seed: 63 });
  count(rivals, later);
  const { partition, counts } = rivals.best(nothing(all), horizon);
  const [expected] = profilesOf(all, { features: partition.features, known: new Map() });
  for (const label of [0, 1] as const) {
    expected!.assign(sideOf(later, label), label, expected!.counts);
  }
  assertEquals(counts, expected!.counts);
  assertEquals(sum(counts), 5000);
});

// Mutants: a review at every batch (it takes time), or none; the best of them left out of force.
Deno.test("Rivals.review() puts a better rival in force when the draws have grown, not before", () => {
  const all = normalRows({ n: 1000, shift: [0, 1.5], seed: 64 });
  const rivals = rivalsOf(all, columns(2));
  const inForce = nothing(all);
  const few = normalRows({ n: 100, shift: [0, 1.5], seed: 65 });
  count(rivals, few, inForce);
  assertEquals(rivals.review(inForce, few.rows), undefined);
  const many = normalRows({ n: 3000, shift: [0, 1.5], seed: 66 });
  count(rivals, many, inForce);
  const next = rivals.review(inForce, many.rows)!;
  assertEquals(next.partition.features, [columns(2)[1]]);
  assertEquals(sum(next.counts), 4100);
  // Reviewed again at once, it stays in force, and what it came to be in force for is counted once.
  assertEquals(rivals.review(next, many.rows), undefined);
  count(rivals, many, next);
  assertEquals(sum(next.counts), 7100);
});

// Mutants: splits of the grown partition kept for good, or its counts lost with them.
Deno.test("Rivals.review() cuts the grown partition back once, where no rival is better", () => {
  const all = normalRows({ n: 1000, shift: [0, 1.5, 1.5], seed: 67 });
  // The rivals know only the first number, which tells nothing.
  const rivals = rivalsOf(all, columns(1));
  const split = { feature: 0, threshold: 0, left: "leaf", right: "leaf" } as const;
  const partition = partitionOf(
    { feature: 1, threshold: 0.75, left: { ...split, feature: 2 }, right: split },
    { features: columns(3) },
  );
  const inForce: Counted = {
    partition,
    assign: compileAssign(partition, 3),
    counts: new Float64Array(2 * partition.left.length),
  };
  count(rivals, normalRows({ n: 4000, shift: [0, 1.5, 1.5], seed: 68 }), inForce);
  const next = rivals.review(inForce, all.rows)!;
  assertEquals(next.partition, pruned(inForce, 3).partition);
  assertEquals(next.partition.features, [columns(3)[1], columns(3)[2]]);
  assertEquals(sum(next.counts), 4000);
  count(rivals, normalRows({ n: 12_000, shift: [0, 1.5, 1.5], seed: 69 }), next);
  assertEquals(rivals.review(next, all.rows), undefined);
});

// Mutants: none is ever dropped (they cost a feature a draw each), or the best ones are.
Deno.test("Rivals.review() drops the rivals that promise little, and keeps the best", () => {
  const fills = new Map<string, number>();
  /** Columns that note when they are looked at. */
  const features = columns(16).map(({ name }, index): Feature => ({
    kind: "score",
    name,
    score: {
      fill(rows, width, from, n, out): void {
        fills.set(name, (fills.get(name) ?? 0) + 1);
        for (let i = 0; i < n; i++) out[i] = rows[(from + i) * width + index]!;
      },
    },
  }));
  const shift = Array.from({ length: 16 }, (_, j) => j === 3 ? 1 : j === 5 ? 0.9 : 0);
  const rivals = rivalsOf(normalRows({ n: 1000, shift, seed: 70 }), features);
  let inForce: Counted = nothing(normalRows({ n: 1000, shift, seed: 70 }));
  const looked: number[] = [];
  for (let k = 0; k < 7; k++) {
    const batch = normalRows({ n: 1000 * Math.ceil(1.7 ** k), shift, seed: 71 + k });
    fills.clear();
    count(rivals, batch, inForce);
    looked.push(fills.size);
    inForce = rivals.review(inForce, batch.rows) ?? inForce;
  }
  assertEquals(looked[0], 16);
  assert(looked.every((number, k) => k === 0 || number <= looked[k - 1]!), `${looked}`);
  assertEquals([...fills.keys()].sort(), ["3", "5"]);
  assertEquals(inForce.partition.features, [features[3]]);
});

// Mutants: no second growth, one that is never counted, or one whose training rows count.
Deno.test("Rivals grow a partition of two features a second time, where both together tell more", () => {
  /** On the right a quarter of the rows have both numbers above 0. */
  const drawn = (n: number, seed: number): LabelledRows => {
    const all = normalRows({ n, shift: [0, 0], seed });
    all.labels.forEach((label, i) => {
      if (label === 0 || i % 4 > 0) return;
      for (const at of [2 * i, 2 * i + 1]) all.rows[at] = Math.abs(all.rows[at]!);
    });
    return all;
  };
  const all = drawn(2000, 81);
  const rivals = rivalsOf(all, columns(2), "patient");
  let inForce = nothing(all);
  const batch = drawn(60_000, 82);
  const [left, right] = [sideOf(batch, 0), sideOf(batch, 1)];
  let draws = 2000;
  for (; draws < 1_500_000; draws += 60_000) {
    for (const [label, rows] of [left, right].entries()) {
      rivals.count(rows, label as 0 | 1);
      inForce.assign(rows, label as 0 | 1, inForce.counts);
    }
    inForce = rivals.review(inForce, left) ?? inForce;
  }
  assertEquals(new Set(inForce.partition.features), new Set(columns(2)));
  // It counts only what came after the rows that shaped it: at least 2^19 of them.
  assert(sum(inForce.counts) < draws - 2 ** 19);
  assertEquals(sum(inForce.counts) % 60_000, 0);
});
