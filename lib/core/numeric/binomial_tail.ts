import { logIncompleteBeta } from "./incomplete_beta.ts";
import { requireInteger } from "./require.ts";

/**
 * ln P(X ≥ k) for X ~ Binomial(n, p), with about 10 digits or more for n up to 10¹⁰.
 *
 * @throws {RangeError} unless n is an integer of at least 0, k an integer, and p in [0, 1].
 *
 * @example
 * ```ts
 * import { logBinomialTail } from "./binomial_tail.ts";
 * Math.exp(logBinomialTail(10, 10, 0.5)); // 2^-10
 * ```
 */
export function logBinomialTail(k: number, n: number, p: number): number {
  requireBinomial(k, n, p);
  if (k <= 0) return 0;
  if (k > n) return -Infinity;
  return logIncompleteBeta(p, { a: k, b: n - k + 1 }).lower;
}

/** ln P(X ≤ k) for X ~ Binomial(n, p); the same accuracy and refusals as {@linkcode logBinomialTail}. */
export function logBinomialLowerTail(k: number, n: number, p: number): number {
  requireBinomial(k, n, p);
  if (k < 0) return -Infinity;
  if (k >= n) return 0;
  return logIncompleteBeta(p, { a: k + 1, b: n - k }).upper;
}

function requireBinomial(k: number, n: number, p: number): void {
  requireInteger("compute a binomial tail", "n", n, { min: 0 });
  requireInteger("compute a binomial tail", "k", k);
  if (!(p >= 0 && p <= 1)) {
    throw new RangeError(
      `Cannot compute a binomial tail: p must be in [0, 1]: current value is ${p}`,
    );
  }
}
