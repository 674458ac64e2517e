import { requirePositive } from "./require.ts";

const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);

/** From here on seven terms of the asymptotic series are exact to a double. */
const SERIES_FROM = 15;

/**
 * Returns the difference between ln Γ(x) and its Stirling approximation (x − ½)·ln x − x + ½·ln 2π, for x > 0: about
 * 1/(12x). Probabilities of large counts are built from this small number, because differences of
 * whole ln Γ values of size 10¹¹ would leave no digit right (Loader 2000).
 */
export function stirlingCorrection(x: number): number {
  let shifted = x, excess = 0;
  // Γ(x + 1) = x·Γ(x) turned into a recurrence of the correction.
  while (shifted < SERIES_FROM) {
    excess += (shifted + 0.5) * Math.log1p(1 / shifted) - 1;
    shifted++;
  }
  const inverse = 1 / shifted, square = inverse * inverse;
  const series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 -
                square * (1 / 1188 - square * (691 / 360360 - square / 156)))));
  return excess + inverse * series;
}

/**
 * ln Γ(x) for x > 0, with an absolute error of about 1e-15·max(1, |ln Γ(x)|).
 *
 * @throws {RangeError} unless x is positive and finite.
 *
 * @example
 * ```ts
 * import { logGamma } from "./log_gamma.ts";
 * logGamma(5); // ln 24
 * ```
 */
export function logGamma(x: number): number {
  requirePositive("compute the logarithm of the gamma function", "x", x);
  return (x - 0.5) * Math.log(x) - x + HALF_LOG_TAU + stirlingCorrection(x);
}
