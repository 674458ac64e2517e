import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { logSumExp } from "../../core/numeric/log_sum_exp.ts";
import type { ExponentialFamilyOptions } from "./exponential_family.ts";

/**
 * The posterior of an exponential family over its parameters, given the number of rows and the sums of
 * their statistics: p(θ) ∝ exp(θᵀ(αχ + ΣS) − (α + n)·A(θ)). Of what `noisySufficientStatistics` has
 * released it is post-processing and costs no privacy.
 *
 * @param statistics [n, ΣS₁, …, ΣS_k].
 * @returns the probability of every parameter.
 * @throws {RangeError} unless there are k + 1 statistics.
 *
 * @example
 * ```ts
 * import { exponentialPosterior } from "./exponential_posterior.ts";
 * const coin = {
 *   parameters: [[-1], [0], [1]],
 *   logPartition: ([theta]: readonly number[]) => Math.log1p(Math.exp(theta!)),
 *   prior: { mean: [0.5], strength: 1 },
 * };
 * exponentialPosterior(coin, [10, 7]); // 0.01, 0.33, 0.66
 * ```
 */
export function exponentialPosterior(
  options: Pick<
    ExponentialFamilyOptions<never>,
    "parameters" | "logPartition" | "prior"
  >,
  statistics: readonly number[],
): number[] {
  const { parameters, logPartition, prior } = requireFields("exponentialPosterior", options, {
    parameters: "list",
    logPartition: "function",
    prior: "record",
  });
  requireKnown("call exponentialPosterior()", options, [
    "parameters",
    "logPartition",
    "prior",
    "statistic",
    "bounds",
  ]);
  requireKind("exponentialPosterior", "statistics", statistics, "list");
  const [size, ...sums] = statistics;
  if (sums.length !== prior.mean.length || size === undefined) {
    throw new RangeError(
      `Cannot compute a posterior: statistics must be ${
        prior.mean.length + 1
      } numbers: current number is ${statistics.length}`,
    );
  }
  const logs = parameters.map((parameter) =>
    parameter.reduce(
      (sum, theta, k) => sum + theta * (prior.strength * prior.mean[k]! + sums[k]!),
      -(prior.strength + size) * logPartition(parameter),
    )
  );
  const total = logSumExp(logs);
  return logs.map((log) => Math.exp(log - total));
}
