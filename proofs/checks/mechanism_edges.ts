import { replaceOne } from "../../lib/core/relation.ts";
import { baseTwoExponential } from "../../lib/mechanisms/base_two_exponential.ts";
import { exponentialMechanism } from "../../lib/mechanisms/exponential_mechanism.ts";
import {
  analyticGaussian,
  classicalGaussian,
  vectorGaussian,
} from "../../lib/mechanisms/gaussian.ts";
import { geometric, integerLaplace, truncatedGeometric } from "../../lib/mechanisms/geometric.ts";
import { laplace, vectorLaplace } from "../../lib/mechanisms/laplace.ts";
import { snapping } from "../../lib/mechanisms/snapping.ts";
import { aboveThreshold, numericSparseVector } from "../../lib/mechanisms/sparse_vector.ts";
import { staircase } from "../../lib/mechanisms/staircase.ts";
import { BELOW_1, COUNT, NEARLY_1, type Options, type Refusing } from "./refused_values.ts";

const query = (rows: readonly number[]): number => rows[0]!;
const vector = (rows: readonly number[]): readonly number[] => rows;
const number = { query, epsilon: 0.5, sensitivity: 1, relation: replaceOne };
// Noise is drawn up to scales of 2^38 steps: with so large an ε, up to 2^50 steps are told from more.
const large = 2 ** 15;
const onGrid = { ...number, granularity: 2 ** -6 };
const onVectors = { ...onGrid, query: vector, dimension: 2 };
const choice = {
  candidates: [0, 1],
  utilities: vector,
  epsilon: 0.5,
  sensitivity: 1,
  monotone: false,
  relation: replaceOne,
};
const stream = {
  answers: vector,
  epsilon: 0.5,
  sensitivity: 1,
  threshold: 0,
  count: 1,
  granularity: 0.5,
  relation: replaceOne,
  mostAnswers: 2,
};
/** Steps of a grid, and sensitivities in them. */
const STEPS = { granularity: [0.3, 3, 2 ** -901, 2 ** 901], sensitivity: [2 ** 44 + 2 ** -6] };
const STEPS_TAKEN = { granularity: [2 ** -50, 2 ** 900], sensitivity: [2 ** 44] };

/** A pair of bounds as one option each. */
export function between(make: (options: never) => unknown): (options: Options) => unknown {
  return ({ lower, upper, ...options }) => make({ ...options, bounds: { lower, upper } } as never);
}

/** Ends of the options of mechanisms that add noise to numbers or choose, and values beyond them. */
export const MECHANISM_EDGES: readonly Refusing[] = [
  ["laplace", laplace, { ...onGrid, epsilon: large }, STEPS, STEPS_TAKEN],
  ["staircase", staircase, onGrid, { ...STEPS, sensitivity: [2 ** 24 + 2 ** -6] }, {
    sensitivity: [2 ** 24, 2 ** -6, 2 ** -9],
  }],
  ["vectorLaplace", vectorLaplace, { ...onVectors, epsilon: large }, {
    ...STEPS,
    sensitivity: [2 ** 44],
    dimension: COUNT,
  }, { sensitivity: [2 ** 44 - 2 ** -6], dimension: [1] }],
  ["classicalGaussian", classicalGaussian, { ...onGrid, delta: 0.1 }, {
    ...STEPS,
    epsilon: [1, 2],
    delta: BELOW_1,
  }, { epsilon: [NEARLY_1], delta: [1e-300, NEARLY_1] }],
  ["analyticGaussian", analyticGaussian, { ...onGrid, delta: 0.1 }, {
    ...STEPS,
    epsilon: [1e10 * (1 + 2 ** -50)],
    delta: BELOW_1,
  }, { epsilon: [1e10], delta: [1e-300, 0.999] }],
  ["vectorGaussian", vectorGaussian, { ...onVectors, rho: 0.5 }, {
    granularity: STEPS.granularity,
    dimension: COUNT,
  }, { dimension: [1] }],
  ["geometric", geometric, { ...number, epsilon: large }, { sensitivity: COUNT }, {
    sensitivity: [1, 2 ** 50],
  }],
  ["integerLaplace", integerLaplace, { ...number, query: vector, dimension: 2 }, {
    sensitivity: COUNT,
    dimension: COUNT,
  }, { sensitivity: [1], dimension: [1] }],
  ["truncatedGeometric", between(truncatedGeometric), { ...number, lower: 0, upper: 4 }, {
    lower: [5, 0.5, NaN, -(2 ** 51) - 1, "0"],
    upper: [-1, 4.5, NaN, 2 ** 51 + 1, "4"],
    sensitivity: COUNT,
  }, { lower: [4, -(2 ** 51)], upper: [0, 2 ** 51], sensitivity: [1] }],
  // The noise is a little above 1/ε, by 2^−49 of the bound: 2^46 of it are 4/3·2^47.
  ["snapping", snapping, { ...number, bound: 100 }, {
    bound: [2, 2 ** 47 * 1.34],
    sensitivity: [50, 2 ** -42],
  }, { bound: [2.001, 2 ** 47 * 1.33], sensitivity: [49.99] }],
  ["exponentialMechanism", exponentialMechanism, choice, { candidates: [[]] }, {
    candidates: [[0]],
  }],
  ["baseTwoExponential", baseTwoExponential, { ...choice, granularity: 1, bits: 40 }, {
    granularity: STEPS.granularity,
    sensitivity: [2 ** 50 + 1],
    // e^−¼ is above a half.
    bits: [...COUNT, 49, 2],
    epsilon: [1e-13],
  }, { bits: [3, 48], granularity: [2 ** -30] }],
  ...[aboveThreshold, numericSparseVector].map((make): Refusing => [
    make.name,
    make,
    { ...stream, epsilon: large },
    {
      ...STEPS,
      sensitivity: [2 ** 49 + 0.5],
      count: [...COUNT, 2 ** 30 + 1],
      threshold: [NaN, Infinity, -Infinity, "0"],
      mostAnswers: COUNT,
    },
    {
      count: [1, 2 ** 30],
      threshold: [-1e300, 1e300],
      mostAnswers: [1, 65],
      sensitivity: [2 ** 49],
    },
  ]),
];
