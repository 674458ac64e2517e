import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { pluralityVote } from "../../lib/learners/aggregate/plurality_vote.ts";
import { clampedVectorMean } from "../../lib/learners/aggregate/clamped_vector_mean.ts";
import { answerQueries, queryEvaluator } from "../../lib/learners/queries/answer_queries.ts";
import { marginalQueries, rangeQuery } from "../../lib/learners/queries/box_query.ts";
import { finiteDomain, histogramOf } from "../../lib/learners/queries/finite_domain.ts";
import type { HistogramQuery } from "../../lib/learners/queries/linear_query.ts";
import { mwemErrorBound } from "../../lib/learners/queries/mwem_error_bound.ts";
import { reweightBox } from "../../lib/learners/queries/reweight_box.ts";
import { reweightLinear } from "../../lib/learners/queries/reweight_linear.ts";
import { privateLearner } from "../../lib/learners/pac/private_learner.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { casesOf, requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import {
  domain,
  type Parts,
  requireAggregators,
  requireMwem,
  shipped,
} from "../checks/query_part_cases.ts";

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
