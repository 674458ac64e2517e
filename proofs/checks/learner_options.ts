import { clampedVectorMean } from "../../lib/learners/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../lib/learners/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../lib/learners/aggregate/subsample_and_aggregate.ts";
import { exponentialFamily } from "../../lib/learners/bayes/exponential_family.ts";
import {
  betaBernoulli,
  dirichletMultinomial,
  gaussianMean,
} from "../../lib/learners/bayes/families.ts";
import { noisyStatistics } from "../../lib/learners/bayes/noisy_statistics.ts";
import { noisySufficientStatistics } from "../../lib/learners/bayes/noisy_sufficient_statistics.ts";
import {
  posteriorSampling,
  type PosteriorSamplingOptions as SamplingOptions,
} from "../../lib/learners/bayes/posterior_sampling.ts";
import { addRemoveOne } from "../../lib/core/relation.ts";
import { vectorNoise } from "../../lib/learners/erm/vector_noise.ts";
import { privateLearnerRows } from "../../lib/learners/pac/private_learner_rows.ts";
import { finiteDomain } from "../../lib/learners/queries/finite_domain.ts";
import { linearQuery } from "../../lib/learners/queries/linear_query.ts";
import { sampleMwem } from "../../lib/learners/queries/mwem.ts";
import { answerQueries } from "../../lib/learners/queries/answer_queries.ts";
import { mwemErrorBound } from "../../lib/learners/queries/mwem_error_bound.ts";
import { dpSgdMechanism } from "../../lib/learners/sgd/dp_sgd.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  BELOW_1,
  COUNT,
  NEARLY_1,
  NO_NUMBER,
  POSITIVE,
  type Refusing,
  relation,
  relations,
  TWO,
} from "./refused_values.ts";

/** Cells of a domain at most. */
const MOST_CELLS = 2 ** 20;

/** A family in which all parameters are alike. */
const flat = { logPrior: () => 0, logLikelihood: () => 0 };

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
  }, { hypotheses: [1], excess: [1e-9, NEARLY_1], failure: [1e-300, NEARLY_1] }],
  ["mwemErrorBound", mwemErrorBound, { size: 9, cells: 4, queries: 3, rounds: 2, epsilon: 1 }, {
    size: COUNT,
    cells: COUNT,
    queries: COUNT,
    rounds: COUNT,
    epsilon: POSITIVE,
  }, { size: [1], cells: [1], queries: [1], rounds: [1] }],
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
    { rounds: [1, 2], replays: [0], relation: [addRemoveOne] },
  ],
  ["finiteDomain", finiteDomain, { shape: [2, 3] }, {
    shape: [[], [0], [2, -1], [1.5], [NaN], [2 ** 20, 2 ** 20], [MOST_CELLS + 1]],
  }, { shape: [[1], [MOST_CELLS], [1, MOST_CELLS]] }],
  ["dpSgd", dpSgdMechanism, {
    columnCount: 2,
    steps: 1,
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
    noiseMultiplier: [...POSITIVE, 0.1 * NEARLY_1, 100 * (1 + 2 ** -52)],
    learningRate: POSITIVE,
    delta: [...POSITIVE, 1, 1e-15],
  }, {
    columnCount: [1, 4096],
    steps: [1],
    rate: [1],
    noiseMultiplier: [100],
    delta: [0.999],
  }],
  // So little noise hides nothing: one step, and a δ near 1.
  [
    "dpSgd with the least noise",
    dpSgdMechanism,
    {
      columnCount: 1,
      steps: 1,
      rate: 0.001,
      clip: 1,
      noiseMultiplier: 1,
      learningRate: 0.1,
      delta: 0.999,
    },
    { noiseMultiplier: [0.1 * NEARLY_1] },
    { noiseMultiplier: [0.1] },
  ],
  ["subsampleAndAggregate", subsampleAndAggregate, {
    blocks: 3,
    ...estimate,
    aggregator: vote,
    relation,
  }, {
    blocks: [...COUNT, 2 ** 24 + 1],
    relation: relations,
  }, { blocks: [1, 2 ** 16], relation: [addRemoveOne] }],
  ["clampedVectorMean", clampedVectorMean, {
    dimension: 2,
    epsilon: 1,
    bound: 1,
    granularity: 2 ** -8,
  }, {
    dimension: COUNT,
    epsilon: POSITIVE,
    bound: [...POSITIVE, 2 ** -10, 2 ** 23 + 2 ** -8],
    granularity: [...POSITIVE, 0.3],
  }, { dimension: [1], bound: [2 ** -8, 2 ** 23], granularity: [1] }],
  ["pluralityVote", pluralityVote, { candidates: [0, 1], epsilon: 1 }, {
    candidates: [[]],
    epsilon: POSITIVE,
  }, { candidates: [[0]] }],
  ["betaBernoulli", betaBernoulli, { ones: 1, zeros: 1, least: 0.1, resolution: 5 }, {
    ones: POSITIVE,
    zeros: POSITIVE,
    least: [...POSITIVE, 0.5],
    resolution: TWO,
  }, { least: [1e-9, 0.5 - 2 ** -53], resolution: [2] }],
  ["dirichletMultinomial", dirichletMultinomial, { prior: [1, 1, 1], resolution: 6 }, {
    prior: [[], [1], [1, 0, 1], [1, NaN, 1], [1, -1, 1]],
    // 363 parts make 65,341 laws of three categories, 364 make 65,703.
    resolution: [...COUNT, 3, 364, 1000],
  }, { prior: [[1, 2]], resolution: [4, 363] }],
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
  }, { bounds: [{ lower: -9, upper: -2 }], resolution: [2] }],
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
  }, {
    parameters: [[[0]]],
    bounds: [{ lower: [-1], upper: [0] }],
    prior: [{ mean: [0.5], strength: 0 }],
  }],
  [
    "answerQueries",
    (
      { histogram, weights, ...box }: {
        histogram: readonly number[];
        weights: Float64Array;
        lower: readonly number[];
        upper: readonly number[];
      },
    ) =>
      answerQueries(Float64Array.from(histogram), { domain, queries: [box, { weights }] as never }),
    { histogram: [1, 2, 3, 4], weights: new Float64Array(4), lower: [0, 0], upper: [1, 1] },
    {
      histogram: [[], [1, 2, 3], [1, 2, 3, 4, 5]],
      weights: [
        new Float64Array(3),
        new Float64Array(5),
        Float64Array.of(0, 0, 0, -0.5),
        Float64Array.of(0, 0, 0, 1.5),
        Float64Array.of(0, 0, 0, 0.3),
        Float64Array.of(NaN, 0, 0, 0),
      ],
      lower: [[], [0], [0, 0, 0], [-1, 0], [0, 2], [0.5, 0], [NaN, 0]],
      upper: [[], [1], [1, 1, 1], [1, 2], [-1, 1], [1, 0.5], [1, NaN]],
    },
    { weights: [Float64Array.of(0, 1, 0.5, 2 ** -16)], lower: [[1, 1]], upper: [[0, 0], [1, 0]] },
  ],
  [
    "vectorNoise",
    (options: { rate: number }) => vectorNoise(new SeededSource(1), new Float64Array(2), options),
    { rate: 1 },
    { rate: POSITIVE },
    { rate: [1e-300, 1e300] },
  ],
  [
    "posteriorSampling",
    (
      { range, parameters, ...options }: { range: number; parameters: number[] } & SamplingOptions,
    ) => posteriorSampling({ range, parameters, ...flat }, options),
    { range: 1, parameters: [0, 1], epsilon: 1, samples: 2, relation },
    {
      range: POSITIVE,
      parameters: [[], Array(2 ** 16 + 1).fill(0)],
      epsilon: POSITIVE,
      samples: COUNT,
      relation: relations,
    },
    { parameters: [[0], Array(2 ** 16).fill(0)], samples: [1], relation: [addRemoveOne] },
  ],
  [
    "noisyStatistics",
    noisyStatistics,
    { prior: [1, 1], epsilon: 1, relation },
    {
      prior: [[], [1], [1, 0], [1, NaN], [1, -1]],
      epsilon: POSITIVE,
      relation: relations,
    },
    { prior: [[1, 2, 3], [1e-9, 1]], relation: [addRemoveOne] },
  ],
  [
    "noisySufficientStatistics",
    noisySufficientStatistics,
    {
      statistic: (row: number) => [row, row],
      bounds: { lower: [-1, 0], upper: [1, 1] },
      granularity: 2 ** -10,
      epsilon: 1,
      relation,
    },
    {
      bounds: [
        { lower: [], upper: [] },
        { lower: [-1, 0], upper: [1] },
        { lower: [-1, 1], upper: [1, 1] },
        { lower: [-1, 2], upper: [1, 1] },
        { lower: [-1, NaN], upper: [1, 1] },
        { lower: [-1, 0], upper: [1, 2 ** 21 + 2 ** -10] },
        { lower: [-1, -(2 ** 21) - 2 ** -10], upper: [1, 1] },
      ],
      granularity: [...POSITIVE, 0.3, 2, 2 ** -32],
      epsilon: POSITIVE,
      relation: relations,
    },
    {
      bounds: [{ lower: [-1], upper: [1] }, { lower: [-1, 0], upper: [1, 2 ** 21] }],
      granularity: [1, 2 ** -31],
      relation: [addRemoveOne],
    },
  ],
];
