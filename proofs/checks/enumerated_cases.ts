import type { Dataset, Domain } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { baseTwoExponential } from "../../lib/mechanisms/base_two_exponential.ts";
import { boundedMean, boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { exponentialMechanism } from "../../lib/mechanisms/exponential_mechanism.ts";
import { geometric, integerLaplace, truncatedGeometric } from "../../lib/mechanisms/geometric.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../lib/mechanisms/input_perturbation.ts";
import { laplace } from "../../lib/mechanisms/laplace.ts";
import { noisyHistogram } from "../../lib/mechanisms/noisy_histogram.ts";
import { permuteAndFlip } from "../../lib/mechanisms/permute_and_flip.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import {
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { reportNoisyMax } from "../../lib/mechanisms/report_noisy_max.ts";
import { aboveThreshold, numericSparseVector } from "../../lib/mechanisms/sparse_vector.ts";
import { staircase } from "../../lib/mechanisms/staircase.ts";
import { treeCounts } from "../../lib/mechanisms/tree_counts.ts";
import { unaryEncoding } from "../../lib/mechanisms/unary_encoding.ts";

const bits: Domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } };

const letters = ["a", "b", "c"] as const;

const letter: Domain = { rows: { type: "category", values: letters }, size: { min: 1, max: 1 } };

const fewLetters: Domain = { ...letter, size: { min: 0, max: 1 } };

const texts: Domain = {
  rows: { type: "category", values: ["ant", "bee", "cat", "dog", "eel", "fox"] },
  size: { min: 1, max: 1 },
};

const digit: Domain = { rows: { type: "integer", min: 0, max: 3 }, size: { min: 1, max: 1 } };

const grid: Domain = {
  rows: { type: "category", values: [0, 0.25, 1] },
  size: { min: 1, max: 2 },
};

const only = (rows: Dataset<number>): number => rows[0]!;

/** One way to make a mechanism, and what its enumeration must show. */
export interface EnumeratedCase {
  readonly name: string;
  readonly make: (epsilon: number) => Mechanism<never, unknown>;
  readonly domain: Domain;
  /** Some pair attains the claim; of outputs without end, but for the remainder. */
  readonly attained: boolean;
  /** ε from which so few paths are likely that they can be run. */
  readonly from?: number;
  readonly remainder?: number;
  /** The least share of its claim that it loses; .45. */
  readonly share?: number;
}

/** For enumerated mechanisms. */
export const unit = { sensitivity: 1, relation: replaceOne };

const one = (query: (rows: Dataset<number>) => number) => ({ query, ...unit, sensitivity: 3 });

const utilities = (rows: Dataset<number>): Dataset<number> => rows;

const selection = (epsilon: number) => ({
  candidates: [0, 1, 2],
  utilities,
  epsilon,
  sensitivity: 1,
  monotone: false,
  relation: changeEach({ by: 1 }),
});

const scores: Domain = { rows: { type: "integer", min: 0, max: 2 }, size: { min: 3, max: 3 } };

const stream = (epsilon: number) => ({
  answers: utilities,
  epsilon,
  sensitivity: 1,
  threshold: 1,
  granularity: 1,
  count: 1,
  relation: changeEach({ by: 1 }),
});

const answers: Domain = { rows: { type: "integer", min: 0, max: 2 }, size: { min: 2, max: 2 } };

/** Finitely many outputs: everything is exact. */
export const finiteCases: readonly EnumeratedCase[] = [
  {
    name: "randomised response",
    make: (epsilon) => randomisedResponse({ epsilon }),
    domain: bits,
    attained: true,
  },
  {
    name: "k-ary randomised response",
    make: (epsilon) => kAryRandomisedResponse({ epsilon, categories: letters }),
    domain: letter,
    attained: true,
  },
  ...(["symmetric", "optimised"] as const).map((variant): EnumeratedCase => ({
    name: `${variant} unary encoding`,
    make: (epsilon) => unaryEncoding({ epsilon, categories: letters, variant }),
    domain: letter,
    attained: true,
  })),
  // Their claims are rounded up from fractions.
  {
    name: "two-coin survey",
    make: () => twoCoinSurvey(),
    domain: bits,
    attained: false,
    share: 0.999,
  },
  {
    name: "RAPPOR",
    make: (epsilon) => rappor({ bits: 6, hashes: 2, forget: 2 / (1 + Math.exp(epsilon / 8)) }),
    domain: texts,
    attained: false,
    share: 0.999,
  },
  {
    name: "RAPPOR with instantaneous noise",
    make: () =>
      rappor({ bits: 4, hashes: 1, forget: 0.5, instantaneous: { one: 0.75, zero: 0.5 } }),
    domain: texts,
    attained: false,
  },
  {
    name: "keep or replace",
    make: (epsilon) =>
      perturbedDatabase(keepOrReplace({ size: 4, keep: 1 / (1 + 3 * Math.exp(-epsilon)) })),
    domain: digit,
    attained: false,
    share: 0.999,
  },
  {
    name: "mixed noise",
    make: () => perturbedDatabase(mixedNoise({ size: 4, reach: 1, keep: 0.5 })),
    domain: digit,
    attained: false,
    share: 0.999,
  },
  {
    name: "exponential",
    make: (epsilon) => exponentialMechanism(selection(epsilon)),
    domain: scores,
    attained: false,
  },
  {
    name: "base-2 exponential",
    make: (epsilon) => baseTwoExponential({ ...selection(epsilon), granularity: 1, bits: 30 }),
    domain: scores,
    attained: false,
  },
  {
    name: "permute and flip",
    make: (epsilon) => permuteAndFlip(selection(epsilon)),
    domain: scores,
    attained: true,
  },
  {
    name: "noisy max (exponential)",
    make: (epsilon) => reportNoisyMax({ ...selection(epsilon), noise: "exponential" }),
    domain: scores,
    attained: true,
  },
  {
    name: "noisy max (gumbel)",
    make: (epsilon) => reportNoisyMax({ ...selection(epsilon), noise: "gumbel" }),
    domain: scores,
    attained: false,
  },
  {
    name: "quantile",
    make: (epsilon) =>
      quantile({
        level: 0.5,
        bounds: { lower: 0, upper: 1 },
        granularity: 2 ** -3,
        epsilon,
        relation: replaceOne,
      }),
    domain: grid,
    attained: false,
  },
];

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
