import type { Dataset } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { baseTwoExponential } from "../../lib/mechanisms/base_two_exponential.ts";
import { boundedMean, boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { contingencyTable, type TableRow } from "../../lib/mechanisms/contingency_table.ts";
import { count } from "../../lib/mechanisms/count.ts";
import { exponentialMechanism } from "../../lib/mechanisms/exponential_mechanism.ts";
import { floatLaplaceMechanism } from "../../lib/mechanisms/float_laplace_mechanism.ts";
import { floatSphericalLaplace } from "../../lib/mechanisms/float_spherical_laplace.ts";
import { geometric, truncatedGeometric } from "../../lib/mechanisms/geometric.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../lib/mechanisms/input_perturbation.ts";
import { vectorLaplace } from "../../lib/mechanisms/laplace.ts";
import { noisyHistogram } from "../../lib/mechanisms/noisy_histogram.ts";
import { permuteAndFlip } from "../../lib/mechanisms/permute_and_flip.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import { kAryRandomisedResponse } from "../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { reportNoisyMax } from "../../lib/mechanisms/report_noisy_max.ts";
import { snapping } from "../../lib/mechanisms/snapping.ts";
import { aboveThreshold, numericSparseVector } from "../../lib/mechanisms/sparse_vector.ts";
import { staircase } from "../../lib/mechanisms/staircase.ts";
import { treeCounts } from "../../lib/mechanisms/tree_counts.ts";
import { unaryEncoding } from "../../lib/mechanisms/unary_encoding.ts";

/** A mechanism with options that the registry does not have, and neighbours on which it loses a known share of its claim. */
export interface Variant {
  readonly name: string;
  readonly make: (epsilon: number) => Mechanism<never, unknown>;
  readonly pairs: readonly { readonly left: Dataset; readonly right: Dataset }[];
  /** The least share of ε that the worst of the pairs must lose. */
  readonly share: number;
  /** Outputs to look at besides those drawn. */
  readonly outputs?: readonly unknown[];
}

const rows = (data: Dataset<number>): Dataset<number> => data;
const only = ([row]: Dataset<number>): number => row!;
const each = changeEach({ by: 1 });
const choice = (epsilon: number, monotone: boolean) => ({
  candidates: [10, 20, 30],
  utilities: rows,
  epsilon,
  sensitivity: 1,
  monotone,
  relation: each,
});
const stream = (epsilon: number, count: number) => ({
  answers: rows,
  epsilon,
  sensitivity: 1,
  threshold: 2,
  granularity: 0.5,
  count,
  relation: each,
  mostAnswers: 20,
});
const bounded = (epsilon: number) => ({
  bounds: { lower: -1, upper: 2 },
  epsilon,
  granularity: 0.25,
});
const letters = ["a", "b", "c", "d"];
const oneRises = [{ left: [0, 20, 20], right: [1, 20, 20] }];
const far = (length: number, by: number): number[] => Array<number>(length).fill(40 + by);

/** Options beyond those of the registry: monotone scores, other relations, levels, bounds, sizes. */
export const mechanismVariants: readonly Variant[] = [
  {
    name: "exponential, monotone",
    make: (epsilon) => exponentialMechanism(choice(epsilon, true)),
    pairs: oneRises,
    share: 0.999,
  },
  {
    name: "base-2 exponential, monotone, in half steps",
    make: (epsilon) => baseTwoExponential({ ...choice(epsilon, true), granularity: 0.5, bits: 40 }),
    pairs: oneRises,
    share: 0.999,
  },
  {
    name: "permute and flip, monotone",
    make: (epsilon) => permuteAndFlip(choice(epsilon, true)),
    pairs: oneRises,
    share: 0.999,
  },
  {
    name: "noisy max (Laplace), monotone, in half steps",
    make: (epsilon) =>
      reportNoisyMax({ ...choice(epsilon, true), noise: "laplace", granularity: 0.5 }),
    pairs: [{ left: [0, 16, 16], right: [1, 16, 16] }],
    share: 0.999,
  },
  {
    name: "noisy max (Laplace), in half steps",
    make: (epsilon) =>
      reportNoisyMax({ ...choice(epsilon, false), noise: "laplace", granularity: 0.5 }),
    pairs: [{ left: [-1, 31, 31], right: [0, 30, 30] }],
    share: 0.999,
  },
  {
    name: "sparse vector, two above",
    make: (epsilon) => aboveThreshold(stream(epsilon, 2)),
    pairs: [{ left: [...far(8, 0), -60, -60], right: [...far(8, 1), -61, -61] }],
    share: 0.99,
    outputs: [[...Array<boolean>(8).fill(false), true, true]],
  },
  {
    name: "numeric sparse vector, two above",
    make: (epsilon) => numericSparseVector(stream(epsilon, 2)),
    pairs: [{ left: [...far(8, 0), -60, -60], right: [...far(8, 1), -61, -61] }],
    share: 0.99,
    outputs: [[...Array<null>(8).fill(null), 0, 0]],
  },
  ...([[replaceOne, [0, 0.125, 0.125], [1, 0.125, 0.125], 0.5, 0.78], [
    addRemoveOne,
    [0.5, 0.5, 0.5],
    [0.5, 0.5, 0.5, 1],
    0.25,
    0.18,
  ], [addRemoveOne, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0], 0.75, 0.18]] as const).map((
    [relation, left, right, level, share],
  ): Variant => ({
    name: `quantile at ${level}, ${relation.name}`,
    make: (epsilon) =>
      quantile({
        level,
        bounds: { lower: 0, upper: 1 },
        granularity: 2 ** -3,
        epsilon,
        relation,
      }),
    pairs: [{ left, right }],
    share,
  })),
  {
    name: "exponential of sensitivity 3",
    make: (epsilon) => exponentialMechanism({ ...choice(epsilon, false), sensitivity: 3 }),
    pairs: [{ left: [-3, 60, 60], right: [0, 57, 57] }],
    share: 0.99,
  },
  {
    name: "permute and flip of sensitivity 3, monotone",
    make: (epsilon) => permuteAndFlip({ ...choice(epsilon, true), sensitivity: 3 }),
    pairs: [{ left: [-3, 60, 60], right: [0, 60, 60] }],
    share: 0.99,
  },
  {
    name: "bounded sum from −3 to 1, add-remove-one",
    make: (epsilon) =>
      boundedSum({
        bounds: { lower: -3, upper: 1 },
        epsilon,
        granularity: 0.25,
        relation: addRemoveOne,
      }),
    pairs: [{ left: [0.5], right: [0.5, -3] }],
    share: 1 - 1e-9,
  },
  {
    name: "bounded sum, add-remove-one",
    make: (epsilon) => boundedSum({ ...bounded(epsilon), relation: addRemoveOne }),
    pairs: [{ left: [0.5], right: [0.5, 2] }, { left: [0.5], right: [0.5, -7] }],
    share: 1 - 1e-9,
  },
  {
    name: "bounded sum, replace-one",
    make: (epsilon) => boundedSum({ ...bounded(epsilon), relation: replaceOne }),
    pairs: [{ left: [0.5, -1], right: [0.5, 2] }],
    share: 1 - 1e-9,
  },
  {
    name: "bounded mean, replace-one",
    make: (epsilon) => boundedMean({ ...bounded(epsilon), relation: replaceOne }),
    pairs: [{ left: [0.5, -1], right: [0.5, 2] }],
    share: 1 - 1e-9,
  },
  {
    name: "bounded mean, add-remove-one",
    make: (epsilon) => boundedMean({ ...bounded(epsilon), relation: addRemoveOne }),
    pairs: [{ left: Array(60).fill(0.5), right: [...Array(60).fill(0.5), 2] }],
    share: 1 - 1e-9,
  },
  {
    name: "histogram, replace-one",
    make: (epsilon) =>
      noisyHistogram<string, string>({
        categories: letters,
        categoryOf: (row) => row,
        epsilon,
        relation: replaceOne,
      }),
    pairs: [{ left: ["a"], right: ["b"] }],
    share: 1 - 1e-9,
  },
  {
    name: "contingency table, replace-one",
    make: (epsilon) =>
      contingencyTable({
        attributes: { smokes: [true, false], ages: [1, 2, 3] },
        epsilon,
        relation: replaceOne,
      }) as Mechanism<TableRow, number[]>,
    pairs: [{ left: [{ smokes: true, ages: 1 }], right: [{ smokes: false, ages: 3 }] }],
    share: 1 - 1e-9,
  },
  ...([[5, replaceOne, [1], [5]], [7, addRemoveOne, [1], []], [6, replaceOne, [1], [5]]] as const)
    .map(([steps, relation, left, right]): Variant => ({
      name: `tree counts of ${steps} steps, ${relation.name}`,
      make: (epsilon) => treeCounts<number>({ steps, stepOf: (step) => step, epsilon, relation }),
      pairs: [{ left, right }],
      share: 1 - 1e-9,
    })),
  {
    name: "count, add-remove-one",
    make: (epsilon) => count<boolean>({ where: (yes) => yes, epsilon, relation: addRemoveOne }),
    pairs: [{ left: [true], right: [true, true] }],
    share: 1 - 1e-9,
  },
  {
    name: "geometric of sensitivity 3",
    make: (epsilon) =>
      geometric<number>({ query: only, epsilon, sensitivity: 3, relation: replaceOne }),
    pairs: [{ left: [0], right: [3] }],
    share: 1 - 1e-9,
  },
  {
    name: "truncated geometric of sensitivity 3, from −2 to 4",
    make: (epsilon) =>
      truncatedGeometric<number>({
        query: only,
        epsilon,
        sensitivity: 3,
        bounds: { lower: -2, upper: 4 },
        relation: replaceOne,
      }),
    pairs: [{ left: [0], right: [3] }, { left: [-9], right: [1] }],
    share: 1 - 1e-9,
  },
  {
    name: "vector Laplace in three dimensions",
    make: (epsilon) =>
      vectorLaplace<number>({
        query: ([row]) => [row!, -row!, 0],
        dimension: 3,
        epsilon,
        sensitivity: 2,
        granularity: 2 ** -8,
        relation: replaceOne,
      }),
    pairs: [{ left: [0], right: [1] }],
    share: 0.99,
  },
  {
    name: "staircase of sensitivity 2",
    make: (epsilon) =>
      staircase<number>({
        query: only,
        epsilon,
        sensitivity: 2,
        granularity: 0.25,
        relation: replaceOne,
      }),
    pairs: [{ left: [0], right: [2] }],
    share: 1 - 1e-9,
  },
  {
    name: "snapping of sensitivity 3",
    make: (epsilon) =>
      snapping<number>({ query: only, epsilon, sensitivity: 3, bound: 90, relation: replaceOne }),
    pairs: [{ left: [0], right: [3] }, { left: [1], right: [-2] }, { left: [40], right: [43] }],
    share: 0.99,
  },
  ...(["symmetric", "optimised"] as const).map((variant): Variant => ({
    name: `${variant} unary encoding of four`,
    make: (epsilon) => unaryEncoding({ epsilon, categories: letters, variant }),
    pairs: [{ left: ["a"], right: ["d"] }],
    share: 1 - 1e-9,
  })),
  {
    name: "k-ary randomised response of five numbers",
    make: (epsilon) => kAryRandomisedResponse({ epsilon, categories: [1, 2, 3, 4, 5] }),
    pairs: [{ left: [1], right: [5] }],
    share: 1 - 1e-9,
  },
  {
    name: "RAPPOR with two hashes and instantaneous noise",
    make: () =>
      rappor({ bits: 6, hashes: 2, forget: 0.5, instantaneous: { one: 0.75, zero: 0.5 } }),
    pairs: [{ left: ["ant"], right: ["bee"] }, { left: ["ant"], right: ["dog"] }],
    share: 0.5 - 1e-9,
  },
  {
    name: "keep or replace of seven",
    make: (epsilon) =>
      perturbedDatabase(keepOrReplace({ size: 7, keep: 1 / (1 + 6 * Math.exp(-epsilon)) })),
    pairs: [{ left: [0], right: [6] }],
    share: 1 - 1e-9,
  },
  {
    name: "mixed noise of nine within two",
    make: () => perturbedDatabase(mixedNoise({ size: 9, reach: 2, keep: 0.5 })),
    pairs: [{ left: [1], right: [6] }],
    share: 1 - 1e-9,
  },
  {
    name: "float Laplace of sensitivity 3",
    make: (epsilon) =>
      floatLaplaceMechanism<number>({ query: only, epsilon, sensitivity: 3, relation: replaceOne }),
    pairs: [{ left: [2], right: [5] }],
    share: 1 - 1e-9,
  },
  {
    name: "float spherical Laplace in three dimensions",
    make: (epsilon) =>
      floatSphericalLaplace<number>({
        query: ([row]) => [row!, 0, 2 * row!],
        dimension: 3,
        epsilon,
        sensitivity: Math.sqrt(5),
        relation: replaceOne,
      }),
    pairs: [{ left: [0], right: [1] }],
    share: 0.99,
    outputs: [[9, 0, 18]],
  },
];
