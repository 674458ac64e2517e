import { clampedVectorMean } from "../../lib/learners/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../lib/learners/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../lib/learners/aggregate/subsample_and_aggregate.ts";
import { exponentialFamily } from "../../lib/learners/bayes/exponential_family.ts";
import {
  betaBernoulli,
  dirichletMultinomial,
  gaussianMean,
} from "../../lib/learners/bayes/families.ts";
import { privateLearnerRows } from "../../lib/learners/pac/private_learner_rows.ts";
import { finiteDomain } from "../../lib/learners/queries/finite_domain.ts";
import { linearQuery } from "../../lib/learners/queries/linear_query.ts";
import { sampleMwem } from "../../lib/learners/queries/mwem.ts";
import { mwemErrorBound } from "../../lib/learners/queries/mwem_error_bound.ts";
import { dpSgdMechanism } from "../../lib/learners/sgd/dp_sgd.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  BELOW_1,
  COUNT,
  NO_NUMBER,
  POSITIVE,
  type Refusing,
  relation,
  relations,
  TWO,
} from "./refused_values.ts";

const domain = finiteDomain({ shape: [2, 2] });

const estimate = { estimator: (block: readonly number[]): number => block[0]!, fallback: 0 };

const vote = pluralityVote({ candidates: [0, 1], epsilon: 1 });

/** Other functions of learners, options that they take, and values of each that they must not take. */
export const LEARNER_OPTIONS: readonly Refusing[] = [
  ["privateLearnerRows", privateLearnerRows, {
    hypotheses: 4,
    epsilon: 1,
    excess: 0.1,
    failure: 0.1,
  }, {
    hypotheses: COUNT,
    epsilon: POSITIVE,
    excess: BELOW_1,
    failure: BELOW_1,
  }],
  ["mwemErrorBound", mwemErrorBound, { size: 9, cells: 4, queries: 3, rounds: 2, epsilon: 1 }, {
    size: COUNT,
    cells: COUNT,
    queries: COUNT,
    rounds: COUNT,
    epsilon: POSITIVE,
  }],
  [
    "sampleMwem",
    (options: Omit<Parameters<typeof sampleMwem>[1], "rows">) =>
      sampleMwem(new SeededSource(1), { ...options, rows: [0, 1, 3] } as never),
    {
      domain,
      queries: [linearQuery(domain, (cell) => cell % 2)],
      rounds: 1,
      epsilon: 1,
      replays: 1,
      relation,
    },
    {
      queries: [[]],
      rounds: [...COUNT, 2 ** 20 + 1],
      epsilon: POSITIVE,
      replays: [...NO_NUMBER, -1, 0.5],
      relation: relations,
    },
  ],
  ["finiteDomain", finiteDomain, { shape: [2, 3] }, {
    shape: [[], [0], [2, -1], [1.5], [NaN], [2 ** 20, 2 ** 20]],
  }],
  ["dpSgd", dpSgdMechanism, {
    columnCount: 2,
    steps: 3,
    rate: 0.1,
    clip: 1,
    noiseMultiplier: 5,
    learningRate: 0.1,
    delta: 0.01,
  }, {
    columnCount: [...COUNT, 4097],
    steps: COUNT,
    rate: [...POSITIVE, 1.1],
    clip: POSITIVE,
    noiseMultiplier: [...POSITIVE, 0.01, 1000],
    learningRate: POSITIVE,
    delta: [...POSITIVE, 1],
  }],
  ["subsampleAndAggregate", subsampleAndAggregate, {
    blocks: 3,
    ...estimate,
    aggregator: vote,
    relation,
  }, {
    blocks: [...COUNT, 2 ** 24 + 1],
    relation: relations,
  }],
  ["clampedVectorMean", clampedVectorMean, {
    dimension: 2,
    epsilon: 1,
    bound: 1,
    granularity: 2 ** -8,
  }, {
    dimension: COUNT,
    epsilon: POSITIVE,
    bound: [...POSITIVE, 2 ** 24],
    granularity: [...POSITIVE, 0.3],
  }],
  ["pluralityVote", pluralityVote, { candidates: [0, 1], epsilon: 1 }, {
    candidates: [[]],
    epsilon: POSITIVE,
  }],
  ["betaBernoulli", betaBernoulli, { ones: 1, zeros: 1, least: 0.1, resolution: 5 }, {
    ones: POSITIVE,
    zeros: POSITIVE,
    least: [...POSITIVE, 0.5],
    resolution: TWO,
  }],
  ["dirichletMultinomial", dirichletMultinomial, { prior: [1, 1, 1], resolution: 6 }, {
    prior: [[], [1], [1, 0, 1], [1, NaN, 1], [1, -1, 1]],
    resolution: [...COUNT, 3, 1000],
  }],
  ["gaussianMean", gaussianMean, {
    bounds: { lower: -1, upper: 2 },
    deviation: 1,
    prior: { mean: 0, deviation: 1 },
    resolution: 9,
  }, {
    bounds: [{ lower: 2, upper: 2 }, { lower: 3, upper: 2 }, { lower: NaN, upper: 2 }, {
      lower: -Infinity,
      upper: 2,
    }],
    deviation: POSITIVE,
    prior: [{ mean: 0, deviation: 0 }, { mean: 0, deviation: -1 }],
    resolution: TWO,
  }],
  ["exponentialFamily", exponentialFamily, {
    parameters: [[-1], [1]],
    statistic: (row: number) => [row],
    bounds: { lower: [0], upper: [1] },
    logPartition: ([one]: readonly number[]) => Math.log1p(Math.exp(one!)),
    prior: { mean: [0.5], strength: 1 },
  }, {
    parameters: [[], [[-1], [1, 2]], [[]], [[NaN], [1]]],
    bounds: [{ lower: [1], upper: [1] }, { lower: [2], upper: [1] }, { lower: [], upper: [] }, {
      lower: [NaN],
      upper: [1],
    }],
    prior: [{ mean: [0.5], strength: -1 }, { mean: [0.5], strength: NaN }, {
      mean: [],
      strength: 1,
    }],
  }],
];
