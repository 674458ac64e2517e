import type { Claim } from "../../core/claim.ts";
import { logNormalTail } from "../../numeric/normal_tail.ts";
import {
  compare,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../numeric/rational.ts";
import { nextUp, roundUp } from "../../numeric/round_outward.ts";

/** What an alignment shows: pure noise loses at most ε, and Gaussian noise beside it is μ-Gaussian private. */
export interface ProvedLoss {
  readonly epsilon: Rational;
  readonly muSquared: Rational;
}

/**
 * Whether a claim follows. Exactly, but for (ε, δ) from Gaussian noise, where δ is rounded up. Pure noise of loss ε₀ and Gaussian
 * noise together have δ(ε) ≤ δ_μ(ε − ε₀), for the loss of the former is at most ε₀ everywhere.
 */
export function keepsClaim(claim: Claim, { epsilon, muSquared }: ProvedLoss): boolean {
  const isPure = muSquared.numerator === 0n, isGaussian = epsilon.numerator === 0n;
  switch (claim.kind) {
    case "pure":
      return isPure && compare(epsilon, rational(claim.epsilon)) <= 0;
    case "approximate": {
      const rest = subtract(rational(claim.epsilon), epsilon);
      if (rest.numerator < 0n) return false;
      return isPure || gaussianDeltaUp(muUp(muSquared), toNumber(rest)) <= claim.delta;
    }
    case "gaussian":
      return isGaussian && compare(muSquared, square(rational(claim.mu))) <= 0;
    case "zcdp": {
      // μ-Gaussian privacy is μ²/2-zCDP, and ε-DP is ε²/2-zCDP (Bun, Steinke 2016, Propositions 1.4 and 1.6).
      const double = multiply(rational(2), rational(claim.rho));
      if (isPure) return compare(square(epsilon), double) <= 0;
      return isGaussian && compare(muSquared, double) <= 0;
    }
    case "renyi": {
      const { order } = claim;
      const loss = isGaussian ? multiply(rational(order / 2), muSquared) : epsilon;
      return (isGaussian || isPure) && compare(loss, rational(claim.epsilon)) <= 0;
    }
  }
}

/** μ, rounded up. */
export function muUp(muSquared: Rational): number {
  let mu = Math.sqrt(toNumber(muSquared));
  while (mu > 0 && compare(square(rational(mu)), muSquared) < 0) mu = nextUp(mu);
  return mu;
}

/** The δ of Gaussian noise, rounded up: logarithms of tails are good to 14 digits, and 12 are counted on. */
export function gaussianDeltaUp(mu: number, epsilon: number): number {
  const first = logNormalTail(epsilon / mu - mu / 2);
  const second = epsilon + logNormalTail(epsilon / mu + mu / 2);
  const error = 1e-12 * (1 + Math.abs(first) + Math.abs(second - epsilon));
  const share = -Math.expm1(Math.min(0, second - first - 2 * error));
  const delta = roundUp(Math.exp(first + error) * share, { relativeError: 1e-12 });
  // Above 0 at every ε, also where it underflows, or its logarithm does.
  return delta > 0 ? delta : Number.MIN_VALUE;
}

function square(value: Rational): Rational {
  return multiply(value, value);
}
