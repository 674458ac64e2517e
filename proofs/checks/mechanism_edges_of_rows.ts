import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { boundedMean, boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { contingencyTable, marginal } from "../../lib/mechanisms/contingency_table.ts";
import { count } from "../../lib/mechanisms/count.ts";
import {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
  wrappedNoise,
} from "../../lib/mechanisms/input_perturbation.ts";
import { noisyHistogram } from "../../lib/mechanisms/noisy_histogram.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import {
  estimateProportion,
  kAryRandomisedResponse,
} from "../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { gaussianTreeCounts, treeCounts } from "../../lib/mechanisms/tree_counts.ts";
import { unaryEncoding } from "../../lib/mechanisms/unary_encoding.ts";
import {
  BELOW_1,
  COUNT,
  LEAST,
  NEARLY_1,
  type Options,
  type Refusing,
  relations,
  TWO,
} from "./refused_values.ts";
import { between } from "./mechanism_edges.ts";

const bounded = { bounds: { lower: -1, upper: 2 }, epsilon: 0.5, granularity: 0.5 };
const median = { ...bounded, level: 0.5, relation: replaceOne };
const tree = { steps: 4, stepOf: Number, relation: replaceOne };
const categories = ["a", "b"];

const { bounds: _, ...unbounded } = bounded;

/** Factories whose bounds are refused, with one relation and with the other. */
function ofBounds(name: string, make: (options: never) => unknown, options: Options): Refusing[] {
  return [replaceOne, addRemoveOne].map((relation): Refusing => [
    `${name}, ${relation.name}`,
    between(make),
    { ...options, lower: -1, upper: 2, relation },
    {
      relation: relations,
      lower: [2, 2.25, NaN, -Infinity, "0"],
      upper: [-1, -1.25, NaN, Infinity, "0"],
    },
    { lower: [-3, 1.5], upper: [-0.5, 9] },
  ]);
}

/** The same of mechanisms that count, add up, rank or change rows. */
export const EDGES_OF_ROWS: readonly Refusing[] = [
  [
    "noisyHistogram",
    noisyHistogram,
    {
      categories,
      categoryOf: String,
      epsilon: 1,
      relation: replaceOne,
    },
    { categories: [[], ["a", "a"], ["a", "b", "a"]] },
    { categories: [["a"]] },
  ],
  [
    "contingencyTable",
    contingencyTable,
    {
      attributes: { smokes: [true, false] },
      epsilon: 1,
      relation: replaceOne,
    },
    { attributes: [{ smokes: [] }, { smokes: [true], sex: [] }], relation: relations },
    {
      attributes: [{}, { smokes: [true] }],
    },
  ],
  ["marginal", (
    { cells, attributes, keep }: {
      cells: readonly number[];
      attributes: { a: number[]; b: number[] };
      keep: readonly string[];
    },
  ) => marginal(cells, { attributes, keep }), {
    cells: [1, 2, 3, 4],
    attributes: { a: [0, 1], b: [0, 1] },
    keep: ["a"],
  }, {
    cells: [[], [1, 2, 3], [1, 2, 3, 4, 5]],
    attributes: [{ a: [0, 1], b: [] }, { a: [0, 1] }],
    keep: [["c"], ["a", "c"]],
  }, { keep: [[], ["b", "a"]] }],
  [
    "marginal of 2^20 cells",
    ({ width }: { width: number }) => {
      const attributes = { a: Array(1024).fill(0), b: Array(width).fill(0) };
      return marginal(Array(1024 * width).fill(0), { attributes, keep: [] });
    },
    { width: 1024 },
    { width: [1025, 0] },
  ],
  ["treeCounts", treeCounts, { ...tree, epsilon: 1 }, {
    steps: [...COUNT, 2 ** 20 + 1],
    relation: relations,
  }, {
    steps: [1, 2 ** 20],
  }],
  ["gaussianTreeCounts", gaussianTreeCounts, { ...tree, rho: 1 }, {
    steps: [...COUNT, 2 ** 20 + 1],
    relation: relations,
  }, { steps: [1, 2 ** 20] }],
  ["count", count, { where: Boolean, epsilon: 1, relation: replaceOne }, { relation: relations }, {
    relation: [addRemoveOne],
  }],
  ...ofBounds("boundedSum", boundedSum, unbounded),
  ...ofBounds("boundedMean", boundedMean, unbounded),
  ...ofBounds("quantile", quantile, { ...unbounded, level: 0.5 }),
  // From 1 to 2^31 steps between the bounds, or from 0 to the farther one.
  ["steps of a sum", between(boundedSum), {
    ...unbounded,
    lower: 0,
    upper: 1,
    relation: replaceOne,
  }, {
    upper: [0.2, 2 ** 30 + 0.5],
    lower: [-(2 ** 30)],
  }, { upper: [0.5, 2 ** 30] }],
  [
    "steps of an added row's sum",
    between(boundedSum),
    {
      ...unbounded,
      lower: -1,
      upper: 1,
      relation: addRemoveOne,
    },
    { upper: [2 ** 30 + 0.5], lower: [-(2 ** 30) - 0.5] },
    {
      upper: [2 ** 30],
      lower: [-(2 ** 30)],
    },
  ],
  ["steps of a mean", between(boundedMean), {
    ...unbounded,
    lower: 0,
    upper: 1,
    relation: replaceOne,
  }, {
    upper: [0.2, 2 ** 30 + 0.5],
  }, { upper: [0.5, 2 ** 30] }],
  // Twice as many, for rows are counted from the middle.
  [
    "steps of an added row's mean",
    between(boundedMean),
    {
      ...unbounded,
      lower: 0,
      upper: 1,
      relation: addRemoveOne,
    },
    { upper: [0.2, 2 ** 31 + 1] },
    { upper: [0.5, 2 ** 31] },
  ],
  ["quantile", quantile, median, { level: [-LEAST, 1 + 2 ** -52, NaN, "0.5"] }, { level: [0, 1] }],
  [
    "steps of a quantile",
    between(quantile),
    {
      ...median,
      granularity: 1,
      lower: 2 ** 50 + 3,
      upper: 2 ** 50 + 9,
    },
    { lower: [9, -9] },
    { lower: [10], upper: [2 ** 51] },
  ],
  ["steps of a quantile about 0", between(quantile), {
    ...median,
    granularity: 1,
    lower: -(2 ** 49),
    upper: 2 ** 49 - 1,
  }, { lower: [-(2 ** 49) - 1], upper: [2 ** 49] }],
  // At most 100,000 points, wherever they lie.
  [
    "points of a quantile",
    (
      { lower, upper }: { lower: number; upper: number },
    ) => quantile({ ...median, granularity: 1, bounds: { lower, upper } }).distribution!([]),
    {
      lower: 5e6,
      upper: 5e6 + 9,
    },
    { upper: [5.1e6] },
    { upper: [5.1e6 - 1] },
  ],
  [
    "points of a quantile below 0",
    (
      { lower, upper }: { lower: number; upper: number },
    ) => quantile({ ...median, granularity: 1, bounds: { lower, upper } }).distribution!([]),
    {
      lower: -9,
      upper: 0,
    },
    { lower: [-1e5] },
    { lower: [-99_999] },
  ],
  ["kAryRandomisedResponse", kAryRandomisedResponse, { epsilon: 1, categories }, {
    categories: [[], ["a"], ["a", "a"], ["a", "b", "a"]],
  }, { categories: [[1, 2, 3]] }],
  ["unaryEncoding", unaryEncoding, { epsilon: 1, categories, variant: "symmetric" }, {
    categories: [[], ["a"], ["a", "a"], ["a", "b", "a"]],
    variant: ["plain", undefined],
  }, { categories: [[1, 2, 3]], variant: ["optimised"] }],
  [
    "estimateProportion",
    ({ answers, ...options }: { answers: boolean[]; truthProbability: number }) =>
      estimateProportion(answers, options),
    { answers: [true], truthProbability: 0.75 },
    { answers: [[]], truthProbability: [0.5, 0, 1 + 2 ** -52, NaN] },
    { truthProbability: [0.5 + 2 ** -53, 1] },
  ],
  ["rappor", rappor, { bits: 4, hashes: 2, forget: 0.5, instantaneous: { one: 0.75, zero: 0.5 } }, {
    bits: [...COUNT, 2 ** 20 + 1, 1],
    hashes: [...COUNT, 5],
    forget: BELOW_1,
    instantaneous: [
      ...BELOW_1.flatMap((bad) => [{ one: bad, zero: 0.5 }, { one: 0.75, zero: bad }]),
      { one: 0.5, zero: 0.5 },
      { one: 0.25, zero: 0.5 },
    ],
  }, {
    bits: [2, 2 ** 20],
    hashes: [1, 4],
    forget: [1e-300, NEARLY_1],
    instantaneous: [undefined, { one: NEARLY_1, zero: 1e-300 }],
  }],
  ["rappor of one bit", rappor, { bits: 1, hashes: 1, forget: 0.5 }, { hashes: [2] }, {}],
  ["additiveNoise", additiveNoise, { size: 9, reach: 2 }, {
    size: [...TWO, 4, 2 ** 30 + 1],
    reach: [NaN, -1, 1.5, 5],
  }, { size: [5, 2 ** 30], reach: [0, 4] }],
  ["wrappedNoise of an even size", wrappedNoise, { size: 8, reach: 2 }, {
    size: [...TWO, 4, 2 ** 30 + 1],
    reach: [NaN, -1, 1.5, 4],
  }, { size: [5, 2 ** 30], reach: [0, 3] }],
  ["keepOrReplace", keepOrReplace, { size: 9, keep: 0.5 }, {
    size: [...TWO, 2 ** 30 + 1],
    keep: [...BELOW_1, "0.5"],
  }, { size: [2, 2 ** 30], keep: [LEAST, NEARLY_1] }],
  ["mixedNoise", mixedNoise, { size: 9, reach: 2, keep: 0.5 }, {
    size: [...TWO, 4, 2 ** 30 + 1],
    reach: [NaN, -1, 1.5, 5],
    keep: [...BELOW_1, "0.5"],
  }, { size: [5, 2 ** 30], reach: [0, 4], keep: [LEAST, NEARLY_1] }],
  [
    "perturbedDatabase",
    ({ perturbation }: { perturbation: ReturnType<typeof keepOrReplace> }) =>
      perturbedDatabase(perturbation),
    { perturbation: keepOrReplace({ size: 4, keep: 0.5 }) },
    {
      perturbation: [
        keepOrReplace({ size: 4, keep: 0.25 }),
        wrappedNoise({ size: 9, reach: 1 }),
        wrappedNoise({ size: 9, reach: 4 }),
      ],
    },
    {
      perturbation: [
        keepOrReplace({ size: 2, keep: NEARLY_1 }),
        keepOrReplace({ size: 4, keep: 0.25 - 2 ** -54 }),
      ],
    },
  ],
];
