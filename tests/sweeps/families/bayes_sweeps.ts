import fc, { type Arbitrary } from "fast-check";
import { exponentialFamily } from "../../../lib/papers/bayes/exponential_family.ts";
import {
  betaBernoulli,
  dirichletMultinomial,
  gaussianMean,
} from "../../../lib/papers/bayes/families.ts";
import { noisyStatistics } from "../../../lib/papers/bayes/noisy_statistics.ts";
import {
  type PosteriorFamily,
  posteriorSampling,
} from "../../../lib/papers/bayes/posterior_sampling.ts";
import {
  epsilons,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  relationOf,
  rowRelations,
  scaled,
} from "../draws.ts";
import { drawnLaplaceShare, drawnStep, moves } from "../drawn_noise.ts";
import { neighbours, pointsOf, type Rows, valuesOf } from "../neighbours.ts";
import { laplaceScale } from "../scripted_source.ts";
import { distributionShare, epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** Which family, and its numbers. */
interface Posterior {
  readonly kind: "beta" | "dirichlet" | "gaussian" | "exponential" | "custom";
  readonly relation: "replace-one" | "add-remove-one";
  readonly epsilon: number;
  readonly samples: number;
  readonly categories: number;
  readonly resolution: number;
  /** A prior's weight. */
  readonly weight: number;
  /** From 0 to 1, not 0: how far likelihoods vary. */
  readonly part: number;
}

type Family = PosteriorFamily<never, unknown>;

function familyOf(options: Posterior): Family {
  return anyFamily(options) as Family;
}

function anyFamily({ kind, categories, resolution, weight, part }: Posterior): unknown {
  switch (kind) {
    case "beta":
      return betaBernoulli({
        ones: weight,
        zeros: 1,
        least: 0.4999 * part,
        resolution: 1 + resolution,
      });
    case "dirichlet":
      return dirichletMultinomial({
        prior: Array.from({ length: categories }, (_, k) => weight + k),
        resolution: categories + Math.min(resolution, categories > 4 ? 4 : 12),
      });
    case "gaussian":
      return gaussianMean({
        bounds: { lower: -1, upper: 2 },
        deviation: 1 / part,
        prior: { mean: 0, deviation: weight },
        resolution: 1 + resolution,
      });
    case "exponential":
      return exponentialFamily<readonly number[]>({
        parameters: Array.from(
          { length: resolution },
          (_, i) => [i * part - 1, 1 - i / resolution],
        ),
        statistic: (row) => row,
        bounds: { lower: [0, -1], upper: [1, 1] },
        logPartition: ([one, other]) => Math.log1p(Math.exp(one!)) + 0.5 * other! ** 2,
        prior: { mean: [0.5, 0], strength: weight },
      });
    case "custom":
      // Likelihoods that vary more than the range, some of them 0, some no numbers.
      return {
        parameters: Array.from({ length: resolution }, (_, i) => i),
        logPrior: (parameter: number) => -weight * parameter,
        logLikelihood: (row: number, parameter: number) =>
          row === 3
            ? NaN
            : parameter === 0
            ? -1
            : row === parameter
            ? -Infinity
            : row < 0
            ? NaN
            : -row * parameter,
        range: 3 * part,
      };
  }
}

/** Rows of every kind that a family takes. */
function rowsOf({ kind, categories, relation }: Posterior): Rows<unknown> {
  const size = { min: relation === "replace-one" ? 1 : 0, max: 15 };
  switch (kind) {
    case "beta":
      return valuesOf<unknown>([true, false], size);
    case "dirichlet":
      return valuesOf<unknown>([...Array(categories).keys(), -1, 0.5], size);
    case "gaussian":
      return valuesOf<unknown>([-1, 2, 0, -1e300, 1e300, 0.3], size);
    case "exponential":
      return pointsOf({ lower: [0, -1], upper: [1, 1] }, size) as Rows<unknown>;
    case "custom":
      return valuesOf<unknown>([0, 1, 2, 3, -1, 1e300], size);
  }
}

const posteriors: Arbitrary<Posterior> = fc.record({
  kind: fc.constantFrom("beta", "dirichlet", "gaussian", "exponential", "custom"),
  relation: rowRelations,
  epsilon: epsilons,
  samples: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 })),
  categories: fc.integer({ min: 2, max: 6 }),
  resolution: fc.integer({ min: 2, max: 40 }),
  weight: scaled({ min: 0.1, max: 10, often: [1] }),
  part: scaled({ min: 1e-3, max: 1 }),
});

const posteriorOf = (options: Posterior, samples = options.samples) =>
  posteriorSampling<never, unknown>(familyOf(options), {
    epsilon: options.epsilon,
    relation: relationOf(options.relation),
    samples,
  });

/** One sample's loss by the exact distribution, as often as there are samples. */
function posteriorShare(
  { options, mechanism, left, right }: Case<Posterior, never, unknown[]>,
): number {
  const { samples } = options;
  // Of one sample, tempered as one of many: its ε is the same part of what it may be.
  const one = posteriorOf({ ...options, epsilon: options.epsilon / samples }, 1);
  const loss = distributionShare(one, { left, right }) * epsilonOf(one.claim);
  const same = Math.abs(one.temper / (mechanism as typeof one).temper - 1) < 1e-12;
  return same ? samples * loss / epsilonOf(mechanism.claim) : Infinity;
}

const isPositive = (output: readonly number[], length: number): boolean =>
  output.length === length && output.every((value) => Number.isFinite(value) && value > 0);

/** Private Bayes. */
export const bayesSweeps: readonly Sweep[] = [
  sweep({
    name: "posteriorSampling()",
    covers: [
      "posteriorSampling",
      "betaBernoulli",
      "dirichletMultinomial",
      "gaussianMean",
      "exponentialFamily",
    ],
    options: posteriors,
    make: (options) => posteriorOf(options),
    pair: (options, source) =>
      neighbours(source, { relation: options.relation, rows: rowsOf(options) }) as {
        left: never[];
        right: never[];
      },
    share: posteriorShare,
    // Log-likelihoods are doubles; the exponents are exact fractions of their rounding.
    tolerance: 1e-5,
    attained: 0.9,
    shape: (output, { options }) =>
      output.length === options.samples &&
      output.every((value) =>
        familyOf(options).parameters.some((each) => JSON.stringify(each) === JSON.stringify(value))
      ),
    badOptions: { epsilon: NOT_POSITIVE, samples: NOT_A_COUNT.slice(0, 5), relation: NOT_OF_ROWS },
  }),
  sweep({
    name: "noisyStatistics()",
    covers: ["noisyStatistics"],
    options: fc.record({
      relation: rowRelations,
      epsilon: scaled({ min: 1e-6, max: 20 }),
      prior: fc.oneof(
        fc.constant([1, 1]),
        fc.array(
          fc.double({ min: 0.25, max: 4, noNaN: true }).map((shape) => Math.ceil(4 * shape) / 4),
          {
            minLength: 2,
            maxLength: 200,
          },
        ),
      ),
    }),
    make: ({ relation, ...options }) =>
      noisyStatistics({ ...options, relation: relationOf(relation) }),
    pair: ({ relation, prior }, source) =>
      neighbours(source, {
        relation,
        rows: valuesOf([...prior.keys()], { min: relation === "replace-one" ? 1 : 0, max: 20 }),
      }),
    share: noisyShare,
    attained: 1 - 1e-5,
    shape: (output, { options }) => isPositive(output, options.prior.length),
    badOptions: {
      epsilon: NOT_POSITIVE,
      prior: [[], [1], [1, 0], [1, NaN]],
      relation: NOT_OF_ROWS,
    },
    badData: () => [[-1], [0.5], [NaN], ["secret"], [200]],
  }),
];

/** Counts with their noise, of which a public number of rows leaves one to be noised. */
function noisyShare(
  drawn: Case<{ readonly relation: string; readonly prior: readonly number[] }, number, number[]>,
): number {
  const { options: { relation, prior }, mechanism, left, right } = drawn;
  if (relation !== "replace-one" || prior.length !== 2) {
    return drawnLaplaceShare(mechanism, { left, right }) * (1 - 1e-6);
  }
  // Many rows of the first kind leave room for the noise on the count of the second.
  const rows = Math.min(20_000, Math.ceil(1 / (50 * epsilonOf(mechanism.claim))) + 10);
  const step = drawnStep(mechanism, new Array<number>(rows).fill(0), { coordinate: 1 });
  if (step === undefined) return 0;
  const { sum } = moves(mechanism, { left, right });
  return sum / 2 / laplaceScale(step) / epsilonOf(mechanism.claim) * (1 - 1e-6);
}
