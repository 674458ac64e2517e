import type { Dataset, Domain } from "../../../../lib/core/relations/dataset.ts";
import { addRemoveOne, changeEach, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { boundedMean, boundedSum } from "../../../../lib/dp/mechanisms/bounded_sum.ts";
import {
  geometric,
  integerLaplace,
  truncatedGeometric,
} from "../../../../lib/dp/mechanisms/geometric.ts";
import { laplace } from "../../../../lib/dp/mechanisms/laplace.ts";
import { noisyHistogram } from "../../../../lib/dp/mechanisms/noisy_histogram.ts";
import { reportNoisyMax } from "../../../../lib/dp/mechanisms/report_noisy_max.ts";
import {
  aboveThreshold,
  numericSparseVector,
} from "../../../../lib/dp/mechanisms/sparse_vector.ts";
import { staircase } from "../../../../lib/dp/mechanisms/staircase.ts";
import { treeCounts } from "../../../../lib/dp/mechanisms/tree_counts.ts";
import {
  digit,
  type EnumeratedCase,
  grid,
  letters,
  scores,
  selection,
  unit,
  utilities,
} from "./enumerated_case.ts";

const fewLetters: Domain = {
  rows: { type: "category", values: letters },
  size: { min: 0, max: 1 },
};

const only = (rows: Dataset<number>): number => rows[0]!;

const one = (query: (rows: Dataset<number>) => number) => ({
  query,
  ...unit,
  sensitivity: 3,
});

const stream = (epsilon: number) => ({
  answers: utilities,
  epsilon,
  sensitivity: 1,
  threshold: 1,
  granularity: 1,
  count: 1,
  relation: changeEach({ by: 1 }),
});

const answers: Domain = {
  rows: { type: "integer", min: 0, max: 2 },
  size: { min: 2, max: 2 },
};

/** Outputs without end: bounds with a remainder. */
export const endlessCases: readonly EnumeratedCase[] = [
  {
    name: "geometric",
    make: (epsilon) => geometric({ ...one(only), epsilon }),
    domain: digit,
    attained: true,
  },
  {
    name: "truncated geometric",
    make: (epsilon) =>
      truncatedGeometric({ ...one(only), epsilon, bounds: { lower: 0, upper: 3 } }),
    domain: digit,
    attained: true,
  },
  {
    name: "integer laplace",
    make: (epsilon) =>
      integerLaplace<number>({
        query: ([row]) => [row!, -row!],
        dimension: 2,
        epsilon,
        sensitivity: 6,
        relation: replaceOne,
      }),
    domain: { ...digit, rows: { type: "category", values: [0, 3] } },
    attained: true,
    from: 2,
    remainder: 1e-6,
  },
  {
    name: "laplace",
    make: (epsilon) => laplace({ query: only, ...unit, epsilon, granularity: 2 ** -4 }),
    domain: { ...grid, size: { min: 1, max: 1 } },
    attained: true,
  },
  {
    name: "staircase",
    make: (epsilon) => staircase({ query: only, ...unit, epsilon, granularity: 2 ** -2 }),
    domain: { ...grid, size: { min: 1, max: 1 } },
    attained: true,
  },
  {
    name: "histogram",
    make: (epsilon) =>
      noisyHistogram<string, string>({
        categories: letters,
        categoryOf: (row) => row,
        epsilon,
        relation: addRemoveOne,
      }),
    domain: fewLetters,
    attained: true,
    from: 1,
    remainder: 1e-6,
  },
  {
    name: "tree counts",
    make: (epsilon) =>
      treeCounts<number>({ steps: 2, stepOf: (step) => step, epsilon, relation: addRemoveOne }),
    domain: { rows: { type: "integer", min: 1, max: 2 }, size: { min: 0, max: 1 } },
    attained: true,
    from: 0.5,
    remainder: 1e-6,
  },
  {
    name: "bounded sum",
    make: (epsilon) =>
      boundedSum({
        bounds: { lower: 0, upper: 1 },
        epsilon,
        granularity: 2 ** -2,
        relation: replaceOne,
      }),
    domain: grid,
    attained: true,
  },
  {
    name: "bounded mean",
    make: (epsilon) =>
      boundedMean({
        bounds: { lower: 0, upper: 1 },
        epsilon,
        granularity: 2 ** -2,
        relation: replaceOne,
      }),
    domain: grid,
    attained: true,
  },
  {
    name: "noisy max (laplace)",
    make: (epsilon) => reportNoisyMax({ ...selection(epsilon), noise: "laplace", granularity: 1 }),
    domain: { ...scores, rows: { type: "integer", min: 0, max: 1 } },
    attained: false,
    from: 2,
    remainder: 1e-4,
  },
  {
    name: "sparse vector",
    make: (epsilon) => aboveThreshold(stream(epsilon)),
    domain: answers,
    attained: false,
    from: 3,
    remainder: 1e-4,
  },
  {
    name: "numeric sparse vector",
    make: (epsilon) => numericSparseVector(stream(epsilon)),
    domain: { ...answers, rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 1 } },
    attained: false,
    from: 4,
    remainder: 1e-4,
  },
];
