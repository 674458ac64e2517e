import { stirlingCorrection } from "./log_gamma.ts";
import { requirePositive } from "./require.ts";

const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);

/** Natural logarithms of I_x(a, b) and of 1 − I_x(a, b). */
interface LogBetaTails {
  /** ln I_x(a, b). */
  readonly lower: number;
  /** ln(1 − I_x(a, b)). */
  readonly upper: number;
}

/**
 * observed·ln(observed/expected) + expected − observed, without the cancellation of that formula where
 * the two are close (Loader 2000, "Fast and accurate computation of binomial probabilities").
 */
function poissonDeviance(observed: number, expected: number): number {
  const difference = observed - expected, sum = observed + expected;
  if (Math.abs(difference) > 0.1 * sum) {
    return observed * Math.log(observed / expected) - difference;
  }
  const ratio = difference / sum, square = ratio * ratio;
  let total = difference * ratio;
  let power = 2 * observed * ratio;
  for (let k = 3;; k += 2) {
    power *= square;
    const next = total + power / k;
    if (next === total) return total;
    total = next;
  }
}

/**
 * ln of x^a·y^b / B(a, b), y = 1 − x: the density of Beta(a, b) at x, times x·y. Written with deviances
 * and Stirling corrections, so that it keeps its digits for shapes up to 10¹⁰ and beyond.
 */
export function logBetaWeight(a: number, b: number, x: number, y: number): number {
  const n = a + b;
  return stirlingCorrection(n) - stirlingCorrection(a) - stirlingCorrection(b) - HALF_LOG_TAU +
    0.5 * (Math.log(a) + Math.log(b / n)) -
    poissonDeviance(a, n * x) - poissonDeviance(b, n * y);
}

/**
 * The continued fraction of Didonato and Morris 1992 (equation 9; the even part of DLMF 8.17.22), by
 * the modified Lentz method. For x ≤ a/(a+b) it takes about √max(a, b) steps near the mean and few in
 * the tail.
 */
function betaFraction(a: number, b: number, x: number, y: number): number {
  // a − (a + b)·x, without the rounding of y when x is tiny.
  const excess = a * y - b * x;
  const tiny = 1e-300;
  let value = (a / (a + 1)) * (excess + 1);
  let c = value, d = 0;
  for (let n = 1; n < 1e8; n++) {
    const even = a + 2 * n;
    const alpha = ((a + n - 1) / (even - 1)) * ((a + b + n - 1) / (even - 1)) * n * (b - n) * x * x;
    const denominator = n + (n * (b - n) * x) / (even - 1) +
      ((a + n) / (even + 1)) * (excess + 1 + n * (1 + y));
    d = denominator + alpha * d;
    if (Math.abs(d) < tiny) d = tiny;
    d = 1 / d;
    c = denominator + alpha / c;
    if (Math.abs(c) < tiny) c = tiny;
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-15) return 1 / value;
  }
  throw new RangeError("Cannot compute the incomplete beta function: no convergence");
}

/**
 * Both tails of the regularised incomplete beta function I_x(a, b) = P(Beta(a, b) ≤ x), as natural
 * logarithms. The smaller tail has about 10 digits or more for shapes up to 10¹⁰; the larger one
 * follows from it. Pass `y` = 1 − x where x is so close to 1 that the subtraction would lose digits.
 *
 * @throws {RangeError} unless a and b are positive and x is in [0, 1].
 *
 * @example
 * ```ts
 * import { logIncompleteBeta } from "./incomplete_beta.ts";
 * Math.exp(logIncompleteBeta(0.5, { a: 2, b: 1 }).lower); // 0.25
 * ```
 */
export function logIncompleteBeta(
  x: number,
  { a, b, y = 1 - x }: { a: number; b: number; y?: number },
): LogBetaTails {
  requirePositive("compute the incomplete beta function", "a", a);
  requirePositive("compute the incomplete beta function", "b", b);
  if (!(x >= 0 && x <= 1 && y >= 0)) {
    throw new RangeError(
      `Cannot compute the incomplete beta function: x must be in [0, 1]: current value is ${x}`,
    );
  }
  if (x === 0) return { lower: -Infinity, upper: 0 };
  if (y === 0) return { lower: 0, upper: -Infinity };
  const weight = logBetaWeight(a, b, x, y);
  // The fraction converges fast on the side of the mean where its tail is the smaller one.
  if (a * y >= b * x) {
    const lower = Math.min(0, weight + Math.log(betaFraction(a, b, x, y)));
    return { lower, upper: logOneMinusExp(lower) };
  }
  const upper = Math.min(0, weight + Math.log(betaFraction(b, a, y, x)));
  return { lower: logOneMinusExp(upper), upper };
}

/** ln(1 − e^log) for log ≤ 0, by the branch that keeps its digits. */
function logOneMinusExp(log: number): number {
  return log > -Math.LN2 ? Math.log(-Math.expm1(log)) : Math.log1p(-Math.exp(log));
}
