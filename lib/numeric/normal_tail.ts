const SQRT_HALF = Math.SQRT1_2;
const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);

/** Φ(−|x|) by the alternating-free series Φ(x) = ½ + φ(x)·Σ x^(2k+1)/(1·3·…·(2k+1)), for small |x|. */
function centralProbability(x: number): number {
  let term = x, sum = x;
  for (let k = 1; Math.abs(term) > 1e-17 * Math.abs(sum); k++) {
    term *= (x * x) / (2 * k + 1);
    sum += term;
  }
  return Math.exp(-0.5 * x * x - HALF_LOG_TAU) * sum;
}

/** The Mills ratio Φ(−x)/φ(x) for x ≥ 2, by its continued fraction x + 1/(x + 2/(x + 3/…)). */
function millsRatio(x: number): number {
  let value = 0;
  for (let k = x > 6 ? 60 : 250; k >= 1; k--) value = k / (x + value);
  return 1 / (x + value);
}

/**
 * Natural logarithm of P(Z > x) for a standard normal Z, accurate to about 14 digits in both tails
 * (relative error of the probability, until it underflows only in the result's exponential).
 */
export function logNormalTail(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x >= 2) {
    return x === Infinity ? -Infinity : -0.5 * x * x - HALF_LOG_TAU + Math.log(millsRatio(x));
  }
  if (x <= -2) return Math.log1p(-Math.exp(logNormalTail(-x)));
  return Math.log(0.5 - centralProbability(x));
}

/** P(Z > x) for a standard normal Z: the survival function, never `1 - cdf`. */
export function normalTail(x: number): number {
  return Math.exp(logNormalTail(x));
}

/** The x with P(Z > x) = p, by Newton's method on the logarithm. @throws {RangeError} unless 0 < p < 1. */
export function normalTailQuantile(p: number): number {
  if (!(p > 0 && p < 1)) {
    throw new RangeError(
      `Cannot invert the normal tail: p must be in (0, 1): current value is ${p}`,
    );
  }
  if (p > 0.5) return -normalTailQuantile(1 - p);
  const target = Math.log(p);
  let x = p > 0.1 ? (0.5 - p) / 0.3989 : Math.sqrt(-2 * target);
  for (let i = 0; i < 60; i++) {
    const log = logNormalTail(x);
    // d/dx log tail(x) = −φ(x)/tail(x)
    const slope = -Math.exp(-0.5 * x * x - HALF_LOG_TAU - log);
    const step = (log - target) / slope;
    x -= step;
    if (Math.abs(step) <= 1e-15 * Math.max(1, Math.abs(x) * SQRT_HALF)) break;
  }
  return x;
}
