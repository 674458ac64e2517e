import { changeEach, replaceOne } from "../../lib/core/relation.ts";
import { exponentialFamily } from "../../lib/learners/bayes/exponential_family.ts";
import {
  betaBernoulli,
  dirichletMultinomial,
  gaussianMean,
} from "../../lib/learners/bayes/families.ts";
import {
  type PosteriorFamily,
  posteriorSampling,
} from "../../lib/learners/bayes/posterior_sampling.ts";
import { requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";

/** Samples of a family's posterior. */
export type Sampling = typeof posteriorSampling;

/** A family, all rows that it can have (others are as one of them), and its log-likelihood as it is defined. */
interface Case {
  readonly name: string;
  readonly family: PosteriorFamily<never, never>;
  readonly rows: readonly unknown[];
  readonly logPrior: (parameter: never) => number;
  readonly logLikelihood: (row: never, parameter: never) => number;
}

/** For shipped families. */
export const bernoulli = betaBernoulli({ ones: 2, zeros: 3.5, least: 0.1, resolution: 5 });

/** For shipped families. */
export const dirichlet = dirichletMultinomial({ prior: [1, 2, 0.5], resolution: 6 });

/** For shipped families. */
export const gaussian = gaussianMean({
  bounds: { lower: -1, upper: 2 },
  deviation: 1.5,
  prior: { mean: 0.5, deviation: 2 },
  resolution: 7,
});

/** For shipped families. */
export const parameters = [[-1, 0.5], [0, 0], [0.5, -0.25], [2, 1]];

const logPartition = ([a, b]: readonly number[]): number =>
  Math.log(1 + Math.exp(a!) + Math.exp(b!));

/** For shipped families. */
export const natural = {
  parameters,
  statistic: (row: readonly number[]): readonly number[] => row,
  bounds: { lower: [0, -1], upper: [1, 1] },
  logPartition,
  prior: { mean: [0.25, 0.5], strength: 3 },
};

/** For shipped families. */
export const cases: readonly Case[] = [
  {
    name: "Beta-Bernoulli",
    family: bernoulli as never,
    rows: [true, false],
    logPrior: (p: number) => Math.log(p) + 2.5 * Math.log(1 - p),
    logLikelihood: (flip: boolean, p: number) => Math.log(flip ? p : 1 - p),
  },
  {
    name: "Dirichlet-multinomial",
    family: dirichlet as never,
    rows: [0, 1, 2],
    logPrior: ([, b, c]: readonly number[]) => Math.log(b!) - 0.5 * Math.log(c!),
    logLikelihood: (row: number, p: readonly number[]) => Math.log(p[row]!),
  },
  {
    name: "Gaussian mean",
    family: gaussian as never,
    rows: [-9, -1, -0.3, 0.7, 2, 5],
    logPrior: (mean: number) => -((mean - 0.5) ** 2) / 8,
    logLikelihood: (row: number, mean: number) =>
      -((Math.min(2, Math.max(-1, row)) - mean) ** 2) / 4.5,
  },
  {
    name: "exponential family",
    family: exponentialFamily(natural) as never,
    rows: [[0, 1], [1, 1], [0, -1], [1, -1], [0.5, 0.5], [3, -7], [NaN, 0]],
    logPrior: ([a, b]: readonly number[]) => 3 * (0.25 * a! + 0.5 * b! - logPartition([a!, b!])),
    logLikelihood: (row: readonly number[], [a, b]: readonly number[]) => {
      const [x, y] = [
        row[0]! > 0 ? Math.min(1, row[0]!) : 0,
        row[1]! > -1 ? Math.min(1, row[1]!) : -1,
      ];
      return a! * x + b! * y - logPartition([a!, b!]);
    },
  },
];

/** For shipped families. */
export function requireLaw(
  name: string,
  mechanism: ReturnType<Sampling>,
  { rows, temper, logPrior, logLikelihood, parameters }:
    & Pick<Case, "rows" | "logPrior" | "logLikelihood">
    & {
      readonly temper: number;
      readonly parameters: readonly never[];
    },
): void {
  for (const data of [[], [rows[0]], [rows[1], rows[1], rows[0]], [...rows].slice(0, 4)]) {
    const logs = parameters.map((parameter) =>
      data.reduce<number>(
        (sum, row) => sum + temper * logLikelihood(row as never, parameter),
        logPrior(parameter),
      )
    );
    const most = Math.max(...logs),
      total = logs.reduce((sum, log) => sum + Math.exp(log - most), 0);
    const law = mechanism.distribution!(data as unknown[]);
    law.forEach(({ output, probability }, i) => {
      requireEqual(output[0], parameters[i], `${name}: parameter`);
      requireNear(probability, Math.exp(logs[i]! - most) / total, {
        absolute: 1e-5,
        what: `${name}: posterior of ${data.length} rows`,
      });
    });
  }
}

/** For shipped families. */
export function requireRanges(): void {
  const sampled = { epsilon: 1, relation: replaceOne };
  for (const value of [0, -1, NaN, Infinity]) {
    for (
      const run of [
        () => betaBernoulli({ ones: value, zeros: 1, least: 0.1, resolution: 5 }),
        () => betaBernoulli({ ones: 1, zeros: value, least: 0.1, resolution: 5 }),
        () => betaBernoulli({ ones: 1, zeros: 1, least: value, resolution: 5 }),
        () => betaBernoulli({ ones: 1, zeros: 1, least: 0.1, resolution: value }),
        () => dirichletMultinomial({ prior: [1, value], resolution: 5 }),
        () => dirichletMultinomial({ prior: [1, 1], resolution: value }),
        () =>
          gaussianMean({
            bounds: { lower: 0, upper: value },
            deviation: 1,
            prior: { mean: 0, deviation: 1 },
            resolution: 5,
          }),
        () =>
          gaussianMean({
            bounds: { lower: 0, upper: 1 },
            deviation: value,
            prior: { mean: 0, deviation: 1 },
            resolution: 5,
          }),
        () =>
          gaussianMean({
            bounds: { lower: 0, upper: 1 },
            deviation: 1,
            prior: { mean: 0, deviation: value },
            resolution: 5,
          }),
        () =>
          gaussianMean({
            bounds: { lower: 0, upper: 1 },
            deviation: 1,
            prior: { mean: 0, deviation: 1 },
            resolution: value,
          }),
        () => posteriorSampling(bernoulli, { ...sampled, epsilon: value }),
        () => posteriorSampling(bernoulli, { ...sampled, samples: value }),
        () => posteriorSampling({ ...bernoulli, range: value }, sampled),
        () =>
          exponentialFamily({
            ...natural,
            prior: { mean: [0, 0], strength: value === 0 ? -2 : value },
          }),
      ]
    ) requireRefused(`a number of ${value}`, run);
  }
  for (
    const run of [
      () => betaBernoulli({ ones: 1, zeros: 1, least: 0.5, resolution: 5 }),
      () => betaBernoulli({ ones: 1, zeros: 1, least: 0.1, resolution: 1 }),
      () => dirichletMultinomial({ prior: [1], resolution: 5 }),
      () => dirichletMultinomial({ prior: [1, 1, 1], resolution: 3 }),
      () => dirichletMultinomial({ prior: [1, 1, 1, 1, 1], resolution: 60 }),
      () =>
        gaussianMean({
          bounds: { lower: 0, upper: 1 },
          deviation: 1,
          prior: { mean: 0, deviation: 1 },
          resolution: 1,
        }),
      () => posteriorSampling({ ...bernoulli, parameters: [] }, sampled),
      () => posteriorSampling({ ...bernoulli, parameters: Array(2 ** 16 + 1).fill(0.5) }, sampled),
      () => posteriorSampling(bernoulli, { epsilon: 1, relation: changeEach({ by: 1 }) }),
      () => exponentialFamily({ ...natural, parameters: [] }),
      () => exponentialFamily({ ...natural, parameters: [[1]] }),
      () => exponentialFamily({ ...natural, bounds: { lower: [0, -1], upper: [1] } }),
      () => exponentialFamily({ ...natural, bounds: { lower: [0, 1], upper: [1, 1] } }),
      () => exponentialFamily({ ...natural, bounds: { lower: [], upper: [] } }),
      () =>
        exponentialFamily({
          ...natural,
          bounds: { lower: Array(9).fill(0), upper: Array(9).fill(1) },
          parameters: [Array(9).fill(0)],
          prior: { mean: Array(9).fill(0), strength: 1 },
        }),
      () => exponentialFamily({ ...natural, prior: { mean: [0], strength: 1 } }),
      () => exponentialFamily({ ...natural, logPartition: () => Infinity }),
    ]
  ) requireRefused("an option out of range", run);
  dirichletMultinomial({ prior: [1, 1, 1], resolution: 4 });
  exponentialFamily({ ...natural, prior: { mean: [0, 0], strength: 0 } });
}
