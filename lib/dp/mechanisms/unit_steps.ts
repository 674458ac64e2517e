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

/** Steps in a unit for noise of this variance, in units: a power of two, so that steps are far finer than noise and unit. */
export function stepsForVariance(variance: number): number {
  const deviationBits = Math.floor(0.5 * Math.log2(variance));
  return 2 ** Math.min(MOST_STEP_BITS, Math.max(LEAST_STEP_BITS, FINENESS_BITS - deviationBits));
}
