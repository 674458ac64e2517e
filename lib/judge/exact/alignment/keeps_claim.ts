import type { Claim } from "../../../core/claims/claim.ts";
import { parameterOf } from "../../../core/claims/claim_curve.ts";
import { gaussianDelta } from "../../../core/numeric/gaussian_delta.ts";
import {
  compare,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../../core/numeric/rational.ts";
import { amountUp, type MovedNoise, pureAmountUp } from "./noise_divergence.ts";
import { nextUp, roundUp } from "../../../core/numeric/round_outward.ts";

/** What an alignment shows: pure noise loses at most ε, and Gaussian noise beside it is μ-Gaussian private. */
export interface ProvedLoss {
  readonly epsilon: Rational;
  readonly muSquared: Rational;
  /** The noise, where one shift goes with all outputs. */
  readonly moved?: MovedNoise | undefined;
}

/** Returns true if a claim follows: from fractions alone, or from the laws of the noise. */
export function keepsClaim(claim: Claim, loss: ProvedLoss): boolean {
  return keepsByFractions(claim, loss) || leastAmount(claim, loss) <= parameterOf(claim).value;
}

/**
 * Returns the least ρ, μ or Rényi divergence that follows from the laws of the noise, rounded up; Infinity for claims of other kinds, and
 * where nothing follows.
 */
export function leastAmount(claim: Claim, loss: ProvedLoss): number {
  if (claim.kind === "pure" || claim.kind === "approximate") return Infinity;
  const { epsilon, muSquared, moved } = loss;
  const pure = muSquared.numerator === 0n
    ? pureAmountUp(claim, nextUp(toNumber(epsilon)))
    : Infinity;
  // Rounded up, what is equal to the claim would be above it.
  const claimed = keepsByFractions(claim, loss) ? parameterOf(claim).value : Infinity;
  return Math.min(claimed, pure, moved === undefined ? Infinity : amountUp(claim, moved));
}

/**
 * Returns true if a claim follows from ε and μ². Exactly, but for (ε, δ) from Gaussian noise, where δ is rounded up. Pure noise of loss ε₀ and Gaussian
 * noise together have δ(ε) ≤ δ_μ(ε − ε₀), for the loss of the former is at most ε₀ everywhere.
 */
export function keepsByFractions(claim: Claim, { epsilon, muSquared }: ProvedLoss): boolean {
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

/** Below it squares of doubles lose digits. */
const LEAST_SQUARE = 2 ** -1000;

/** Returns μ, rounded up; 0 for 0 alone. */
export function muUp(muSquared: Rational): number {
  if (muSquared.numerator === 0n) return 0;
  let mu = Math.sqrt(Math.max(LEAST_SQUARE, toNumber(muSquared)));
  while (mu < Infinity && compare(square(rational(mu)), muSquared) < 0) mu = nextUp(mu);
  return mu;
}

/** Above it the digits of δ that are counted on are not certain. */
const LARGEST_MU = 1000;

/** Returns the δ of Gaussian noise, rounded up: 11 digits of it are counted on, and 12 are good. */
export function gaussianDeltaUp(mu: number, epsilon: number): number {
  return mu > LARGEST_MU ? 1 : roundUp(gaussianDelta(mu, epsilon), { relativeError: 1e-11 });
}

function square(value: Rational): Rational {
  return multiply(value, value);
}
