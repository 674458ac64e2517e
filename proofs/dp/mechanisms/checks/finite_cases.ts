import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { baseTwoExponential } from "../../../../lib/dp/mechanisms/base_two_exponential.ts";
import { exponentialMechanism } from "../../../../lib/dp/mechanisms/exponential_mechanism.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../../../lib/dp/mechanisms/input_perturbation.ts";
import { permuteAndFlip } from "../../../../lib/dp/mechanisms/permute_and_flip.ts";
import { quantile } from "../../../../lib/dp/mechanisms/quantile.ts";
import {
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "../../../../lib/dp/mechanisms/randomised_response.ts";
import { rappor } from "../../../../lib/dp/mechanisms/rappor.ts";
import { reportNoisyMax } from "../../../../lib/dp/mechanisms/report_noisy_max.ts";
import { unaryEncoding } from "../../../../lib/dp/mechanisms/unary_encoding.ts";
import { digit, type EnumeratedCase, grid, letters, scores, selection } from "./enumerated_case.ts";

const bits: Domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } };

const letter: Domain = {
  rows: { type: "category", values: letters },
  size: { min: 1, max: 1 },
};

const texts: Domain = {
  rows: { type: "category", values: ["ant", "bee", "cat", "dog", "eel", "fox"] },
  size: { min: 1, max: 1 },
};

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
