import { assert, assertEquals } from "@std/assert";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import { informationOf } from "../../../../lib/audit/prediction/candidate_partitions.ts";
import { normalRows } from "../labelled_rows.ts";
import { partitionOf } from "../trees.ts";
import {
  candidatesOf,
  columns,
  count,
  expectedBoundOf,
  firstCandidates,
  horizon,
  nothing,
  productRows,
  sideOf,
  sum,
} from "./candidates.ts";

// Mutants: the smallest bound, the largest evidence gain of the training rows, always the current one,
// a pair histogram left out, or one without the counts of its training rows.
Deno.test("CandidatePartitions.best() has the largest bound of the histograms, the pair and the current partition", () => {
  const all = normalRows({ n: 2000, shift: [0.1, 1.5, 0], seed: 61 });
  const candidates = candidatesOf(all, columns(3));
  const best = candidates.best(nothing(all), horizon);
  assert(best.partition.features.some(({ name }) => name === "1"));
  const known = firstCandidates(all, columns(3));
  assertEquals(known.length, 4);
  assertEquals(expectedBoundOf(best), Math.max(...known.map(expectedBoundOf)));
  // One feature has no pair; of two that are independent of the label alone the pair is best.
  const [single] = firstCandidates(all, columns(3).slice(1, 2));
  assertEquals(
    candidatesOf(all, columns(3).slice(1, 2)).best(nothing(all), horizon).partition,
    single!.partition,
  );
  const product = productRows({ n: 2000, width: 2, seed: 60 });
  const pair = candidatesOf(product, columns(2)).best(nothing(product), horizon);
  assertEquals(pair.partition, firstCandidates(product, columns(2)).at(-1)!.partition);
  assertEquals(pair.partition.features.length, 2);
  const noise = candidatesOf({ ...all, labels: all.labels.map((_, i) => i % 2) }, columns(3));
  assert(noise.best(best, horizon) === best);
});

// Mutants: candidates that are not counted, or one side only; the pair histogram left out; weights ignored.
Deno.test("CandidatePartitions.count() counts every row in each candidate", () => {
  const one = normalRows({ n: 2000, shift: [0.1, 1.5], seed: 62 });
  const product = productRows({ n: 2000, width: 2, seed: 62 });
  // The best one of a single column is its histogram, of a product the pair's.
  for (const [all, features] of [[one, columns(2).slice(1)], [product, columns(2)]] as const) {
    const [candidates, weighted] = [candidatesOf(all, features), candidatesOf(all, features)];
    const later = normalRows({ n: 3000, shift: [1.5, 0], seed: 63 });
    count(candidates, later);
    const { partition, counts } = candidates.best(nothing(all), horizon);
    assertEquals(partition.features.length, features.length);
    const expected = firstCandidates(all, features)
      .find((own) => own.partition.features.length === features.length)!;
    for (const label of [0, 1] as const) {
      expected.countLeaves(sideOf(later, label), label, expected.counts);
    }
    assertEquals(counts, expected.counts);
    assertEquals(sum(counts), 5000);
    // Rows that occur twice are counted by the distinct ones with weights.
    for (const label of [0, 1] as const) {
      const rows = sideOf(later, label);
      const twice = new Float64Array(2 * rows.length);
      twice.set(rows);
      twice.set(rows, rows.length);
      weighted.count(twice, label, { rows, weights: new Float64Array(rows.length / 2).fill(2) });
      expected.countLeaves(rows, label, expected.counts);
    }
    assertEquals(weighted.best(nothing(all), horizon).counts, expected.counts);
  }
});

// Mutants: counts that are kept, or training rows counted again; a review as late as if no counts were
// reset; other thresholds.
Deno.test("CandidatePartitions.resetCounts() keeps the partitions, and counts and reviews from 0", () => {
  const one = normalRows({ n: 3000, shift: [0, 1.5], seed: 83 });
  const product = productRows({ n: 3000, width: 2, seed: 84 });
  for (const [all, features] of [[one, columns(2).slice(1)], [product, columns(2)]] as const) {
    const candidates = candidatesOf(all, features);
    count(candidates, all);
    const { partition } = candidates.best(nothing(all), horizon);
    candidates.resetCounts();
    // Without counts no bound is larger than that of one leaf.
    const current = { ...nothing(all), counts: new Float64Array(2) };
    assert(candidates.best(current, horizon) === current);
    count(candidates, all, current);
    const best = candidates.best(current, horizon);
    assert(best.partition === partition);
    const expected = firstCandidates(all, features)
      .find((own) => own.partition.features.length === features.length)!;
    assertEquals(best.counts, expected.counts);
    // The next review comes after 2^16 draws.
    candidates.count(all.rows.slice(0, 2 * (2 ** 16 - 3001) % all.rows.length), 0);
    for (let draws = 3000 + (2 ** 16 - 3001) % 3000; draws < 2 ** 16 - 1; draws += 3000) {
      assert(!candidates.isReviewDue);
      candidates.count(all.rows, 0);
    }
    assert(!candidates.isReviewDue);
    assertEquals(candidates.review(current, all.rows), undefined);
    candidates.count(all.rows.slice(0, 2), 1);
    assert(candidates.isReviewDue);
    assert(candidates.review(current, all.rows)?.partition === partition);
    assert(!candidates.isReviewDue);
  }
});

// Mutants: the share of chance not subtracted; a half left out; more where more was drawn.
Deno.test("informationOf() is half the mean square of tanh(log odds / 2), and at most 0 for noise", () => {
  const bins = partitionOf({ feature: 0, threshold: 0.5, left: "leaf", right: "leaf" }, {
    features: columns(1),
  });
  const countLeaves = compileCountLeaves(bins, 1);
  for (const draws of [1e3, 1e5]) {
    // Of the right side three quarters lie on the right: the log odds are ±ln 3, and tanh of half of that is 1/2.
    const counts = new Float64Array(2 * bins.left.length);
    const [low, high] = [bins.left[0]!, bins.right[0]!];
    counts.set([0.75 * draws, 0.25 * draws], 2 * low);
    counts.set([0.25 * draws, 0.75 * draws], 2 * high);
    const exact = 0.5 * (0.5 ** 2) - 1 / (2 * draws);
    const got = informationOf({ partition: bins, countLeaves, counts });
    assert(Math.abs(got - exact) < 2e-4, `${got} for ${exact}`);
    counts.fill(0);
    counts.set([draws, draws], 2 * low);
    counts.set([draws, draws], 2 * high);
    assert(informationOf({ partition: bins, countLeaves, counts }) <= 0);
  }
});
