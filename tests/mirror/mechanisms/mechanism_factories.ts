import { changeEach, replaceOne } from "../../../lib/core/relation.ts";
import { baseTwoExponential } from "../../../lib/mechanisms/base_two_exponential.ts";
import { boundedMean, boundedSum } from "../../../lib/mechanisms/bounded_sum.ts";
import { contingencyTable } from "../../../lib/mechanisms/contingency_table.ts";
import { count } from "../../../lib/mechanisms/count.ts";
import { exponentialMechanism } from "../../../lib/mechanisms/exponential_mechanism.ts";
import { floatGaussianMechanism } from "../../../lib/mechanisms/float_gaussian_mechanism.ts";
import { floatLaplaceMechanism } from "../../../lib/mechanisms/float_laplace_mechanism.ts";
import { floatSphericalLaplace } from "../../../lib/mechanisms/float_spherical_laplace.ts";
import {
  analyticGaussian,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "../../../lib/mechanisms/gaussian.ts";
import {
  geometric,
  integerLaplace,
  truncatedGeometric,
} from "../../../lib/mechanisms/geometric.ts";
import {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  wrappedNoise,
} from "../../../lib/mechanisms/input_perturbation.ts";
import { laplace, vectorLaplace } from "../../../lib/mechanisms/laplace.ts";
import { noisyHistogram } from "../../../lib/mechanisms/noisy_histogram.ts";
import { permuteAndFlip } from "../../../lib/mechanisms/permute_and_flip.ts";
import { quantile } from "../../../lib/mechanisms/quantile.ts";
import {
  kAryRandomisedResponse,
  randomisedResponse,
} from "../../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../../lib/mechanisms/rappor.ts";
import { reportNoisyMax } from "../../../lib/mechanisms/report_noisy_max.ts";
import { snapping } from "../../../lib/mechanisms/snapping.ts";
import { aboveThreshold, numericSparseVector } from "../../../lib/mechanisms/sparse_vector.ts";
import { staircase } from "../../../lib/mechanisms/staircase.ts";
import { gaussianTreeCounts, treeCounts } from "../../../lib/mechanisms/tree_counts.ts";
import { unaryEncoding } from "../../../lib/mechanisms/unary_encoding.ts";

const epsilon = 0.5, sensitivity = 1, granularity = 2 ** -6, dimension = 2, delta = 0.1, rho = 0.1;
const bounds = { lower: 0, upper: 5 };
const query = { query: (rows: readonly unknown[]): unknown => rows[0], relation: replaceOne };
const onGrid = { ...query, epsilon, sensitivity, granularity };
const onIntegers = { ...query, epsilon, sensitivity };
const each = changeEach({ by: 1 });
const choice = {
  candidates: [0, 1],
  utilities: (rows: readonly number[]): readonly number[] => rows,
  epsilon,
  sensitivity,
  monotone: false,
  relation: each,
};
const stream = {
  answers: (rows: readonly number[]): readonly number[] => rows,
  epsilon,
  sensitivity,
  threshold: 0,
  count: 1,
  granularity,
  relation: each,
  mostAnswers: 2,
};
const bounded = { bounds, epsilon, granularity, relation: replaceOne };
const categories = ["a", "b"];

/** Every factory of a mechanism with options that it takes. */
export const FACTORIES:
  readonly (readonly [(options: never) => unknown, Record<string, unknown>])[] = [
    [laplace, onGrid],
    [vectorLaplace, { ...onGrid, dimension }],
    [staircase, onGrid],
    [classicalGaussian, { ...onGrid, delta }],
    [analyticGaussian, { ...onGrid, delta }],
    [vectorGaussian, { ...query, dimension, rho, sensitivity, granularity }],
    [integerGaussian, { ...query, dimension, rho, sensitivity }],
    [geometric, onIntegers],
    [integerLaplace, { ...onIntegers, dimension }],
    [truncatedGeometric, { ...onIntegers, bounds }],
    [snapping, { ...onIntegers, bound: 100 }],
    [floatLaplaceMechanism, onIntegers],
    [floatGaussianMechanism, { ...onIntegers, delta }],
    [floatSphericalLaplace, { ...onIntegers, dimension }],
    [exponentialMechanism, choice],
    [permuteAndFlip, choice],
    [baseTwoExponential, { ...choice, granularity, bits: 40 }],
    [reportNoisyMax, { ...choice, noise: "laplace", granularity }],
    [reportNoisyMax, { ...choice, noise: "exponential" }],
    [reportNoisyMax, { ...choice, noise: "gumbel" }],
    [aboveThreshold, stream],
    [numericSparseVector, stream],
    [noisyHistogram, { categories, categoryOf: String, epsilon, relation: replaceOne }],
    [contingencyTable, { attributes: { smokes: [true, false] }, epsilon, relation: replaceOne }],
    [treeCounts, { steps: 4, stepOf: Number, epsilon, relation: replaceOne }],
    [gaussianTreeCounts, { steps: 4, stepOf: Number, rho, relation: replaceOne }],
    [count, { where: Boolean, epsilon, relation: replaceOne }],
    [boundedSum, bounded],
    [boundedMean, bounded],
    [quantile, { ...bounded, level: 0.5 }],
    [randomisedResponse, { epsilon }],
    [kAryRandomisedResponse, { epsilon, categories }],
    [unaryEncoding, { epsilon, categories, variant: "optimised" }],
    [rappor, { bits: 8, hashes: 1, forget: 0.5 }],
    [additiveNoise, { size: 10, reach: 2 }],
    [wrappedNoise, { size: 10, reach: 2 }],
    [keepOrReplace, { size: 10, keep: 0.5 }],
    [mixedNoise, { size: 10, reach: 2, keep: 0.5 }],
  ];

/** What is no finite number. */
export const NOT_NUMBERS = [NaN, Infinity, -Infinity, "1", null, undefined];

/** Values that an option must not have. */
export function badValues(option: string): readonly unknown[] {
  switch (option) {
    case "bounds":
      return [
        { lower: 2, upper: 1 },
        { lower: NaN, upper: 1 },
        { lower: 0, upper: Infinity },
        { lower: "0", upper: 1 },
      ];
    case "candidates":
    case "categories":
      return [[]];
    case "attributes":
      return [{ smokes: [] }];
    case "noise":
    case "variant":
      return ["none", undefined];
    // Any number that is finite is one.
    case "threshold":
      return NOT_NUMBERS;
    case "level":
      return [...NOT_NUMBERS, -0.1, 1.1];
    // They may be left out.
    case "mostAnswers":
      return [NaN, Infinity, "1", null, 0, -1, 1.5];
    case "granularity":
      return [NaN, Infinity, "1", null, 0, -1, 1.5];
    case "reach":
      return [...NOT_NUMBERS, -1, 1.5];
    case "bits":
    case "count":
    case "dimension":
    case "hashes":
    case "size":
    case "steps":
      return [...NOT_NUMBERS, 0, -1, 1.5];
    default:
      return [...NOT_NUMBERS, 0, -1];
  }
}
