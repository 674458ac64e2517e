import type { Effort } from "../../../../lib/audit/prediction/effort.ts";
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
  pruned,
} from "../../../../lib/audit/prediction/candidate_partitions.ts";
import { chooseGuesses } from "../../../../lib/audit/prediction/choose_guesses.ts";
import { type ScoreBins, scoreBinsOf, scoreName } from "../../../../lib/audit/scores/score_bins.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { normalRows } from "../labelled_rows.ts";
import { partitionOf } from "../trees.ts";

const horizon = { alpha: 0.02, draws: 50_000 };

function columns(width: number): Feature[] {
  return Array.from({ length: width }, (_, index) => ({ kind: "column", index, name: `${index}` }));
}

function rivalsOf(
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

/** Counts rows of both sides, in the partition in force too; said to be few different ones, if they are. */
function count(
  rivals: CandidatePartitions,
  all: LabelledRows,
  inForce?: CountedPartition,
  { areFew = false }: { areFew?: boolean } = {},
): void {
  for (const label of [0, 1] as const) {
    const rows = sideOf(all, label);
    const weights = new Float64Array(rows.length / all.width).fill(1);
    rivals.count(rows, label, areFew ? { rows, weights } : undefined);
    inForce?.countLeaves(rows, label, inForce.counts);
  }
}

/** What is in force after so many reviews at the effort "thorough", each of 2.2 times the draws of the one before. */
function reviewed(
  rivals: CandidatePartitions,
  drawn: (n: number, seed: number) => LabelledRows,
  { seed, reviews, areFew }: { seed: number; reviews: number; areFew?: boolean },
): CountedPartition {
  let inForce: CountedPartition = nothing(drawn(4000, seed));
  for (let k = 0; k < reviews; k++) {
    const batch = drawn(4000 * Math.ceil(2.2 ** k), seed + 1 + k);
    count(rivals, batch, inForce, { areFew: areFew ?? false });
    inForce = rivals.review(inForce, batch.rows) ?? inForce;
  }
  return inForce;
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

/** The profiles and the one cross profile with which sparing rivals begin. */
function beginners(all: LabelledRows, features: readonly Feature[]): CountedPartition[] {
  const known = knownFeatures(all, { features, known: new Map() });
  const profiles = featureHistograms(all, known);
  const ranking = profiles.map(({ partition }) => partition.features[0]!);
  const { labels, width } = all;
  return [...profiles, ...featurePairHistograms(known, { ranking, labels, width, most: 1 })];
}

/** Rows whose label is the sign of a product, of which neither factor tells anything alone. */
function productRows({ n, width, seed }: { n: number; width: number; seed: number }): LabelledRows {
  const { rows, labels } = normalRows({ n, shift: Array(width).fill(0), seed });
  labels.forEach((_, i) => labels[i] = rows[width * i]! * rows[width * i + 1]! > 0 ? 1 : 0);
  return { rows, labels, width };
}

/** Columns that note when they are looked at. */
function notedColumns(count: number): { features: Feature[]; looked: Set<string> } {
  const looked = new Set<string>();
  const features = columns(count).map(({ name }, index): Feature => ({
    kind: "score",
    name,
    score: {
      fill(rows, width, from, n, out): void {
        looked.add(name);
        for (let i = 0; i < n; i++) out[i] = rows[(from + i) * width + index]!;
      },
    },
  }));
  return { features, looked };
}

function promiseOf({ partition, counts }: CountedPartition): number {
  const logOdds = leafLogOdds(partition, { counts, standardErrors: STANDARD_ERRORS });
  return chooseGuesses({ counts, leaves: leavesOf(partition), logOdds }, horizon).expectedBound;
}

function sum(counts: Float64Array): number {
  return counts.reduce((a, b) => a + b, 0);
}

// Mutants: the least promising one, the one that tells most of the training rows, always the one in force,
// a cross profile left out or made known without the counts of its training rows.
Deno.test("Rivals.best() promises most, of the profiles, the cross and the partition in force", () => {
  const all = normalRows({ n: 2000, shift: [0.1, 1.5, 0], seed: 61 });
  const rivals = rivalsOf(all, columns(3));
  const best = rivals.best(nothing(all), horizon);
  assert(best.partition.features.some(({ name }) => name === "1"));
  const known = beginners(all, columns(3));
  assertEquals(known.length, 4);
  assertEquals(promiseOf(best), Math.max(...known.map(promiseOf)));
  // Alone there is nothing to cross with; of two that tell nothing alone the cross is best.
  const [single] = beginners(all, columns(3).slice(1, 2));
  assertEquals(
    rivalsOf(all, columns(3).slice(1, 2)).best(nothing(all), horizon).partition,
    single!.partition,
  );
  const product = productRows({ n: 2000, width: 2, seed: 60 });
  const cross = rivalsOf(product, columns(2)).best(nothing(product), horizon);
  assertEquals(cross.partition, beginners(product, columns(2)).at(-1)!.partition);
  assertEquals(cross.partition.features.length, 2);
  const noise = rivalsOf({ ...all, labels: all.labels.map((_, i) => i % 2) }, columns(3));
  assert(noise.best(best, horizon) === best);
});

// Mutants: rivals that are not counted on, or one side only; the cross profile left out; weights ignored.
Deno.test("Rivals.count() counts every row in each of them", () => {
  const one = normalRows({ n: 2000, shift: [0.1, 1.5], seed: 62 });
  const product = productRows({ n: 2000, width: 2, seed: 62 });
  // The best of a single column is its profile, of a product the cross profile.
  for (const [all, features] of [[one, columns(2).slice(1)], [product, columns(2)]] as const) {
    const [rivals, weighted] = [rivalsOf(all, features), rivalsOf(all, features)];
    const later = normalRows({ n: 3000, shift: [1.5, 0], seed: 63 });
    count(rivals, later);
    const { partition, counts } = rivals.best(nothing(all), horizon);
    assertEquals(partition.features.length, features.length);
    const expected = beginners(all, features)
      .find((own) => own.partition.features.length === features.length)!;
    for (const label of [0, 1] as const) {
      expected.countLeaves(sideOf(later, label), label, expected.counts);
    }
    assertEquals(counts, expected.counts);
    assertEquals(sum(counts), 5000);
    // Of rows that occur twice the distinct ones are enough.
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
Deno.test("Rivals.review() thresholds the grown partition back once, where no rival is better", () => {
  const all = normalRows({ n: 1000, shift: [0, 1.5, 1.5], seed: 67 });
  // The rivals know only the first number, which tells nothing.
  const rivals = rivalsOf(all, columns(1));
  const split = { feature: 0, threshold: 0, left: "leaf", right: "leaf" } as const;
  const partition = partitionOf(
    { feature: 1, threshold: 0.75, left: { ...split, feature: 2 }, right: split },
    { features: columns(3) },
  );
  const inForce: CountedPartition = {
    partition,
    countLeaves: compileCountLeaves(partition, 3),
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
  const { features, looked: names } = notedColumns(16);
  const shift = Array.from({ length: 16 }, (_, j) => j === 3 ? 1 : j === 5 ? 0.9 : 0);
  const rivals = rivalsOf(normalRows({ n: 1000, shift, seed: 70 }), features);
  let inForce: CountedPartition = nothing(normalRows({ n: 1000, shift, seed: 70 }));
  const looked: number[] = [];
  for (let k = 0; k < 7; k++) {
    const batch = normalRows({ n: 1000 * Math.ceil(1.7 ** k), shift, seed: 71 + k });
    names.clear();
    count(rivals, batch, inForce);
    looked.push(names.size);
    inForce = rivals.review(inForce, batch.rows) ?? inForce;
  }
  assertEquals(looked[0], 16);
  assert(looked.every((number, k) => k === 0 || number <= looked[k - 1]!), `${looked}`);
  assertEquals([...names].sort(), ["3", "5"]);
  // Together these two tell more than the better one alone.
  assertEquals(new Set(inForce.partition.features), new Set([features[3], features[5]]));
});

// Mutant: rivals kept by what their clearest bins promise alone.
Deno.test("Rivals.review() keeps the rival that tells most in all of its bins", () => {
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
  const rivals = rivalsOf(drawn(4000, 95), columns(width), "thorough");
  const inForce = reviewed(rivals, drawn, { seed: 95, reviews: 5 });
  const names = rivals.ranking(inForce, horizon)
    .map(({ partition }) => partition.features.map(({ name }) => name).join());
  assert(names.length < 15 && names.includes("22"), names.join("; "));
});

// Mutants: nothing is hopeless; all is that promises less; some are before the lessons are over or where rows are few.
Deno.test("Rivals.review() drops what is hopeless when all lessons are over", () => {
  const features = columns(2);
  const leftOf = (
    { shift, isCopy = false, areFew = false, lessons = [] }: {
      shift: number;
      isCopy?: boolean;
      areFew?: boolean;
      lessons?: readonly Feature[];
    },
  ): string[] => {
    const drawn = (n: number, seed: number): LabelledRows => {
      const all = normalRows({ n, shift: [shift, 0], seed });
      if (isCopy) all.labels.forEach((_, i) => all.rows[2 * i + 1] = all.rows[2 * i]!);
      return all;
    };
    const all = drawn(4000, 400);
    const layout = scoreBinsOf(all, { elements: 2, differences: false, pooled: false });
    const bins = new Map(lessons.map((feature) => [feature, layout]));
    const rivals = new CandidatePartitions(
      { all, features, known: new Map(), bins },
      "thorough",
    );
    const inForce = reviewed(rivals, drawn, { seed: 400, reviews: 4, areFew });
    const single = rivals.ranking(inForce, horizon).map(({ partition: { features } }) => features)
      .filter(({ length }) => length === 1);
    return [...new Set(single.flat().map(({ name }) => name))].sort();
  };
  assertEquals(leftOf({ shift: 0.5 }), ["0"]);
  assertEquals(leftOf({ shift: 0.5, isCopy: true }), ["0", "1"]);
  assertEquals(leftOf({ shift: 0 }), ["0", "1"]);
  assertEquals(leftOf({ shift: 0.5, lessons: features.slice(1) }), ["0", "1"]);
  assertEquals(leftOf({ shift: 0.5, areFew: true }), ["0", "1"]);
});

// Mutants: of the cross profiles the most promising one alone; the wrong two features.
Deno.test("Rivals.review() keeps the cross profile of the length and the sum", () => {
  const width = 4;
  /** The last two numbers tell together; of the first two there are one or both, by chance. */
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
    const rivals = rivalsOf(drawn(4000, seed), features, "thorough");
    const inForce = reviewed(rivals, drawn, { seed, reviews: 5 });
    const names = rivals.ranking(inForce, horizon)
      .map(({ partition }) => partition.features.map(({ name }) => name).sort().join(" and "));
    assertEquals(names[0], "2 and 3");
    assert(names.length <= 4 && names.includes("length and sum"), names.join("; "));
  }
});

// Mutant: a cross profile dropped like the others: what it tells shows late.
Deno.test("Rivals.review() keeps a cross profile, however little it promises", () => {
  const { features, looked } = notedColumns(8);
  const all = productRows({ n: 4000, width: 8, seed: 75 });
  const cross = rivalsOf(all, features).ranking(nothing(all), horizon)
    .find(({ partition }) => partition.features.length === 2);
  const own = cross!.partition.features.map(({ name }) => name);
  const rivals = rivalsOf(all, features);
  let inForce: CountedPartition = nothing(all);
  // From now on the others tell the sides apart, and these two nothing.
  const shift = features.map(({ name }) => own.includes(name) ? 0 : 1 + Number(name) / 10);
  for (let k = 0; k < 6; k++) {
    const batch = normalRows({ n: 10_000 * 2 ** k, shift, seed: 76 + k });
    looked.clear();
    count(rivals, batch, inForce);
    inForce = rivals.review(inForce, batch.rows) ?? inForce;
  }
  assertEquals(inForce.partition.features.length, 1);
  assert(own.every((name) => looked.has(name)) && looked.size <= 5, `${[...looked]}`);
});

// Mutants: rivals dropped though they cost nothing, or kept for good because of one block of few rows.
Deno.test("Rivals.review() drops nothing where rows repeat so often that all cost little", () => {
  const { features, looked } = notedColumns(8);
  const shift = [0.3, 0, 0, 0.2, 0, 0, 0, 0];
  const all = normalRows({ n: 1000, shift, seed: 90 });
  const rivals = rivalsOf(all, features);
  let inForce: CountedPartition = nothing(all);
  /** Looks at many rows again, with weights or without, and says how many columns were asked for. */
  const look = (weighted: boolean): number => {
    looked.clear();
    for (const label of [0, 1] as const) {
      const rows = sideOf(all, label);
      const weights = new Float64Array(rows.length / 8).fill(20);
      const many = new Float64Array(20 * rows.length);
      for (let k = 0; k < 20; k++) many.set(rows, k * rows.length);
      if (weighted) rivals.count(many, label, { rows, weights });
      else rivals.count(many, label);
      inForce.countLeaves(rows, label, inForce.counts, weights);
    }
    const asked = looked.size;
    inForce = rivals.review(inForce, all.rows) ?? inForce;
    return asked;
  };
  for (let k = 0; k < 6; k++) assertEquals(look(true), 8);
  const asked = [0, 1, 2, 3, 4].map(() => look(false));
  assertEquals(asked[0], 8);
  assert(asked.at(-1)! < 8, `${asked}`);
});

// Mutants: counts that are kept, or training rows counted again; a review as late as if no draw was
// forgotten; a partition cut anew.
Deno.test("Rivals.renew() keeps the partitions, and counts and reviews from nothing", () => {
  const one = normalRows({ n: 3000, shift: [0, 1.5], seed: 83 });
  const product = productRows({ n: 3000, width: 2, seed: 84 });
  for (const [all, features] of [[one, columns(2).slice(1)], [product, columns(2)]] as const) {
    const rivals = rivalsOf(all, features);
    count(rivals, all);
    const { partition } = rivals.best(nothing(all), horizon);
    rivals.renew();
    // Who knows nothing promises no more than one bin for everything.
    const inForce = { ...nothing(all), counts: new Float64Array(2) };
    assert(rivals.best(inForce, horizon) === inForce);
    count(rivals, all, inForce);
    const best = rivals.best(inForce, horizon);
    assert(best.partition === partition);
    const expected = beginners(all, features)
      .find((own) => own.partition.features.length === features.length)!;
    assertEquals(best.counts, expected.counts);
    // The next review comes after 2^16 draws.
    rivals.count(all.rows.slice(0, 2 * (2 ** 16 - 3001) % all.rows.length), 0);
    for (let draws = 3000 + (2 ** 16 - 3001) % 3000; draws < 2 ** 16 - 1; draws += 3000) {
      assert(!rivals.isDue);
      rivals.count(all.rows, 0);
    }
    assert(!rivals.isDue);
    assertEquals(rivals.review(inForce, all.rows), undefined);
    rivals.count(all.rows.slice(0, 2), 1);
    assert(rivals.isDue);
    assert(rivals.review(inForce, all.rows)?.partition === partition);
    assert(!rivals.isDue);
  }
});

// Mutants: one lesson only, lessons of equal size, the first again and again, a lesson that the next one
// begins before the end of, the best pooled score alone.
Deno.test("Rivals at a sparing effort learn a score from ever more rows, lesson after lesson", () => {
  const own = { differences: false, pooled: false }, pooled = { differences: false, pooled: true };
  const steps = { differences: true, pooled: true };
  for (const kinds of [[own], [pooled], [own, pooled], [pooled, own], [pooled, steps]]) {
    checkLessons(kinds);
  }
});

// Mutants: the score of the first lesson kept, or the one of the second dropped; only rivals given up, and not what
// was in force.
Deno.test("Rivals.review() drops a score that was learned again, once the new one has been counted", () => {
  for (const isInForce of [false, true]) {
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
    // With two features there would be a cross profile, which promises more than either score.
    const others = isInForce ? columns(1) : [first];
    const layout = scoreBinsOf(all, { elements: width, differences: false, pooled: false });
    const rivals = new CandidatePartitions({
      all,
      features: others,
      known: new Map(),
      bins: new Map([[others[0]!, layout]]),
    }, "thorough");
    let inForce = isInForce ? featureHistogramFor(first, all) : nothing(all);
    const scores = (): CountedPartition[] =>
      rivals.ranking(inForce, horizon).filter(({ partition: { features } }) =>
        features.length === 1 && features[0]!.name === name
      );
    // New rows each time: fine bins learn by heart what comes again.
    let seed = 860;
    const reviewWhen = (isDone: () => boolean): void => {
      while (!isDone()) {
        count(rivals, normalRows({ n, shift: [0.3, 0.3], seed: seed++ }), inForce);
        if (rivals.isDue) inForce = rivals.review(inForce, all.rows) ?? inForce;
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
function checkLessons(kinds: readonly Pick<ScoreBins, "differences" | "pooled">[]): void {
  const width = 2, n = 60_000, stored = 20_000;
  const all = normalRows({ n, shift: [0.3, 0.3], seed: 85 });
  const first = {
    rows: all.rows.subarray(0, stored * width),
    labels: all.labels.subarray(0, stored),
    width,
  };
  const features = columns(kinds.length);
  const rivals = new CandidatePartitions({
    all: first,
    features,
    known: new Map(),
    bins: new Map(
      kinds.map((kind, k) => [features[k]!, scoreBinsOf(all, { elements: width, ...kind })]),
    ),
  }, "sparing");
  const inForce = nothing(first);
  let draws = stored;
  const add = (rows: number): void => {
    for (; rows > 0; rows -= n) {
      const some = Math.min(rows, n);
      rivals.count(all.rows.subarray(0, some * width), (draws % 2) as 0 | 1);
      draws += some;
      // Reviews for other reasons end here.
      if (rows > n && rivals.isDue) rivals.review(inForce, all.rows);
    }
  };
  // The first lesson begins with what is stored.
  for (const rows of [2 ** 15 - stored, 2 ** 18, 2 ** 20]) {
    add(rows - 1);
    if (rivals.isDue) rivals.review(inForce, all.rows);
    assert(!rivals.isDue, `${draws}`);
    add(1);
    assert(rivals.isDue, `${draws}`);
    rivals.review(inForce, all.rows);
    assert(!rivals.isDue);
    const learned = rivals.ranking(inForce, horizon)
      .flatMap(({ partition }) => partition.features.map(({ name }) => name));
    for (const name of kinds.map(scoreName)) {
      assert(learned.includes(name), `${learned} without ${name}`);
    }
  }
  // No lesson follows: nothing is due but reviews, the next one at 1.7 times the draws or later.
  add(Math.floor(0.65 * draws));
  assert(!rivals.isDue);
}

// Mutants: what chance gives not taken off; a half forgotten; more where more was drawn.
Deno.test("informationOf() is half the mean square of the odds' tangent, and nothing for noise", () => {
  const bins = partitionOf({ feature: 0, threshold: 0.5, left: "leaf", right: "leaf" }, {
    features: columns(1),
  });
  const assign = compileCountLeaves(bins, 1);
  for (const draws of [1e3, 1e5]) {
    // Of the right side three quarters lie on the right: the odds are ±ln 3, of which tanh of a half is 1/2.
    const counts = new Float64Array(2 * bins.left.length);
    const [low, high] = [bins.left[0]!, bins.right[0]!];
    counts.set([0.75 * draws, 0.25 * draws], 2 * low);
    counts.set([0.25 * draws, 0.75 * draws], 2 * high);
    const exact = 0.5 * (0.5 ** 2) - 1 / (2 * draws);
    const got = informationOf({ partition: bins, countLeaves: assign, counts });
    assert(Math.abs(got - exact) < 2e-4, `${got} for ${exact}`);
    counts.fill(0);
    counts.set([draws, draws], 2 * low);
    counts.set([draws, draws], 2 * high);
    assert(informationOf({ partition: bins, countLeaves: assign, counts }) <= 0);
  }
});
