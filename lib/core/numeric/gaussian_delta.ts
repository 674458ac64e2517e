import { logNormalDensity, millsRatio, millsSlope, normalTail } from "./normal_tail.ts";

/** Below this μ the integral is used, where the difference would lose digits. */
const SMALL = 1 / 16;

/** Nodes and weights of Gauss–Legendre quadrature with four points on [−1, 1]: 14 digits of the integral below. */
const INNER = 0.3399810435848563, OUTER = 0.8611363115940526;
const RULE = [
  [INNER, 0.6521451548625461],
  [-INNER, 0.6521451548625461],
  [OUTER, 0.3478548451374538],
  [-OUTER, 0.3478548451374538],
] as const;

/**
 * The smallest δ for which two normal distributions of variance 1 and means `mu` apart are
 * (epsilon, δ)-close, for epsilon ≥ 0: Φ(−a) − e^ε·Φ(−b) with a = ε/μ − μ/2 and b = ε/μ + μ/2 (Balle, Wang 2018,
 * Theorem 8; Dong, Roth, Su 2022, Corollary 1). For the Gaussian mechanism μ = sensitivity / standard deviation.
 *
 * As e^ε·φ(b) = φ(a), that is φ(a)·(M(a) − M(b)) for the Mills ratio M, and φ(a) times the integral of −M′ from a to b:
 * no digits cancel. It has 11 digits for mu up to 1,000, down to the least positive double, which stands for
 * all smaller numbers but 0.
 */
export function gaussianDelta(mu: number, epsilon: number): number {
  if (mu === 0 || epsilon === Infinity) return 0;
  const delta = mu < SMALL ? byIntegral(mu, epsilon) : byDifference(mu, epsilon);
  return Math.max(Number.MIN_VALUE, delta);
}

function byIntegral(mu: number, epsilon: number): number {
  const centre = epsilon / mu, half = mu / 2;
  const integral = RULE.reduce(
    (sum, [node, weight]) => sum + weight * millsSlope(centre + half * node),
    0,
  );
  return half * Math.exp(logNormalDensity(centre - half) + Math.log(integral));
}

function byDifference(mu: number, epsilon: number): number {
  const near = epsilon / mu - mu / 2, far = epsilon / mu + mu / 2;
  if (near < 2) {
    return normalTail(near) - Math.exp(logNormalDensity(near) + Math.log(millsRatio(far)));
  }
  return Math.exp(logNormalDensity(near) + Math.log(millsRatio(near) - millsRatio(far)));
}
