import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { pluralityVote } from "../../lib/learners/aggregate/plurality_vote.ts";
import { clampedVectorMean } from "../../lib/learners/aggregate/clamped_vector_mean.ts";
import { subsampleAndAggregate } from "../../lib/learners/aggregate/subsample_and_aggregate.ts";
import { answerQueries, queryEvaluator } from "../../lib/learners/queries/answer_queries.ts";
import { marginalQueries, rangeQuery } from "../../lib/learners/queries/box_query.ts";
import { cellOf, finiteDomain, histogramOf } from "../../lib/learners/queries/finite_domain.ts";
import { type HistogramQuery, linearQuery } from "../../lib/learners/queries/linear_query.ts";
import { mwemMechanism, sampleMwem } from "../../lib/learners/queries/mwem.ts";
import { mwemErrorBound } from "../../lib/learners/queries/mwem_error_bound.ts";
import { reweightBox } from "../../lib/learners/queries/reweight_box.ts";
import { reweightLinear } from "../../lib/learners/queries/reweight_linear.ts";
import { privateLearner } from "../../lib/learners/pac/private_learner.ts";
import { privateLearnerRows } from "../../lib/learners/pac/private_learner_rows.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireLaplaceVariance } from "../checks/drawn_variance.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
  queryEvaluator,
  reweightBox,
  reweightLinear,
  linearQuery,
  clampedVectorMean,
  pluralityVote,
  cellOf,
  privateLearnerRows,
};
type Parts = typeof shipped;

const domain = finiteDomain({ shape: [2, 3, 4] });

/** The codes of a cell, last attribute fastest. */
const codesOf = (
  cell: number,
): [number, number, number] => [Math.floor(cell / 12), Math.floor(cell / 4) % 3, cell % 4];

const isIn = (
  query: { lower: readonly number[]; upper: readonly number[] },
  cell: number,
): boolean => codesOf(cell).every((code, i) => code >= query.lower[i]! && code <= query.upper[i]!);

/** What MWEM, the aggregators and the finite learner are built of. */
export const queryParts = theorem<Parts>({
  id: "queries/query_parts",
  statement:
    "Queries on a finite domain, by boxes and by weights, are answered as sums over cells, and reweighted as their factor says; a clamped mean of vectors has Laplace noise for 2·d·bound, and votes for one vote; MWEM's rounds without noise " +
    "to speak of come to the answers; bounds on errors and rows are those of their theorems.",
  citation:
    "Hardt, Ligett, McSherry 2012; Nissim, Raskhodnikova, Smith 2007; Kasiviswanathan et al. 2008",
  source: "lib/learners/queries, aggregate and pac",
  assumptions: [
    "false alarms: 2e-9 for each of 4 variances; a scale that is off by a quarter is noticed",
  ],
  kind: "statistical",
  checked:
    "a domain of 2 × 3 × 4 cells: all 180 boxes, 20 generated weights; noise of 2,000 clamped means; MWEM of 1,000 rows with ε = 10^6; every option out of range",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "cells and histograms": () => {
        for (let cell = 0; cell < 24; cell++) requireEqual(of.cellOf(domain, codesOf(cell)), cell);
        requireEqual(
          [...histogramOf(domain, [0, 23, 23, 5])],
          Array.from(
            { length: 24 },
            (_, i) => ({ 0: 1, 5: 1, 23: 2 } as Record<number, number>)[i] ?? 0,
          ),
        );
        for (
          const codes of [[2, 0, 0], [0, 3, 0], [0, 0, 4], [-1, 0, 0], [0.5, 0, 0], [0, 0], [
            0,
            0,
            0,
            0,
          ]]
        ) requireRefused(`codes ${codes}`, () => of.cellOf(domain, codes));
        for (const rows of [[24], [-1], [0.5], [NaN]]) {
          requireRefused(`rows ${rows}`, () => histogramOf(domain, rows));
        }
        for (const shape of [[], [0], [2, 1.5], [2 ** 21], [2 ** 10, 2 ** 11]]) {
          requireRefused(`shape ${shape}`, () => finiteDomain({ shape }));
        }
        requireEqual(finiteDomain({ shape: [2 ** 10, 2 ** 10] }).size, 2 ** 20);
      },
      "answers": () => {
        const source = new SeededSource(seed).split("answers");
        const histogram = Float64Array.from({ length: 24 }, () => source.uint32() % 50);
        const queries: HistogramQuery[] = [], stated: number[] = [];
        for (let a = 0; a < 2; a++) {
          for (let b = a; b < 2; b++) {
            for (let c = 0; c < 3; c++) {
              for (let d = c; d < 3; d++) {
                for (let e = 0; e < 4; e++) {
                  for (let f = e; f < 4; f++) {
                    const query = rangeQuery(domain, { 0: [a, b], 1: [c, d], 2: [e, f] });
                    queries.push(query);
                    stated.push(
                      histogram.reduce(
                        (sum, count, cell) => isIn(query, cell) ? sum + count : sum,
                        0,
                      ),
                    );
                  }
                }
              }
            }
          }
        }
        for (let k = 0; k < 20; k++) {
          const weights = Array.from({ length: 24 }, () => source.uniform());
          queries.push(of.linearQuery(domain, (cell) => weights[cell]!));
          // Weights in steps of 2^−16.
          stated.push(
            histogram.reduce(
              (sum, count, cell) => sum + count * Math.round(weights[cell]! * 65536) / 65536,
              0,
            ),
          );
        }
        const evaluate = of.queryEvaluator(domain, queries);
        const found = evaluate(histogram, new Float64Array(queries.length));
        found.forEach((answer, i) =>
          requireNear(answer, stated[i]!, { absolute: 1e-9, what: `query ${i}` })
        );
        requireEqual([...answerQueries(histogram, { domain, queries })], [...found]);
        // Once more, of another histogram: nothing is left from before.
        const half = histogram.map((count) => count / 2);
        evaluate(half, new Float64Array(queries.length)).forEach((answer, i) =>
          requireNear(answer, stated[i]! / 2, { absolute: 1e-9 })
        );
        const linear = queries.slice(-3);
        requireNear(
          of.queryEvaluator(domain, linear)(histogram, new Float64Array(3))[2]!,
          stated.at(-1)!,
          { absolute: 1e-9 },
        );
        // Marginals: every value of an attribute once.
        const marginals = marginalQueries(domain, { attributes: [0, 2] });
        requireEqual(marginals.length, 8);
        const sums = answerQueries(histogram, { domain, queries: marginals });
        marginals.forEach((query, i) => {
          requireEqual([
            query.lower[0],
            query.upper[0],
            query.lower[2],
            query.upper[2],
            query.lower[1],
            query.upper[1],
          ], [i >> 2, i >> 2, i & 3, i & 3, 0, 2]);
          requireNear(
            sums[i]!,
            histogram.reduce((sum, count, cell) => isIn(query, cell) ? sum + count : sum, 0),
            { absolute: 1e-9 },
          );
        });
        requireEqual(rangeQuery(domain, { 1: [2, 2] }), { lower: [0, 2, 0], upper: [1, 2, 3] });
        for (
          const ranges of [{ 3: [0, 0] }, { 1: [2, 1] }, { 1: [0, 3] }, { 1: [-1, 0] }, {
            1: [0.5, 1],
          }, { 1: [0, 1.5] }]
        ) requireRefused(JSON.stringify(ranges), () => rangeQuery(domain, ranges as never));
        requireRefused("an attribute", () => marginalQueries(domain, { attributes: [3] }));
        for (
          const query of [
            { lower: [0, 0, 0], upper: [2, 2, 3] },
            { lower: [0, 0], upper: [1, 2] },
            { lower: [1, 0, 0], upper: [0, 2, 3] },
            { lower: [0, -1, 0], upper: [1, 2, 3] },
            { lower: [0, 0, 0], upper: [1, 2, 3.5] },
            { lower: [0, 0.5, 0], upper: [1, 2, 3] },
            { weights: new Float64Array(23) },
            { weights: new Float64Array(24).fill(1.5) },
            { weights: new Float64Array(24).fill(-0.5) },
            { weights: new Float64Array(24).fill(0.3) },
          ]
        ) {
          requireRefused(JSON.stringify(query), () => of.queryEvaluator(domain, [query]));
        }
        for (const weight of [-0.01, 1.01, NaN]) {
          requireRefused(`a weight of ${weight}`, () => of.linearQuery(domain, () => weight));
        }
        requireRefused(
          "a short histogram",
          () => answerQueries(new Float64Array(23), { domain, queries }),
        );
      },
      "reweighting": () => {
        const before = Float64Array.from({ length: 24 }, (_, i) => 1 + i % 5), size = 100;
        for (
          const query of [
            rangeQuery(domain, { 1: [1, 2], 2: [1, 2] }),
            rangeQuery(domain, {}),
            rangeQuery(domain, { 0: [1, 1] }),
          ]
        ) {
          const after = before.slice();
          of.reweightBox(after, { domain, query, factor: 3, size });
          const raised = before.map((mass, cell) => isIn(query, cell) ? 3 * mass : mass),
            total = raised.reduce((a, b) => a + b);
          after.forEach((mass, cell) =>
            requireNear(mass, size * raised[cell]! / total, { relative: 1e-12 })
          );
        }
        const query = of.linearQuery(domain, (cell) => cell / 32), after = before.slice();
        of.reweightLinear(after, { query, exponent: -0.7, size });
        const raised = before.map((mass, cell) => mass * Math.exp(-0.7 * cell / 32)),
          total = raised.reduce((a, b) => a + b);
        after.forEach((mass, cell) =>
          requireNear(mass, size * raised[cell]! / total, { relative: 1e-12 })
        );
      },
      "MWEM without noise to speak of": () => requireMwem(seed),
      "aggregators": () => requireAggregators(of, seed),
      "the finite learner and bounds": () => {
        for (
          const [hypotheses, epsilon, excess, failure] of [
            [65, 1, 0.1, 0.1],
            [2, 0.01, 0.3, 0.05],
            [1000, 5, 0.02, 0.5],
          ] as const
        ) {
          const stated = Math.max(
            8 * Math.log(4 * hypotheses / failure) / excess ** 2,
            4 * Math.log(2 * hypotheses / failure) / (excess * epsilon),
          );
          requireEqual(
            of.privateLearnerRows({ hypotheses, epsilon, excess, failure }),
            Math.ceil(stated),
          );
        }
        const goal = { hypotheses: 5, epsilon: 1, excess: 0.1, failure: 0.1 };
        for (
          const wrong of [
            { hypotheses: 0 },
            { epsilon: 0 },
            { excess: 0 },
            { excess: 1 },
            { failure: 0 },
            { failure: 1 },
            { failure: NaN },
          ]
        ) requireRefused(JSON.stringify(wrong), () => of.privateLearnerRows({ ...goal, ...wrong }));
        const bound = { size: 1000, cells: 64, queries: 500, rounds: 10, epsilon: 0.5 };
        const { error, probability } = mwemErrorBound(bound);
        requireNear(error, 2000 * Math.sqrt(Math.log(64) / 10) + 100 * Math.log(500) / 0.5);
        requireNear(probability, 1 - 20 / 500);
        requireEqual(mwemErrorBound({ ...bound, queries: 2 }).probability, 0);
        for (const name of ["size", "cells", "queries", "rounds"]) {
          for (const value of [0, 1.5]) {
            requireRefused(
              `${name} of ${value}`,
              () => mwemErrorBound({ ...bound, [name]: value }),
            );
          }
        }
        requireRefused("ε of 0", () => mwemErrorBound({ ...bound, epsilon: 0 }));
        for (const [relation, halved] of [[replaceOne, 2], [addRemoveOne, 1]] as const) {
          const learner = privateLearner<number, number>({
            hypotheses: [0, 1],
            errs: (h, row) => row !== h,
            epsilon: 1.5,
            relation,
          });
          // Mistakes 3 and 1.
          const law = learner.distribution!([1, 1, 1, 0]),
            ratio = law[1]!.probability / law[0]!.probability;
          requireNear(Math.log(ratio), 1.5 * 2 / halved, { relative: 1e-9 });
        }
        requireRefused("another relation", () =>
          privateLearner({
            hypotheses: [0],
            errs: () => false,
            epsilon: 1,
            relation: changeEach({ by: 1 }),
          }));
      },
    }),
  mutants: {
    "boxes one value narrower": {
      ...shipped,
      queryEvaluator: (d, queries) =>
        queryEvaluator(
          d,
          queries.map((query) => "weights" in query ? query : { ...query, upper: query.lower }),
        ),
    },
    "a factor for the complement": {
      ...shipped,
      reweightBox: (histogram, options) =>
        reweightBox(histogram, { ...options, factor: 1 / options.factor }),
    },
    "exponents without their sign": {
      ...shipped,
      reweightLinear: (histogram, options) =>
        reweightLinear(histogram, { ...options, exponent: Math.abs(options.exponent) }),
    },
    "noise for one coordinate": {
      ...shipped,
      clampedVectorMean: (options) =>
        clampedVectorMean({ ...options, epsilon: options.epsilon * options.dimension }),
    },
    "two votes": {
      ...shipped,
      pluralityVote: (options) => pluralityVote({ ...options, epsilon: 2 * options.epsilon }),
    },
  },
});

function requireMwem(seed: number): void {
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

function requireAggregators({ clampedVectorMean, pluralityVote }: Parts, seed: number): void {
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
      const bad of [[], [[...low!, 1]], [[...low!.slice(1), NaN]], [[...low!.slice(1), Infinity]]]
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
