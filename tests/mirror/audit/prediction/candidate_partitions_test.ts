import { assert, assertEquals } from "@std/assert";
import { STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import type { LabelledRows } from "../../../../lib/audit/encoding/labelled_rows.ts";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import {
  type CountedPartition,
  featureHistogramFor,
  featureHistograms,
  knownFeatures,
} from "../../../../lib/audit/partition/feature_histogram.ts";
import { featurePairHistograms } from "../../../../lib/audit/partition/feature_pair_histogram.ts";
import { leavesOf, trivialPartition } from "../../../../lib/audit/partition/grow_tree.ts";
import { leafLogOdds } from "../../../../lib/audit/partition/pruning_mixture.ts";
import {
  CandidatePartitions,
  informationOf,
  pruneCounted,
} from "../../../../lib/audit/prediction/candidate_partitions.ts";
import { chooseGuesses } from "../../../../lib/audit/prediction/choose_guesses.ts";
import type { Effort } from "../../../../lib/audit/prediction/effort.ts";
import { type ScoreBins, scoreBinsOf, scoreName } from "../../../../lib/audit/scores/score_bins.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { normalRows } from "../labelled_rows.ts";
import { partitionOf } from "../trees.ts";

const horizon = { alpha: 0.02, draws: 50_000 };

function columns(width: number): Feature[] {
  return Array.from({ length: width }, (_, index) => ({ kind: "column", index, name: `${index}` }));
}

function candidatesOf(
  all: LabelledRows,
  features: readonly Feature[],
  effort: Effort = "sparing",
): CandidatePartitions {
  return new CandidatePartitions({ all, features, known: new Map(), bins: new Map() }, effort);
}

/** The rows of one side. */
function sideOf({ rows, labels, width }: LabelledRows, label: 0 | 1): Float64Array {
  return rows.filter((_, at) => labels[Math.floor(at / width)] === label);
}

/** Counts rows of both sides, in the current partition too; with weights, as few distinct rows are, if `areFew`. */
function count(
  candidates: CandidatePartitions,
  all: LabelledRows,
  current?: CountedPartition,
  { areFew = false }: { areFew?: boolean } = {},
): void {
  for (const label of [0, 1] as const) {
    const rows = sideOf(all, label);
    const weights = new Float64Array(rows.length / all.width).fill(1);
    candidates.count(rows, label, areFew ? { rows, weights } : undefined);
    current?.countLeaves(rows, label, current.counts);
  }
}

/**
 * The current partition after so many reviews at the effort "thorough", each of 2.2 times the draws of the one before.
 */
function reviewed(
  candidates: CandidatePartitions,
  drawn: (n: number, seed: number) => LabelledRows,
  { seed, reviews, areFew }: { seed: number; reviews: number; areFew?: boolean },
): CountedPartition {
  let current: CountedPartition = nothing(drawn(4000, seed));
  for (let k = 0; k < reviews; k++) {
    const batch = drawn(4000 * Math.ceil(2.2 ** k), seed + 1 + k);
    count(candidates, batch, current, { areFew: areFew ?? false });
    current = candidates.review(current, batch.rows) ?? current;
  }
  return current;
}

/** One bin for everything, in which some rows were counted. */
function nothing({ labels, width }: LabelledRows): CountedPartition {
  const right = labels.reduce((sum, label) => sum + label, 0);
  return {
    partition: trivialPartition,
    countLeaves: compileCountLeaves(trivialPartition, width),
    counts: Float64Array.of(labels.length - right, right),
  };
}

/** The histograms and the one feature-pair histogram with which candidates of effort `sparing` begin. */
function firstCandidates(all: LabelledRows, features: readonly Feature[]): CountedPartition[] {
  const known = knownFeatures(all, { features, known: new Map() });
  const histograms = featureHistograms(all, known);
  const ranking = histograms.map(({ partition }) => partition.features[0]!);
  const { labels, width } = all;
  return [...histograms, ...featurePairHistograms(known, { ranking, labels, width, most: 1 })];
}

/** Rows whose label is the sign of a product, while each factor alone is independent of it. */
function productRows({ n, width, seed }: { n: number; width: number; seed: number }): LabelledRows {
  const { rows, labels } = normalRows({ n, shift: Array(width).fill(0), seed });
  labels.forEach((_, i) => labels[i] = rows[width * i]! * rows[width * i + 1]! > 0 ? 1 : 0);
  return { rows, labels, width };
}

/** Columns that record when they are read. */
function recordedColumns(count: number): { features: Feature[]; read: Set<string> } {
  const read = new Set<string>();
  const features = columns(count).map(({ name }, index): Feature => ({
    kind: "score",
    name,
    score: {
      fill(rows, width, from, n, out): void {
        read.add(name);
        for (let i = 0; i < n; i++) out[i] = rows[(from + i) * width + index]!;
      },
    },
  }));
  return { features, read };
}

function expectedBoundOf({ partition, counts }: CountedPartition): number {
  const logOdds = leafLogOdds(partition, { counts, standardErrors: STANDARD_ERRORS });
  return chooseGuesses({ counts, leaves: leavesOf(partition), logOdds }, horizon).expectedBound;
}

function sum(counts: Float64Array): number {
  return counts.reduce((a, b) => a + b, 0);
}

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

// Mutants: none is clearly worse; all of smaller bounds are; some are dropped before the refits end or where rows are
// few.
Deno.test("CandidatePartitions.review() drops clearly worse candidates when all refits have ended", () => {
  const features = columns(2);
  const leftOf = (
    { shift, isCopy = false, areFew = false, refits = [] }: {
      shift: number;
      isCopy?: boolean;
      areFew?: boolean;
      refits?: readonly Feature[];
    },
  ): string[] => {
    const drawn = (n: number, seed: number): LabelledRows => {
      const all = normalRows({ n, shift: [shift, 0], seed });
      if (isCopy) all.labels.forEach((_, i) => all.rows[2 * i + 1] = all.rows[2 * i]!);
      return all;
    };
    const all = drawn(4000, 400);
    const scoreBins = scoreBinsOf(all, { elements: 2, differences: false, pooled: false });
    const bins = new Map(refits.map((feature) => [feature, scoreBins]));
    const candidates = new CandidatePartitions(
      { all, features, known: new Map(), bins },
      "thorough",
    );
    const current = reviewed(candidates, drawn, { seed: 400, reviews: 4, areFew });
    const single = candidates.ranking(current, horizon).map(({ partition: { features } }) =>
      features
    )
      .filter(({ length }) => length === 1);
    return [...new Set(single.flat().map(({ name }) => name))].sort();
  };
  assertEquals(leftOf({ shift: 0.5 }), ["0"]);
  assertEquals(leftOf({ shift: 0.5, isCopy: true }), ["0", "1"]);
  assertEquals(leftOf({ shift: 0 }), ["0", "1"]);
  assertEquals(leftOf({ shift: 0.5, refits: features.slice(1) }), ["0", "1"]);
  assertEquals(leftOf({ shift: 0.5, areFew: true }), ["0", "1"]);
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

// Mutants: one refit only, refits of equal size, the first again and again, a refit that begins before the one before
// it ends, the best pooled score alone.
Deno.test("CandidatePartitions of effort sparing refit a score from more and more rows", () => {
  const own = { differences: false, pooled: false }, pooled = { differences: false, pooled: true };
  const steps = { differences: true, pooled: true };
  for (const kinds of [[own], [pooled], [own, pooled], [pooled, own], [pooled, steps]]) {
    checkRefits(kinds);
  }
});

// Mutants: the first score kept, or the refitted one dropped; only candidates dropped, and not the current partition.
Deno.test("CandidatePartitions.review() drops a refitted score's predecessor once the refit has counts", () => {
  for (const isCurrent of [false, true]) {
    const width = 2, n = 60_000;
    const all = normalRows({ n, shift: [0.3, 0.3], seed: 86 });
    const name = scoreName({ differences: false, pooled: false });
    const first: Feature = {
      kind: "score",
      name,
      score: {
        fill(rows, stride, from, count, out): void {
          for (let i = 0; i < count; i++) out[i] = rows[(from + i) * stride]!;
        },
      },
    };
    // With two features there would be a pair histogram, whose bound is larger than either score's.
    const others = isCurrent ? columns(1) : [first];
    const scoreBins = scoreBinsOf(all, { elements: width, differences: false, pooled: false });
    const candidates = new CandidatePartitions({
      all,
      features: others,
      known: new Map(),
      bins: new Map([[others[0]!, scoreBins]]),
    }, "thorough");
    let current = isCurrent ? featureHistogramFor(first, all) : nothing(all);
    const scores = (): CountedPartition[] =>
      candidates.ranking(current, horizon).filter(({ partition: { features } }) =>
        features.length === 1 && features[0]!.name === name
      );
    // New rows each time: fine bins overfit rows that are counted again.
    let seed = 860;
    const reviewWhen = (isDone: () => boolean): void => {
      while (!isDone()) {
        count(candidates, normalRows({ n, shift: [0.3, 0.3], seed: seed++ }), current);
        if (candidates.isReviewDue) current = candidates.review(current, all.rows) ?? current;
      }
    };
    assertEquals(scores().length, 1);
    reviewWhen(() => scores().length === 2);
    reviewWhen(() => scores().length === 1);
    const [left] = scores();
    assert(left!.partition.features[0] !== first);
  }
});

/** Scores of columns or their differences, on their own or pooled. */
function checkRefits(kinds: readonly Pick<ScoreBins, "differences" | "pooled">[]): void {
  const width = 2, n = 60_000, stored = 20_000;
  const all = normalRows({ n, shift: [0.3, 0.3], seed: 85 });
  const first = {
    rows: all.rows.subarray(0, stored * width),
    labels: all.labels.subarray(0, stored),
    width,
  };
  const features = columns(kinds.length);
  const candidates = new CandidatePartitions({
    all: first,
    features,
    known: new Map(),
    bins: new Map(
      kinds.map((kind, k) => [features[k]!, scoreBinsOf(all, { elements: width, ...kind })]),
    ),
  }, "sparing");
  const current = nothing(first);
  let draws = stored;
  const add = (rows: number): void => {
    for (; rows > 0; rows -= n) {
      const some = Math.min(rows, n);
      candidates.count(all.rows.subarray(0, some * width), (draws % 2) as 0 | 1);
      draws += some;
      // Reviews for other reasons take place here.
      if (rows > n && candidates.isReviewDue) candidates.review(current, all.rows);
    }
  };
  // The first refit begins with the stored rows.
  for (const rows of [2 ** 15 - stored, 2 ** 18, 2 ** 20]) {
    add(rows - 1);
    if (candidates.isReviewDue) candidates.review(current, all.rows);
    assert(!candidates.isReviewDue, `${draws}`);
    add(1);
    assert(candidates.isReviewDue, `${draws}`);
    candidates.review(current, all.rows);
    assert(!candidates.isReviewDue);
    const found = candidates.ranking(current, horizon)
      .flatMap(({ partition }) => partition.features.map(({ name }) => name));
    for (const name of kinds.map(scoreName)) {
      assert(found.includes(name), `${found} without ${name}`);
    }
  }
  // No refit follows: only reviews are due, the next one at 1.7 times the draws or later.
  add(Math.floor(0.65 * draws));
  assert(!candidates.isReviewDue);
}

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
