import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { zcdp } from "../../../lib/core/mod.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne, asserted, replaceOne } from "../../../lib/core/relations/relation.ts";
import { clampedVectorMean } from "../../../lib/papers/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../../lib/papers/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../../lib/papers/aggregate/subsample_and_aggregate.ts";
import { privateLearner } from "../../../lib/papers/pac/private_learner.ts";
import { privateLearnerRows } from "../../../lib/papers/pac/private_learner_rows.ts";
import { release } from "../../../lib/dp/mechanisms/release.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const source = new SeededSource(2605);

/** Noise that is not 0 has probability below e^−1000. */
const SURE = 1e6;

// Mutants: sums that begin at a step or stop elsewhere, means beyond the bound, vectors that are not checked.
Deno.test("clampedVectorMean() is the mean of vectors brought into the bound, and stays in it", () => {
  const options = { dimension: 2, bound: 1, granularity: 2 ** -4, epsilon: SURE };
  const mean = clampedVectorMean(options);
  assertEquals(mean.sample([[0.5, -0.25], [1, 1e300], [-0.75, -1e300]], source), [0.25, -0.25 / 3]);
  assertEquals(mean.sample([[5, -5]], source), [1, -1]);
  const loud = clampedVectorMean({ ...options, epsilon: 0.1 });
  const drawn = Array.from({ length: 200 }, () => loud.sample([[0, 0]], source)).flat();
  assert(drawn.every((each) => Math.abs(each) <= 1));
  assert(drawn.includes(1) && drawn.includes(-1));
  for (const sample of [mean.check!, (data: number[][]) => mean.sample(data, source)]) {
    assertThrows(() => sample([]), RangeError, "number of vectors");
    assertThrows(() => sample([[1]]), RangeError, "2 coordinates");
    for (const value of [NaN, Infinity, -Infinity]) {
      assertThrows(() => sample([[0, value]]), RangeError);
    }
  }
  mean.check!([[0, 0]]);
  const refused: [Partial<typeof options>, string][] = [
    [{ bound: 0 }, "bound must be positive"],
    [{ bound: -1 }, "bound must be positive"],
    [{ granularity: 0.3 }, "granularity"],
    [{ bound: 2 ** -6 }, "steps of the granularity"],
    [{ bound: 2 ** 27 + 2 ** -4 }, "steps of the granularity"],
  ];
  for (const [changed, named] of refused) {
    assertThrows(() => clampedVectorMean({ ...options, ...changed }), RangeError, named);
  }
  assertEquals(clampedVectorMean({ ...options, bound: 2 ** -4 }).width, 2);
  assertEquals(clampedVectorMean({ ...options, bound: 2 ** 27 }).width, 2);
});

// Before: sums stopped at 2⁵¹ steps, and the mean of 2²¹ ones was 1/2. Mutants: a limit that forgets the steps of the bound; one vector more.
Deno.test("clampedVectorMean() adds exactly up to 2^51 steps, and refuses more vectors before anything is spent", () => {
  const mean = clampedVectorMean({ dimension: 1, bound: 2 ** 31, granularity: 1, epsilon: 1e13 });
  for (const sign of [1, -1]) {
    const vectors = new Array<number[]>(2 ** 20).fill([sign * 2 ** 31]);
    assertEquals(mean.sample(vectors, new SeededSource(7112)), [sign * 2 ** 31]);
  }
  const many = new Array<number[]>(2 ** 20 + 1).fill([0]);
  const budget = { spend: () => assert(false, "spent on what is refused") };
  assertThrows(() => release(mean, many, { budget }), RangeError, "to 1048576: current value");
  // The bound is named as it was given.
  assertThrows(
    () => clampedVectorMean({ dimension: 1, bound: 1e30, granularity: 1, epsilon: 1 }),
    RangeError,
    "bound must be at most 2147483648 from 0, 2147483648 steps of the granularity: current value is 1e+30",
  );
});

Deno.test("pluralityVote() and privateLearner() count votes and mistakes from 0", () => {
  const vote = pluralityVote({ candidates: ["a", "b", "c"], epsilon: 2 });
  // Scores 2, 1 and 0: shares ∝ e², e and 1, a vote for nobody counts nowhere.
  const total = Math.exp(2) + Math.exp(1) + 1;
  const shares = vote.distribution!([0, 1, 0, 7]);
  assertEquals(shares.map(({ output }) => output), ["a", "b", "c"]);
  shares.forEach(({ probability }, i) => {
    assertAlmostEquals(probability, Math.exp(2 - i) / total, 1e-12);
  });
  const options = { hypotheses: [1, 2], errs: (at: number, row: number) => row < at, epsilon: 2 };
  const learner = privateLearner({ ...options, relation: replaceOne });
  // One mistake and two: e^−1 against e^−2.
  const [first] = learner.distribution!([1, 1, 0]);
  assertAlmostEquals(first!.probability, 1 / (1 + Math.exp(-2)), 1e-12);
  const domain = { size: { min: 1, max: 2 }, rows: { type: "boolean" } } as const;
  assertEquals(privateLearner({ ...options, relation: replaceOne, domain }).domain, domain);
  assert(!("domain" in learner));
  const goal = { hypotheses: 1, epsilon: 1, excess: 0.5, failure: 0.5 };
  // 32·ln 8 = 66.5 rows for the sample, more than the choice needs.
  assertEquals(privateLearnerRows(goal), 67);
  assertThrows(() => privateLearnerRows({ ...goal, hypotheses: 0 }), RangeError, "hypotheses");
});

/** An aggregator that gives back the estimates, and refuses those that are negative. */
const estimates: Mechanism<number, readonly number[]> = {
  name: "all",
  claim: zcdp({ rho: 0.5, relation: replaceOne }),
  alsoKeeps: [zcdp({ rho: 0.25, relation: replaceOne })],
  check: (values) => {
    if (values.some((value) => value < 0)) throw new RangeError("an estimate is negative");
  },
  sample: (values) => [...values],
};

// Mutants: bad estimates that reach the aggregator, claims of another relation, checks left out.
Deno.test("subsampleAndAggregate() puts its fallback where an estimate is missing or refused", () => {
  const options = {
    blocks: 3,
    estimator: (block: readonly number[]) => {
      if (block.includes(13)) throw new Error("unlucky");
      return block[0]!;
    },
    fallback: 7,
    aggregator: estimates,
    relation: replaceOne,
  };
  const mechanism = subsampleAndAggregate<number, number, readonly number[]>(options);
  assertEquals([...mechanism.sample([1, 2, 3], source)].sort(), [1, 2, 3]);
  assertEquals([...mechanism.sample([1, 13, 3], source)].sort(), [1, 3, 7]);
  assertEquals([...mechanism.sample([1, -2, 3], source)].sort(), [1, 3, 7]);
  for (const check of [mechanism.check!, (data: number[]) => mechanism.sample(data, source)]) {
    assertThrows(() => check([1, 2]), RangeError, "number of rows");
  }
  const added = subsampleAndAggregate({ ...options, relation: addRemoveOne });
  assertEquals([...added.sample([], source)], [7, 7, 7]);
  assertEquals(added.claim.relation, addRemoveOne);
  assertEquals(added.alsoKeeps!.map(({ relation }) => relation), [addRemoveOne]);
  assertEquals(mechanism.alsoKeeps, estimates.alsoKeeps);
  const { alsoKeeps: _, ...plain } = estimates;
  assert(!("alsoKeeps" in subsampleAndAggregate({ ...options, aggregator: plain })));
  const domain = { size: { min: 3, max: 3 }, rows: { type: "boolean" } } as const;
  assertEquals(subsampleAndAggregate({ ...options, domain }).domain, domain);
  assert(!("domain" in mechanism));
  const refused: [object, string][] = [
    [{ blocks: 0 }, "blocks"],
    [{ blocks: 2 ** 24 + 1 }, "blocks"],
    [{ relation: asserted }, "relation"],
    [{ fallback: -1 }, "fallback"],
    [{
      aggregator: { ...estimates, claim: zcdp({ rho: 1, relation: addRemoveOne }) },
    }, "aggregator's relation"],
  ];
  for (const [changed, named] of refused) {
    assertThrows(() => subsampleAndAggregate({ ...options, ...changed }), RangeError, named);
  }
  assertEquals([...subsampleAndAggregate({ ...options, blocks: 1 }).sample([5], source)], [5]);
});
