import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { clampedVectorMean } from "../../../lib/papers/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../../lib/papers/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../../lib/papers/aggregate/subsample_and_aggregate.ts";
import { boundedMean } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { quantile } from "../../../lib/dp/mechanisms/quantile.ts";
import { release } from "../../../lib/dp/mechanisms/release.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

function average(rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/** An aggregator that tells everything: shows what the blocks made. */
function telling<Estimate>(): Mechanism<Estimate, Estimate[]> {
  return {
    name: "telling",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    sample: (estimates) => [...estimates],
  };
}

const rows = Array.from({ length: 23 }, (_, i) => i);

Deno.test("subsampleAndAggregate() puts every row into one block, of equal sizes or by itself", () => {
  const source = new SeededSource(650);
  for (const relation of [replaceOne, addRemoveOne]) {
    const mechanism = subsampleAndAggregate<number, readonly number[], (readonly number[])[]>({
      blocks: 5,
      estimator: (block) => block,
      fallback: [],
      aggregator: telling(),
      relation,
    });
    const sizes = new Set<string>(), firsts = new Set<number>();
    for (let run = 0; run < 200; run++) {
      const divided = mechanism.sample(rows, source);
      assertEquals(divided.length, 5);
      assertEquals(divided.flat().sort((a, b) => a - b), rows);
      sizes.add(divided.map(({ length }) => length).join());
      firsts.add(divided.findIndex((block) => block.includes(0)));
    }
    assertEquals(firsts.size, 5);
    if (relation === replaceOne) assertEquals([...sizes], ["5,5,5,4,4"]);
    else assert(sizes.size > 50);
  }
});

Deno.test("subsampleAndAggregate() uses the fallback where a block is empty, fails or is no number", () => {
  const mean = boundedMean({
    bounds: { lower: 0, upper: 8 },
    epsilon: 1000,
    granularity: 2 ** -10,
    relation: replaceOne,
  });
  const shared = { blocks: 4, fallback: 2, aggregator: mean };
  const failing = (): number => {
    throw new Error("no estimate");
  };
  for (const estimator of [failing, () => NaN]) {
    const mechanism = subsampleAndAggregate({ ...shared, estimator, relation: replaceOne });
    assertAlmostEquals(mechanism.sample(rows, new SeededSource(651)), 2, 0.1);
  }
  assertThrows(
    () =>
      subsampleAndAggregate({
        ...shared,
        estimator: () => 1,
        fallback: NaN,
        relation: replaceOne,
      }),
    RangeError,
    "fallback",
  );
  const empty = subsampleAndAggregate({ ...shared, estimator: () => 8, relation: addRemoveOne });
  assertAlmostEquals(empty.sample([], new SeededSource(652)), 2, 0.1);
});

Deno.test("one row changes one estimate, also where the aggregator would judge estimates together", () => {
  const mechanism = subsampleAndAggregate<number, number, readonly number[]>({
    blocks: 4,
    estimator: average,
    fallback: 2,
    aggregator: {
      name: "what it is given",
      claim: pure({ epsilon: 1, relation: replaceOne }),
      check(values): void {
        if (average(values) < 0) throw new RangeError("a negative sum");
      },
      sample: (values) => values,
    },
    relation: replaceOne,
  });
  const outputs = (data: readonly number[]): readonly number[] =>
    mechanism.sample(data, new SeededSource(655)).toSorted((a, b) => a - b);
  assertEquals(outputs([-1, 3, 4, 5]), [2, 3, 4, 5]);
  assertEquals(outputs([-1, 3, 4, -50]), [2, 2, 3, 4]);
});

Deno.test("subsampleAndAggregate() claims what its aggregator does, and release() spends it", () => {
  const aggregator = pluralityVote({ candidates: ["a", "b"], epsilon: 0.5 });
  const shared = { blocks: 4, estimator: () => 0, fallback: 0, aggregator };
  const mechanism = subsampleAndAggregate<number, number, string>({
    ...shared,
    relation: addRemoveOne,
  });
  assertEquals(mechanism.claim, pure({ epsilon: 0.5, relation: addRemoveOne }));
  const budget = openBudget(pure({ epsilon: 0.6, relation: addRemoveOne }));
  assert(["a", "b"].includes(release(mechanism, rows, { budget })));
  assertThrows(() => release(mechanism, rows, { budget }), RangeError);
  const replaced = subsampleAndAggregate({ ...shared, relation: replaceOne });
  assertThrows(() => replaced.check!([1, 2, 3]), RangeError, "number of rows");
  assertThrows(
    () => subsampleAndAggregate({ ...shared, blocks: 0, relation: replaceOne }),
    RangeError,
  );
  const sided = { ...aggregator, claim: pure({ epsilon: 1, relation: addRemoveOne }) };
  assertThrows(
    () => subsampleAndAggregate({ ...shared, aggregator: sided, relation: replaceOne }),
    RangeError,
    "aggregator's relation",
  );
});

Deno.test("the mean of 40 block means is within ln(1/β)·range/(kε) of the mean", () => {
  const source = new SeededSource(653), blocks = 40, epsilon = 0.5, beta = 0.1, runs = 400;
  const data = Array.from({ length: 4000 }, () => 10 * source.uniform() ** 2);
  const mechanism = subsampleAndAggregate<number, number, number>({
    blocks,
    estimator: average,
    fallback: 5,
    aggregator: boundedMean({
      bounds: { lower: 0, upper: 10 },
      epsilon,
      granularity: 2 ** -12,
      relation: replaceOne,
    }),
    relation: replaceOne,
  });
  const truth = average(data), bound = 10 * Math.log(1 / beta) / (blocks * epsilon);
  let within = 0;
  for (let run = 0; run < runs; run++) {
    if (Math.abs(mechanism.sample(data, source) - truth) <= bound) within++;
  }
  // P(|Lap(b)| ≤ b·ln(1/β)) is 1 − β: |z| ≤ 4.5, false alarm 7e-6. Half or double noise would show.
  assertAlmostEquals(within / runs, 1 - beta, 4.5 * Math.sqrt(beta * (1 - beta) / runs));
});

Deno.test("the median of block estimates has few ranks of error, however heavy the tails", () => {
  const source = new SeededSource(654), blocks = 101, epsilon = 1, beta = 0.05, runs = 100;
  // Cauchy data around 20: means are useless, block medians are not.
  const data = Array.from(
    { length: 5050 },
    () => 20 + Math.tan(Math.PI * (source.uniform() - 0.5)),
  );
  const median = (block: readonly number[]): number =>
    block.toSorted((a, b) => a - b)[block.length >> 1]!;
  let seen: readonly number[] = [];
  const inner = quantile({
    level: 0.5,
    bounds: { lower: 0, upper: 64 },
    granularity: 2 ** -4,
    epsilon,
    relation: replaceOne,
  });
  const mechanism = subsampleAndAggregate<number, number, number>({
    blocks,
    estimator: median,
    fallback: 0,
    aggregator: {
      ...inner,
      sample(estimates, random): number {
        seen = estimates;
        return inner.sample(estimates, random);
      },
    },
    relation: replaceOne,
  });
  // G grid points of weight e^(−ε·ranks/2) against the median itself; estimates are rounded to the
  // grid, so that those within a step count for either side.
  const ranks = 2 * Math.log((64 * 16 + 1) / beta) / epsilon;
  let within = 0;
  for (let run = 0; run < runs; run++) {
    const output = mechanism.sample(data, source), step = 2 ** -4;
    const below = seen.filter((estimate) => estimate < output - step).length;
    const above = seen.filter((estimate) => estimate > output + step).length;
    if (below - blocks / 2 <= ranks && above - blocks / 2 <= ranks) within++;
    assertAlmostEquals(output, 20, 1);
  }
  // At least 1 − β: fewer than 87 of 100 have probability 1e-3 at the bound itself.
  assert(within >= 87);
});

interface Labelled {
  readonly features: readonly number[];
  readonly label: number;
}

/** Two clouds in the plane on either side of a line through the origin. */
function clouds(source: Source, count: number): Labelled[] {
  return Array.from({ length: count }, (_, i) => {
    const [a, b] = floatNormal(source, new Float64Array(2));
    const label = i % 2 === 0 ? 1 : -1;
    return { features: [a! + 1.2 * label, b! - 0.6 * label], label };
  });
}

function accuracy(weights: readonly number[], rows: readonly Labelled[]): number {
  return average(
    rows.map(({ features, label }) =>
      label * (weights[0]! * features[0]! + weights[1]! * features[1]!) > 0 ? 1 : 0
    ),
  );
}

/** The direction between the means of the classes. */
function direction(block: readonly Labelled[]): number[] {
  return [0, 1].map((i) => average(block.map(({ features, label }) => label * features[i]!)));
}

Deno.test("a classifier whose weights are aggregated is nearly as good as the one on all rows", () => {
  const source = new SeededSource(655);
  const training = clouds(source, 2000), fresh = clouds(source, 2000);
  const mechanism = subsampleAndAggregate<Labelled, readonly number[], number[]>({
    blocks: 100,
    estimator: direction,
    fallback: [0, 0],
    aggregator: clampedVectorMean({
      dimension: 2,
      bound: 2,
      granularity: 2 ** -10,
      epsilon: 1,
    }),
    relation: replaceOne,
  });
  const reached = Array.from(
    { length: 20 },
    () => accuracy(mechanism.sample(training, source), fresh),
  );
  const plain = accuracy(direction(training), fresh);
  assert(plain > 0.88);
  assert(reached.filter((share) => share >= plain - 0.02).length >= 18);
});

Deno.test("pluralityVote() lacks at most 2·ln(m/β)/ε votes of the most", () => {
  const source = new SeededSource(656), epsilon = 0.5, beta = 0.1, runs = 2000;
  const counts = [30, 28, 10, 4, 0];
  const votes = [...counts.flatMap((count, i) => new Array<number>(count).fill(i)), 77];
  const vote = pluralityVote({ candidates: [0, 1, 2, 3, 4], epsilon });
  const chosen = [0, 0, 0, 0, 0];
  for (let run = 0; run < runs; run++) chosen[vote.sample(votes, source)]!++;
  const short = 2 * Math.log(5 / beta) / epsilon;
  const within = chosen.reduce((sum, times, i) => counts[i]! >= 30 - short ? sum + times : sum, 0);
  assert(within / runs >= 1 - beta);
  // The ratio of the first two is e^(ε·2/2): |z| ≤ 4.5, false alarm 7e-6.
  const p = 1 / (1 + Math.exp(-epsilon)), both = chosen[0]! + chosen[1]!;
  assertAlmostEquals(chosen[0]! / both, p, 4.5 * Math.sqrt(p * (1 - p) / both));
});

Deno.test("clampedVectorMean() adds noise of scale 2·bound·d/(kε) and keeps to the bound", () => {
  const mechanism = clampedVectorMean({ dimension: 2, bound: 1, granularity: 2 ** -8, epsilon: 8 });
  const source = new SeededSource(657), vectors = [[0.25, 9], [-0.25, 9], [0, 9], [0, 9]];
  const runs = 4000, scale = 4 / (4 * 8);
  let sum = 0, errors = 0;
  for (let run = 0; run < runs; run++) {
    const [first, second] = mechanism.sample(vectors, source);
    sum += first!;
    errors += Math.abs(first!);
    assert(second! <= 1 && second! > -1);
  }
  // |z| ≤ 4.5: false alarm 7e-6 each; the absolute noise has mean and deviation `scale`.
  assertAlmostEquals(sum / runs, 0, 4.5 * scale * Math.SQRT2 / Math.sqrt(runs));
  assertAlmostEquals(errors / runs, scale, 4.5 * scale / Math.sqrt(runs));
  assertThrows(() => mechanism.check!([]), RangeError);
  assertThrows(() => mechanism.check!([[1]]), RangeError);
  assertThrows(() => mechanism.check!([[1, Infinity]]), RangeError);
});
