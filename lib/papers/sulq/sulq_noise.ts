import { requirePositive } from "../../core/numeric/require.ts";
import { multiply, rational } from "../../core/numeric/rational.ts";
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
 * Steps are about 2²⁸ times finer than the deviation, so that rounding a million rows is not seen.
 */
const FINENESS_BITS = 28;

/**
 * Contributions lie in [0, 1] and must not be rounded to a few values, however large the noise is.
 */
const LEAST_STEP_BITS = 10;

/** However small the noise is, 2²² rows must sum exactly. */
const MOST_STEP_BITS = 30;

/**
 * Largest sum, in steps, 2⁵²: up to there doubles hold them and their noise exactly. A sum that stops tells
 * neighbours apart no better than one that goes on; a refusal of more rows would.
 */
export const MOST_STEPS: number = 2 ** 52;

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

/** Steps in a unit for noise of this variance, in units: a power of two, so that steps are far finer than noise and unit. */
export function stepsForVariance(variance: number): number {
  const deviationBits = Math.floor(0.5 * Math.log2(variance));
  return 2 ** Math.min(MOST_STEP_BITS, Math.max(LEAST_STEP_BITS, FINENESS_BITS - deviationBits));
}
