import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { pluralityVote } from "../../lib/learners/aggregate/plurality_vote.ts";
import { clampedVectorMean } from "../../lib/learners/aggregate/clamped_vector_mean.ts";
import { subsampleAndAggregate } from "../../lib/learners/aggregate/subsample_and_aggregate.ts";
import { answerQueries, queryEvaluator } from "../../lib/learners/queries/answer_queries.ts";
import { marginalQueries, rangeQuery } from "../../lib/learners/queries/box_query.ts";
import { cellOf, finiteDomain, histogramOf } from "../../lib/learners/queries/finite_domain.ts";
import { linearQuery } from "../../lib/learners/queries/linear_query.ts";
import { mwemMechanism, sampleMwem } from "../../lib/learners/queries/mwem.ts";
import { reweightBox } from "../../lib/learners/queries/reweight_box.ts";
import { reweightLinear } from "../../lib/learners/queries/reweight_linear.ts";
import { privateLearner } from "../../lib/learners/pac/private_learner.ts";
import { privateLearnerRows } from "../../lib/learners/pac/private_learner_rows.ts";
import { noisySecondMoments } from "../../lib/learners/sulq/principal_directions.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { scriptedSource } from "./scripted_source.ts";
import { requireLaplaceVariance } from "./drawn_variance.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

/** For query parts. */
export const shipped = {
  queryEvaluator,
  reweightBox,
  reweightLinear,
  linearQuery,
  clampedVectorMean,
  pluralityVote,
  cellOf,
  privateLearnerRows,
};

/** For query parts. */
export type Parts = typeof shipped;

/** For query parts. */
export const domain = finiteDomain({ shape: [2, 3, 4] });

/** For query parts. */
export function requireMwem(seed: number): void {
  const source = new SeededSource(seed).split("mwem");
  const rows = Array.from({ length: 1000 }, () => (source.uint32() % 24) * (source.uint32() % 2));
  const queries = [
    ...marginalQueries(domain, { attributes: [1, 2] }),
    rangeQuery(domain, { 0: [0, 0] }),
    linearQuery(domain, (cell) => cell / 32),
  ];
  const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
  for (const relation of [replaceOne, addRemoveOne]) {
    for (const output of ["average", "last"] as const) {
      const options = {
        domain,
        queries,
        rounds: 30,
        epsilon: 1e6,
        relation,
        output,
        replays: output === "last" ? 5 : 0,
      };
      const estimate = sampleMwem(source, { rows, ...options });
      requireNear(estimate.size, 1000, { absolute: 0.01 });
      requireNear(estimate.histogram.reduce((a, b) => a + b, 0), 1000, { relative: 1e-6 });
      requireEqual(estimate.measurements.length, 30);
      for (const { query, value } of estimate.measurements) {
        requireNear(value, truth[query]!, { absolute: 0.05 });
      }
      const found = answerQueries(estimate.histogram, { domain, queries });
      const worst = Math.max(...found.map((answer, i) => Math.abs(answer - truth[i]!)));
      const even = answerQueries(new Float64Array(24).fill(1000 / 24), { domain, queries });
      const start = Math.max(...even.map((answer, i) => Math.abs(answer - truth[i]!)));
      requireThat(
        worst < (output === "last" ? 0.05 : 0.5) * start,
        () => `${output}: off by ${worst}, where it starts with ${start}`,
      );
      requireEqual((estimate.claim as { epsilon: number }).epsilon, 1e6);
      // The first question is one that is answered worst.
      const first = estimate.measurements[0]!.query;
      requireNear(Math.abs(even[first]! - truth[first]!), start, { relative: 1e-3 });
    }
  }
  const options = { domain, queries, rounds: 3, epsilon: 0.7, relation: replaceOne };
  const { claim, alsoKeeps, width } = mwemMechanism({ ...options, sizes: { min: 1, max: 9 } });
  requireEqual([(claim as { epsilon: number }).epsilon, width], [0.7, undefined]);
  // Choices are of bounded range ε₀, ε₀²/8, measurements ε₀²/2, for ε₀ = ε/(2T).
  requireNear((alsoKeeps![0] as { rho: number }).rho, 3 * 0.625 * (0.7 / 6) ** 2, {
    relative: 1e-9,
  });
  const added = mwemMechanism({ ...options, relation: addRemoveOne, sizes: { min: 1, max: 9 } });
  requireNear((added.alsoKeeps![0] as { rho: number }).rho, (3 * 0.625 + 0.5) * (0.7 / 7) ** 2, {
    relative: 1e-9,
  });
  const run = mwemMechanism({ ...options, sizes: { min: 1, max: 9 } });
  requireEqual(run.sample([1, 2, 3], source).length, 3 * 2 + 1 + 24);
  for (
    const wrong of [{ rounds: 0 }, { rounds: 2 ** 20 + 1 }, { queries: [] }, { epsilon: 0 }, {
      replays: -1,
    }, { relation: changeEach({ by: 1 }) }]
  ) {
    requireRefused(
      JSON.stringify(wrong),
      () => sampleMwem(source, { rows: [1], ...options, ...wrong }),
      "Cannot",
    );
  }
  requireRefused("no rows", () => sampleMwem(source, { rows: [], ...options }), "rows");
  requireRefused("a row that is no cell", () => run.check!([24]));
  sampleMwem(source, { rows: [], ...options, relation: addRemoveOne });
}

/** For query parts. */
export function requireAggregators(
  { clampedVectorMean, pluralityVote }: Parts,
  seed: number,
): void {
  const source = new SeededSource(seed).split("aggregators");
  for (const [dimension, bound, epsilon] of [[1, 2, 0.5], [3, 1, 0.8]] as const) {
    const options = { dimension, bound, granularity: 0.25, epsilon };
    const mechanism = clampedVectorMean(options);
    requireEqual([(mechanism.claim as { epsilon: number }).epsilon, mechanism.width], [
      epsilon,
      dimension,
    ]);
    const vectors = Array.from({ length: 4000 }, () => Array<number>(dimension).fill(0));
    // One vector of 4,000, many times: the noise of its sum in steps.
    const few = vectors.slice(0, 400),
      draws = Array.from({ length: 2000 }, () => mechanism.sample(few, source));
    for (let j = 0; j < dimension; j++) {
      requireLaplaceVariance(draws.map((draw) => draw[j]! * 400 / 0.25), {
        center: 0,
        scale: 2 * (bound / 0.25) * dimension / epsilon,
        what: `coordinate ${j} of ${dimension}`,
      });
    }
    const sharp = clampedVectorMean({ ...options, epsilon: 1e5 });
    const [low, high] = [-9, 9].map((value) => Array<number>(dimension).fill(value));
    requireEqual(
      sharp.sample([low!, high!, high!, high!], source),
      Array<number>(dimension).fill(bound / 2),
    );
    requireThat(
      mechanism.sample([low!], source).every((value) => value >= -bound && value <= bound),
      "beyond the bound",
    );
    for (
      const bad of [[], [[...low!, 1]], [low!.slice(1)], [[...low!.slice(1), NaN]], [[
        ...low!.slice(1),
        Infinity,
      ]]]
    ) requireRefused("vectors", () => mechanism.check!(bad));
    for (
      const wrong of [
        { bound: 0 },
        { granularity: 0.3 },
        { granularity: 2 ** -32 * bound },
        { granularity: 8 },
        { epsilon: 0 },
        { dimension: 0 },
      ]
    ) requireRefused(JSON.stringify(wrong), () => clampedVectorMean({ ...options, ...wrong }));
  }
  // Sums of 2^20 vectors and some stop, and what comes after counts from there.
  const many = 2 ** 20 + 2, fine = { dimension: 1, bound: 1, granularity: 2 ** -31, epsilon: 1 };
  for (const value of [1, -1]) {
    const vectors = new Array<number[]>(many).fill([value], 0, many - 1).fill([-value], many - 1);
    requireEqual(
      clampedVectorMean(fine).sample(vectors, scriptedSource()),
      [value * (2 ** 20 - 1) / many],
      "a mean whose sum stops",
    );
  }
  // Second moments of rows as they are, and of one that is clipped to its half, to the last step.
  for (const relation of [replaceOne, addRemoveOne]) {
    requireEqual(
      noisySecondMoments({ columnCount: 2, normBound: 2, rho: 1, relation }).sample(
        [[1, 1], [0, 2], [1, 0], [4, 0]],
        scriptedSource(),
      ),
      [1 + 0 + 1 + 4, 1, 1 + 4],
      "second moments",
    );
  }
  // Estimates that the aggregator does not take, and those that fail, are replaced; too few rows are refused.
  const odd: Readonly<Record<number, unknown>> = { 7: [NaN], 8: [1, 2], 9: [] };
  for (const [row, mean] of [[1, 1], [-1, 0], [7, 0.5], [8, 0.5], [9, 0.5], [10, 0.5]] as const) {
    const aggregate = subsampleAndAggregate<number, readonly number[], number[]>({
      blocks: 2,
      estimator: ([first]) => {
        if (first === 10) throw new Error("no estimate");
        return (odd[first!] ?? [first]) as number[];
      },
      fallback: [0],
      aggregator: clampedVectorMean({ ...fine, granularity: 0.5, epsilon: 1e5 }),
      relation: replaceOne,
    });
    requireEqual(aggregate.sample([row, 1], source), [mean], `an aggregate with ${row}`);
    requireRefused("fewer rows than blocks", () => aggregate.sample([row], source), "rows");
    requireRefused("fewer rows than blocks", () => aggregate.check!([row]), "rows");
  }
  const votes = pluralityVote({ candidates: ["a", "b", "c"], epsilon: 1.2 });
  const law = votes.distribution!([0, 1, 1, 1, 7, -1]);
  requireNear(Math.log(law[1]!.probability / law[0]!.probability), 1.2 * 2 / 2, { relative: 1e-9 });
  requireNear(Math.log(law[0]!.probability / law[2]!.probability), 1.2 / 2, { relative: 1e-9 });
  requireEqual(
    [votes.claim.relation === replaceOne, (votes.claim as { epsilon: number }).epsilon],
    [true, 1.2],
  );
  // Blocks: all rows once, sizes that differ by one; fallbacks for what fails.
  const seen: number[][] = [];
  const aggregate = (relation: typeof replaceOne, blocks: number) =>
    subsampleAndAggregate<number, number, string>({
      blocks,
      estimator: (block) => {
        seen.push([...block]);
        if (block.length === 1) throw new Error("too few");
        return 1;
      },
      fallback: 0,
      aggregator: pluralityVote({ candidates: ["none", "some"], epsilon: 1e3 }),
      relation,
    });
  const rows = Array.from({ length: 11 }, (_, i) => i);
  requireEqual(aggregate(replaceOne, 4).sample(rows, source), "some");
  requireEqual([
    seen.length,
    seen.map(({ length }) => length).sort((a, b) => a - b),
    seen.flat().sort((a, b) => a - b),
  ], [4, [2, 3, 3, 3], rows]);
  seen.length = 0;
  requireEqual(aggregate(replaceOne, 11).sample(rows, source), "none");
  seen.length = 0;
  aggregate(addRemoveOne, 4).sample(rows, source);
  requireEqual(seen.flat().sort((a, b) => a - b), rows);
  requireRefused("fewer rows than blocks", () => aggregate(replaceOne, 12).check!(rows));
  aggregate(addRemoveOne, 12).check!(rows);
  const { claim } = aggregate(addRemoveOne, 3);
  requireEqual([claim.relation === addRemoveOne, (claim as { epsilon: number }).epsilon], [
    true,
    1e3,
  ]);
  for (const blocks of [0, 1.5, 2 ** 24 + 1]) {
    requireRefused(`${blocks} blocks`, () => aggregate(replaceOne, blocks));
  }
  requireRefused("another relation", () => aggregate(changeEach({ by: 1 }) as never, 2));
  const mean = clampedVectorMean({ dimension: 1, bound: 1, granularity: 0.5, epsilon: 1 });
  requireRefused(
    "a fallback that the aggregator does not take",
    () =>
      subsampleAndAggregate<number, readonly number[], number[]>({
        blocks: 2,
        estimator: () => [0],
        fallback: [0, 0],
        aggregator: mean,
        relation: replaceOne,
      }),
    "fallback",
  );
  requireRefused(
    "an aggregator of other neighbours",
    () =>
      subsampleAndAggregate<number, number, number>({
        blocks: 2,
        estimator: () => 0,
        fallback: 0,
        aggregator: {
          ...pluralityVote({ candidates: [0, 1], epsilon: 1 }),
          claim: privateLearner({
            hypotheses: [0],
            errs: () => false,
            epsilon: 1,
            relation: addRemoveOne,
          }).claim,
        },
        relation: replaceOne,
      }),
    "aggregator",
  );
}
