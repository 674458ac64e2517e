import { requirePositive } from "../../core/numeric/require.ts";
import { multiply, rational } from "../../core/numeric/rational.ts";
import { stepsForVariance } from "../../dp/mechanisms/unit_steps.ts";
import { discreteGaussian } from "../../core/random/discrete_gaussian.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";

/** Gaussian noise on a grid, and the grid: a power of two that divides 1. */
export interface SulqNoise {
  /** Steps in a unit: every row's contribution is rounded to 1/stepsPerUnit. */
  readonly stepsPerUnit: number;
  /** The noise, in steps. */
  readonly noise: IntegerNoise;
}

/**
 * The noise N(0, R) of SuLQ as the discrete Gaussian law on a grid (Canonne, Kamath, Steinke 2020).
 * The grid divides 1, so contributions in [0, 1] round to integers of at most `stepsPerUnit` steps,
 * their sum is an exact integer, and sensitivity 1 stays 1: the claim 1/(2R)-zCDP an answer holds
 * as it stands, floating point included (the same paper, Theorem 4).
 *
 * @throws {RangeError} unless variance is positive and from 2⁻⁴⁰ to 2⁵⁴.
 *
 * @example
 * ```ts
 * import { sulqNoise } from "./sulq_noise.ts";
 * sulqNoise({ variance: 100 }).stepsPerUnit; // 2²⁵
 * ```
 */
export function sulqNoise({ variance }: { variance: number }): SulqNoise {
  requirePositive("make SuLQ noise", "variance", variance);
  if (!(variance >= 2 ** -40 && variance <= 2 ** 54)) {
    throw new RangeError(
      `Cannot make SuLQ noise: variance must be from 2^-40 to 2^54: current value is ${variance}`,
    );
  }
  const stepsPerUnit = stepsForVariance(variance);
  const perUnit = rational(BigInt(stepsPerUnit));
  return {
    stepsPerUnit,
    noise: discreteGaussian({
      variance: multiply(rational(variance), multiply(perUnit, perUnit)),
    }),
  };
}
