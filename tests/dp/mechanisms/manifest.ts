import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import { changeEach, replaceOne } from "../../../lib/core/relations/relation.ts";
import { baseTwoExponential } from "../../../lib/dp/mechanisms/base_two_exponential.ts";
import { boundedMean, boundedSum } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { contingencyTable } from "../../../lib/dp/mechanisms/contingency_table.ts";
import { count } from "../../../lib/dp/mechanisms/count.ts";
import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { floatGaussianMechanism } from "../../../lib/dp/mechanisms/float_gaussian_mechanism.ts";
import { floatLaplaceMechanism } from "../../../lib/dp/mechanisms/float_laplace_mechanism.ts";
import { floatSphericalLaplace } from "../../../lib/dp/mechanisms/float_spherical_laplace.ts";
import {
  analyticGaussian,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "../../../lib/dp/mechanisms/gaussian.ts";
import {
  geometric,
  integerLaplace,
  truncatedGeometric,
} from "../../../lib/dp/mechanisms/geometric.ts";
import {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  wrappedNoise,
} from "../../../lib/dp/mechanisms/input_perturbation.ts";
import { laplace, vectorLaplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { noisyHistogram } from "../../../lib/dp/mechanisms/noisy_histogram.ts";
import { permuteAndFlip } from "../../../lib/dp/mechanisms/permute_and_flip.ts";
import { quantile } from "../../../lib/dp/mechanisms/quantile.ts";
import {
  kAryRandomisedResponse,
  randomisedResponse,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import { rappor } from "../../../lib/dp/mechanisms/rappor.ts";
import { reportNoisyMax } from "../../../lib/dp/mechanisms/report_noisy_max.ts";
import { snapping } from "../../../lib/dp/mechanisms/snapping.ts";
import { aboveThreshold, numericSparseVector } from "../../../lib/dp/mechanisms/sparse_vector.ts";
import { staircase } from "../../../lib/dp/mechanisms/staircase.ts";
import { gaussianTreeCounts, treeCounts } from "../../../lib/dp/mechanisms/tree_counts.ts";
import { unaryEncoding } from "../../../lib/dp/mechanisms/unary_encoding.ts";

/** Two datasets. */
interface Sides {
  readonly left: readonly unknown[];
  readonly right: readonly unknown[];
}

/** Neighbours on which 15% less noise shows to an auditor. */
export interface Weakness extends Sides {
  /** Of the claim, in nats. */
  readonly epsilon: number;
  /** Draws that are enough: 300,000 unless stated. */
  readonly draws?: number;
  /** The only number of the output that is looked at, where the others are the same on both sides. */
  readonly column?: number;
}

/** What tests need to know of a registered mechanism, besides what the registry says. */
export interface MechanismEntry {
  /** The functions that make it, or are made for it, with options that they take. */
  readonly factories: readonly (readonly [(options: never) => unknown, Record<string, unknown>])[];
  /** Data that its types and its relation allow, as far out as they go. */
  readonly extremes: readonly Dataset[];
  /** A dataset, and what is released of it with next to no noise. */
  readonly answer?: readonly [data: Dataset, released: readonly number[]];
  /** What it refuses, where that is not a row of another type: `[]` where any row is taken. */
  readonly badData?: readonly Dataset[];
  /** Neighbours on which it loses most, where those of its domain do not. */
  readonly worst?: Sides;
  /** Where an audit refutes it with 15% less noise; none where its theorem asks for more noise than the claim needs. */
  readonly weakness: Weakness | undefined;
}

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

/** Datasets of one row each. */
const single = (values: readonly unknown[]): Dataset[] => values.map((value) => [value]);
/** One row many times. */
const many = <Row>(row: Row, count = 100_000): Row[] => new Array<Row>(count).fill(row);
/** Finite numbers, and whole ones, of every size. */
const NUMBERS = [0, -0, 5e-324, -1e-300, 0.5, 2 ** 31, 2 ** 53, -(2 ** 60), 1e308, -1.7e308];
const INTEGERS = [0, -0, 5, 2 ** 31, 2 ** 53 - 1, 2 ** 53 + 2, -(2 ** 60), 1e308];
const numbers: readonly Dataset[] = single(NUMBERS);
const integers: readonly Dataset[] = single(INTEGERS);
const points: readonly Dataset[] = single([[0, 0], [1e308, -1e308], [5e-324, -0]]);
const four: readonly Dataset[] = [many(0, 4), [1e308, -1e308, 5e-324, 2 ** 53], many(-1e308, 4)];
const letters: readonly Dataset[] = [[], ["a"], many("b"), [...many("c"), "d"]];
const truthValues: readonly Dataset[] = [[], [true], [true, false], many(false)];
const someNumbers: readonly Dataset[] = [[5e-324], [1e308, -1e308], many(1e308), NUMBERS];

const unit = { epsilon: 1, left: [0], right: [1] };
const whole = { epsilon: 1, left: [0], right: [5] };
const letter = { epsilon: 1, left: ["a"], right: ["b"] };
const disc = { epsilon: 1, left: [[1, 0]], right: [[-1, 0]] };
const alone = { epsilon: 2, left: [-2, -5, -5, -4], right: [-1, -4, -6, -5] };
const apart = { epsilon: 2, left: [3, -5, 5, -5], right: [4, -6, 4, -6] };
/** Below, several times, and then above: the transcript that sparse vector loses nearly all of ε on. */
const answers = { epsilon: 4, left: [0, 0, 0, 0, 1], right: [1, 1, 1, 1, 0], draws: 1_000_000 };
const half = many(0.5, 100);
/** What a mutant of ρ-zCDP shows is less than what the claim's (ε, δ) curve leaves over, but where its δ is small. */
const manyDraws = { epsilon: 3, draws: 20_000_000 };
/** One candidate against all others. */
const candidateAlone = { left: [-5, 5, 5, 5], right: [-4, 4, 4, 4] };
/** Eight answers far above the threshold, reported below, and then one far below, reported above. */
const farAnswers = (by: number): number[] => [...many(60 + by, 8), -60 - by];
const farStream = { left: farAnswers(0), right: farAnswers(1) };

/** Two rows of one group and one of the other. */
const people = [
  { group: "a", number: 0 },
  { group: "b", number: 1 },
  { group: "a", number: 1 },
];
/** Questions about tables take any rows. */
const tables = {
  factories: [],
  extremes: [
    [],
    many(people[0]),
    [null, 7, [], { group: "c" }, { group: "a", number: NaN }, { group: 1, number: -1e308 }],
  ],
  badData: [],
};

/** One entry for each shipped mechanism and each question about tables. */
export const MANIFEST: Readonly<Record<string, MechanismEntry>> = {
  "two-coin-survey": {
    factories: [],
    extremes: truthValues,
    weakness: { epsilon: 1, left: [true], right: [false] },
  },
  "randomised-response": {
    factories: [[randomisedResponse, { epsilon }]],
    extremes: truthValues,
    answer: [[true, false], [1, 0]],
    weakness: { epsilon: 1, left: [true, true], right: [true, false] },
  },
  "k-ary-randomised-response": {
    factories: [[kAryRandomisedResponse, { epsilon, categories }]],
    extremes: letters,
    weakness: letter,
  },
  "symmetric-unary-encoding": {
    factories: [[unaryEncoding, { epsilon, categories, variant: "symmetric" }]],
    extremes: single(["a", "d"]),
    weakness: letter,
  },
  "optimised-unary-encoding": {
    factories: [[unaryEncoding, { epsilon, categories, variant: "optimised" }]],
    extremes: single(["a", "d"]),
    weakness: letter,
  },
  "rappor": {
    factories: [[rappor, { bits: 8, hashes: 1, forget: 0.5 }]],
    extremes: single(["", "\ud800", "x".repeat(100_000), 1e308, NaN, -0]),
    badData: [],
    weakness: { epsilon: 1, left: [5], right: [1] },
  },
  "keep-or-replace": {
    factories: [[keepOrReplace, { size: 10, keep: 0.5 }]],
    extremes: [[], [0], many(5)],
    answer: [[3], [3]],
    weakness: whole,
  },
  "mixed-noise": {
    factories: [
      [mixedNoise, { size: 10, reach: 2, keep: 0.5 }],
      [additiveNoise, { size: 10, reach: 2 }],
      [wrappedNoise, { size: 10, reach: 2 }],
    ],
    extremes: [[], [0], many(5)],
    weakness: { epsilon: 1, left: [0], right: [3] },
  },
  "laplace": {
    factories: [[laplace, onGrid]],
    extremes: numbers,
    answer: [[0.5], [0.5]],
    weakness: unit,
  },
  "vector-laplace": {
    factories: [[vectorLaplace, { ...onGrid, dimension }]],
    extremes: numbers,
    answer: [[0.5], [0.5, -0.5]],
    weakness: unit,
  },
  "classical-gaussian": {
    factories: [[classicalGaussian, { ...onGrid, delta }]],
    extremes: numbers,
    weakness: undefined,
  },
  "gaussian": {
    factories: [[analyticGaussian, { ...onGrid, delta }]],
    extremes: numbers,
    weakness: { ...unit, epsilon: 0.5 },
  },
  "vector-gaussian": {
    factories: [[vectorGaussian, { ...query, dimension, rho, sensitivity, granularity }]],
    extremes: points,
    weakness: { ...disc, ...manyDraws, column: 0 },
  },
  "discrete-gaussian": {
    factories: [[integerGaussian, { ...query, dimension, rho, sensitivity }]],
    extremes: integers,
    weakness: { ...whole, ...manyDraws },
  },
  "geometric": {
    factories: [[geometric, onIntegers]],
    extremes: integers,
    answer: [[3], [3]],
    weakness: whole,
  },
  "truncated-geometric": {
    factories: [[truncatedGeometric, { ...onIntegers, bounds }]],
    extremes: integers,
    answer: [[5], [5]],
    weakness: whole,
  },
  "discrete-laplace": {
    factories: [[integerLaplace, { ...onIntegers, dimension }]],
    extremes: integers,
    answer: [[2], [2, 3]],
    weakness: whole,
  },
  "staircase": {
    factories: [[staircase, onGrid]],
    extremes: numbers,
    answer: [[0.5], [0.5]],
    weakness: unit,
  },
  "snapping": {
    factories: [[snapping, { ...onIntegers, bound: 100 }]],
    extremes: numbers,
    answer: [[0.5], [0.5]],
    weakness: unit,
  },
  "exponential": {
    factories: [[exponentialMechanism, choice]],
    extremes: four,
    worst: candidateAlone,
    weakness: alone,
  },
  "base-2-exponential": {
    factories: [[baseTwoExponential, { ...choice, granularity, bits: 40 }]],
    extremes: four,
    worst: candidateAlone,
    weakness: alone,
  },
  "permute-and-flip": {
    factories: [[permuteAndFlip, choice]],
    extremes: four,
    weakness: apart,
  },
  "noisy-max": {
    factories: [[reportNoisyMax, { ...choice, noise: "laplace", granularity }]],
    extremes: four,
    weakness: { epsilon: 2, left: [-5, 5, 5, 5], right: [-5, 6, 6, 4] },
  },
  "noisy-max-exponential": {
    factories: [[reportNoisyMax, { ...choice, noise: "exponential" }]],
    extremes: four,
    weakness: apart,
  },
  "noisy-max-gumbel": {
    factories: [[reportNoisyMax, { ...choice, noise: "gumbel" }]],
    extremes: four,
    worst: candidateAlone,
    weakness: alone,
  },
  "sparse-vector": {
    factories: [[aboveThreshold, stream]],
    extremes: [[], ...four, many(1e308)],
    worst: farStream,
    weakness: answers,
  },
  "numeric-sparse-vector": {
    factories: [[numericSparseVector, stream]],
    extremes: [[], ...four, many(-1e308)],
    worst: farStream,
    weakness: answers,
  },
  "histogram": {
    factories: [[
      noisyHistogram,
      { categories, categoryOf: String, epsilon, relation: replaceOne },
    ]],
    extremes: [[], ...letters, ["none of them"]],
    answer: [["a", "d", "a"], [2, 0, 0, 1]],
    badData: [],
    weakness: { epsilon: 1, left: ["c"], right: [] },
  },
  "contingency-table": {
    factories: [[
      contingencyTable,
      { attributes: { smokes: [true, false] }, epsilon, relation: replaceOne },
    ]],
    extremes: [[], [{ smokes: true, sex: "f" }], many({ smokes: false, sex: "m" })],
    answer: [[{ smokes: false, sex: "m" }], [0, 0, 0, 1]],
    weakness: { epsilon: 1, left: [{ smokes: true, sex: "f" }], right: [] },
  },
  "tree-counts": {
    factories: [
      [treeCounts, { steps: 4, stepOf: Number, epsilon, relation: replaceOne }],
      [gaussianTreeCounts, { steps: 4, stepOf: Number, rho, relation: replaceOne }],
    ],
    extremes: [[], [1], [0, 5, 1.5, -0, NaN, 2 ** 53], many(4)],
    answer: [[1, 4, 4], [1, 1, 1, 3]],
    badData: [],
    weakness: { epsilon: 1, left: [1], right: [] },
  },
  "count": {
    factories: [[count, { where: Boolean, epsilon, relation: replaceOne }]],
    extremes: truthValues,
    answer: [[true, false, true], [2]],
    badData: [],
    weakness: { epsilon: 1, left: [true], right: [false] },
  },
  "sum": {
    factories: [[boundedSum, bounded]],
    extremes: [[], ...someNumbers],
    answer: [[0.5, 1], [1.5]],
    weakness: { epsilon: 1, left: [0, 1], right: [1, 1] },
  },
  "mean": {
    factories: [[boundedMean, bounded]],
    extremes: someNumbers,
    answer: [[0.5, 1], [0.75]],
    weakness: { epsilon: 1, left: [0, 1], right: [1, 1] },
  },
  "mean-of-unknown-size": {
    factories: [],
    extremes: [[], ...someNumbers],
    // With many rows no mean reaches the bounds, and which fraction it is tells the sum and the number.
    worst: { left: half, right: [...half, 1] },
    weakness: { epsilon: 1, left: half, right: [...half, 1], draws: 1_000_000 },
  },
  "quantile": {
    factories: [[quantile, { ...bounded, level: 0.5 }]],
    extremes: [[], ...someNumbers],
    // Nearly all points gain a rank, and one loses one.
    worst: { left: [0, 1 / 64, 1 / 64, 1 / 64], right: [1, 1 / 64, 1 / 64, 1 / 64] },
    weakness: { epsilon: 2, left: [1, 0.05], right: [0, 0.05] },
  },
  "table-count": {
    ...tables,
    answer: [people, [2, 1]],
    weakness: { epsilon: 1, left: [], right: [{ group: "a", number: 1 }] },
  },
  "table-histogram": {
    ...tables,
    answer: [people, [1, 2]],
    weakness: { epsilon: 1, left: [], right: [{ group: "a", number: 1 }] },
  },
  "table-sum": {
    ...tables,
    weakness: { epsilon: 1, left: [], right: [{ group: "a", number: 1 }] },
  },
  "table-mean": {
    ...tables,
    weakness: { epsilon: 2, left: [], right: [{ group: "a", number: 1 }], draws: 1_000_000 },
  },
  "table-variance": {
    ...tables,
    weakness: { epsilon: 3, left: [], right: [{ group: "a", number: 1 }], draws: 1_000_000 },
  },
  "table-distinct": {
    ...tables,
    answer: [people, [2]],
    weakness: { epsilon: 1, left: [], right: [{ group: "a", number: 1 }] },
  },
  // Few numbers read off a tree of a million cells show little of its loss; tests/dp/tables/exact_test.ts has all of a small one's.
  "table-quantiles": { ...tables, weakness: undefined },
  "table-keys": { ...tables, weakness: undefined },
  "float-laplace": {
    factories: [[floatLaplaceMechanism, onIntegers]],
    extremes: numbers,
    weakness: unit,
  },
  "float-gaussian": {
    factories: [[floatGaussianMechanism, { ...onIntegers, delta }]],
    extremes: numbers,
    weakness: { ...unit, epsilon: 0.5 },
  },
  "float-spherical-laplace": {
    factories: [[floatSphericalLaplace, { ...onIntegers, dimension }]],
    extremes: points,
    weakness: disc,
  },
};

/** Every function that makes a mechanism, or its noise, with options that it takes. */
export const FACTORIES: MechanismEntry["factories"] = Object.values(MANIFEST)
  .flatMap(({ factories }) => factories);
