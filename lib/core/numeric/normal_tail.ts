const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);

/** Φ(−|x|) by the alternating-free series Φ(x) = ½ + φ(x)·Σ x^(2k+1)/(1·3·…·(2k+1)), for small |x|. */
function centralProbability(x: number): number {
  let term = x, sum = x;
  for (let k = 1; Math.abs(term) > 1e-17 * Math.abs(sum); k++) {
    term *= (x * x) / (2 * k + 1);
    sum += term;
  }
  return Math.exp(logNormalDensity(x)) * sum;
}

/** 1/(x + 2/(x + 3/…)) for x ≥ 2: about 900/x² steps settle the last digit. */
function continuedFraction(x: number): number {
  let value = 0;
  for (let k = Math.ceil(30 + 900 / (x * x)); k >= 1; k--) value = k / (x + value);
  return value;
}

/** The Mills ratio M(x) = Φ(−x)/φ(x). */
export function millsRatio(x: number): number {
  if (x >= 2) return 1 / (x + continuedFraction(x));
  return Math.exp(logNormalTail(x) + 0.5 * x * x + HALF_LOG_TAU);
}

/** −M′(x) = 1 − x·M(x): how fast the Mills ratio falls. */
export function millsSlope(x: number): number {
  if (!(x >= 2)) return 1 - x * millsRatio(x);
  const fraction = continuedFraction(x);
  return fraction / (x + fraction);
}

/** Natural logarithm of the density of a standard normal. */
export function logNormalDensity(x: number): number {
  return -0.5 * x * x - HALF_LOG_TAU;
}

/**
 * Natural logarithm of P(Z > x) for a standard normal Z, accurate to about 14 digits in both tails
 * (relative error of the probability, until it underflows only in the result's exponential).
 */
export function logNormalTail(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x >= 2) {
    return x === Infinity ? -Infinity : logNormalDensity(x) + Math.log(millsRatio(x));
  }
  if (x <= -2) return Math.log1p(-Math.exp(logNormalTail(-x)));
  return Math.log(0.5 - centralProbability(x));
}

/** P(Z > x) for a standard normal Z: the survival function, never `1 - cdf`. */
export function normalTail(x: number): number {
  return Math.exp(logNormalTail(x));
}

/**
 * The x with P(Z > x) = p: the rational approximation of Acklam 2003 (9 digits), then Newton's method
 * on the logarithm. @throws {RangeError} unless 0 < p < 1.
 */
export function normalTailQuantile(p: number): number {
  if (!(p > 0 && p < 1)) {
    throw new RangeError(
      `Cannot invert the normal tail: p must be in (0, 1): current value is ${p}`,
    );
  }
  if (p > 0.5) return -normalTailQuantile(1 - p);
  const target = Math.log(p);
  let x = p > 0.02425 ? centralQuantile(0.5 - p) : tailQuantile(Math.sqrt(-2 * target));
  for (let i = 0; i < 60; i++) {
    const log = logNormalTail(x);
    // d/dx log tail(x) = −φ(x)/tail(x)
    const slope = -Math.exp(logNormalDensity(x) - log);
    const step = (log - target) / slope;
    x -= step;
    // The error after a step is about the square of the error before it.
    if (Math.abs(step) <= 1e-8 * Math.max(1, Math.abs(x))) break;
  }
  return x;
}

function centralQuantile(q: number): number {
  const r = q * q;
  return ((((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r +
            1.38357751867269e2) * r - 3.066479806614716e1) * r + 2.506628277459239) * q) /
    (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r +
              6.680131188771972e1) * r - 1.328068155288572e1) * r + 1);
}

function tailQuantile(q: number): number {
  return -(((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q -
            2.549732539343734) * q + 4.374664141464968) * q + 2.938163982698783) /
    ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q +
          3.754408661907416) * q + 1);
}
