import { selectionVariants, type Variant } from "./selection_variants.ts";
import type { Dataset } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { boundedMean, boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { contingencyTable, type TableRow } from "../../lib/mechanisms/contingency_table.ts";
import { count } from "../../lib/mechanisms/count.ts";
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
import { kAryRandomisedResponse } from "../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { snapping } from "../../lib/mechanisms/snapping.ts";
import { staircase } from "../../lib/mechanisms/staircase.ts";
import { treeCounts } from "../../lib/mechanisms/tree_counts.ts";
import { unaryEncoding } from "../../lib/mechanisms/unary_encoding.ts";

const only = ([row]: Dataset<number>): number => row!;
const bounded = (epsilon: number) => ({
  bounds: { lower: -1, upper: 2 },
  epsilon,
  granularity: 0.25,
});
const letters = ["a", "b", "c", "d"];

/** Options beyond those of the registry: monotone scores, other relations, levels, bounds, sizes. */
export const mechanismVariants: readonly Variant[] = [
  ...selectionVariants,
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
