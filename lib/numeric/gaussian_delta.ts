import { logNormalTail } from "./normal_tail.ts";

/**
 * The smallest δ for which two normal distributions of variance 1 and means `mu` apart are
 * (epsilon, δ)-close: Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) (Balle, Wang 2018, Theorem 8; Dong, Roth, Su
 * 2022, Corollary 1). For the Gaussian mechanism μ = sensitivity / standard deviation.
 */
export function gaussianDelta(mu: number, epsilon: number): number {
  const first = logNormalTail(epsilon / mu - mu / 2);
  if (first === -Infinity) return 0;
  const second = epsilon + logNormalTail(epsilon / mu + mu / 2);
  return Math.exp(first) * -Math.expm1(Math.min(0, second - first));
}
