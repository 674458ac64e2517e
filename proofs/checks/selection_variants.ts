import type { Dataset } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { baseTwoExponential } from "../../lib/mechanisms/base_two_exponential.ts";
import { boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { exponentialMechanism } from "../../lib/mechanisms/exponential_mechanism.ts";
import { permuteAndFlip } from "../../lib/mechanisms/permute_and_flip.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import { reportNoisyMax } from "../../lib/mechanisms/report_noisy_max.ts";
import { aboveThreshold, numericSparseVector } from "../../lib/mechanisms/sparse_vector.ts";

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
const oneRises = [{ left: [0, 20, 20], right: [1, 20, 20] }];
const far = (length: number, by: number): number[] => Array<number>(length).fill(40 + by);

/** Selection, sparse vectors and quantiles. */
export const selectionVariants: readonly Variant[] = [
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
];
