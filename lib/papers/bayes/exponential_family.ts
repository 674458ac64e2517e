import { requireKnown } from "../../core/text/known_options.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requireNonNegative,
  requirePositive,
} from "../../core/numeric/require.ts";
import { requireBox } from "../../dp/learners/require_box.ts";
import type { PosteriorFamily } from "./posterior_sampling.ts";

/**
 * An exponential family p(x | θ) = h(x)·exp(θᵀS(x) − A(θ)) on finitely many natural parameters, with
 * its conjugate prior.
 */
export interface ExponentialFamilyOptions<Row> {
  /** θ: k numbers each; not taken from the data. */
  readonly parameters: readonly (readonly number[])[];
  /** S: k numbers of a row, brought into `bounds`. It must not throw: an error is not covered. */
  readonly statistic: (row: Row) => readonly number[];
  /** The box of the statistic, per coordinate; not taken from the data. */
  readonly bounds: { readonly lower: readonly number[]; readonly upper: readonly number[] };
  /** A, the logarithm of the normaliser; finite at every parameter. */
  readonly logPartition: (parameter: readonly number[]) => number;
  /** χ and α: as if α rows of statistic χ had been seen. */
  readonly prior: { readonly mean: readonly number[]; readonly strength: number };
}

/** The range of log-likelihoods is sought at all 2^k corners of the box. */
const MOST_COORDINATES = 8;

/**
 * An exponential family for `posteriorSampling` (Foulds, Geumlek, Welling, Chaudhuri 2016, section 3).
 * The log-likelihood of a row is θᵀS(x) − A(θ), without ln h(x), which is the same for all parameters.
 * Its range over the parameters is a convex function of S, so that the largest range is at a corner of
 * the box: all are looked at, and the range is exact but for rounding.
 *
 * @throws {RangeError} unless there are from 1 to 8 coordinates, bounds in order, and finite values of A.
 *
 * @example
 * ```ts
 * import { exponentialFamily } from "./exponential_family.ts";
 * // Poisson counts up to 10, of mean e^θ from e^−1 to e^2.
 * const visits = exponentialFamily<number>({
 *   parameters: Array.from({ length: 61 }, (_, i) => [-1 + 0.05 * i]),
 *   statistic: (count) => [count],
 *   bounds: { lower: [0], upper: [10] },
 *   logPartition: ([theta]) => Math.exp(theta!),
 *   prior: { mean: [1], strength: 1 },
 * });
 * visits.range; // 22.98 nats
 * ```
 */
export function exponentialFamily<Row>(
  options: ExponentialFamilyOptions<Row>,
): PosteriorFamily<Row, readonly number[]> {
  const { parameters, statistic, bounds, logPartition, prior } = requireFields(
    "exponentialFamily",
    options,
    {
      parameters: "list",
      statistic: "function",
      bounds: "record",
      logPartition: "function",
      prior: "record",
    },
  );
  requireKnown("call exponentialFamily()", options, [
    "parameters",
    "statistic",
    "bounds",
    "logPartition",
    "prior",
  ]);
  const action = "make an exponential family";
  const { lower, upper } = requireBox("exponentialFamily", bounds);
  const coordinates = lower.length;
  requireInteger(action, "coordinates", coordinates, { min: 1, max: MOST_COORDINATES });
  requireInteger(action, "parameters", parameters.length, { min: 1, max: 2 ** 16 });
  requireNonNegative(action, "prior.strength", prior.strength);
  requireKind("exponentialFamily", "prior.mean", prior.mean, "list");
  for (const parameter of parameters) {
    requireKind("exponentialFamily", "each of parameters", parameter, "list");
  }
  const lengths = [upper, prior.mean, ...parameters].map(({ length }) => length);
  if (lengths.some((length) => length !== coordinates)) {
    throw new RangeError(
      `Cannot ${action}: bounds, prior.mean and parameters must have ${coordinates} numbers each`,
    );
  }
  lower.forEach((least, k) =>
    requirePositive(action, `bounds.upper[${k}] - bounds.lower[${k}]`, upper[k]! - least)
  );
  const partitions = new Map(parameters.map((parameter) => [parameter, logPartition(parameter)]));
  const logDensity = (values: readonly number[], parameter: readonly number[]): number =>
    parameter.reduce(
      (sum, theta, k) => sum + theta * values[k]!,
      -(partitions.get(parameter) ?? logPartition(parameter)),
    );
  let range = 0;
  for (let corner = 0; corner < 2 ** coordinates; corner++) {
    const values = lower.map((least, k) => corner >> k & 1 ? upper[k]! : least);
    let least = Infinity, most = -Infinity;
    for (const parameter of parameters) {
      const value = logDensity(values, parameter);
      if (!Number.isFinite(value)) {
        throw new RangeError(
          `Cannot ${action}: log-likelihoods by parameters and logPartition must be finite everywhere: current value is ${value}`,
        );
      }
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    range = Math.max(range, most - least);
  }
  return {
    parameters,
    logPrior: (parameter) => prior.strength * logDensity(prior.mean, parameter),
    logLikelihood: (row, parameter) => logDensity(withinBounds(statistic(row), bounds), parameter),
    range,
  };
}

/** Every coordinate brought into its bounds; what is not a number becomes the lower one. */
export function withinBounds(
  values: readonly number[],
  { lower, upper }: ExponentialFamilyOptions<never>["bounds"],
): number[] {
  return lower.map((least, k) => values[k]! > least ? Math.min(upper[k]!, values[k]!) : least);
}
