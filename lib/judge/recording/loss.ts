import type { Claim } from "../../core/claims/claim.ts";
import { gaussianDelta } from "../../core/numeric/gaussian_delta.ts";
import { leastReached } from "../../core/numeric/least_reached.ts";
import { normalTail, normalTailQuantile } from "../../core/numeric/normal_tail.ts";

/** Composed loss of all shifts of noise from one dataset of a pair to the other. */
export interface Loss {
  /** Of each part with a bounded loss, its ε in nats. */
  readonly pure: readonly number[];
  /** Σ μ² of the normal noise that moved. */
  readonly muSquared: number;
  /** The probability of outputs that the other dataset cannot give, of noise that is bounded or one-sided. */
  readonly delta: number;
  /** How much of Σ ε² draws whose laws are known do not lose: ε² less twice their ρ. */
  readonly unspent?: number;
}

/** No loss. */
export const NO_LOSS: Loss = { pure: [], muSquared: 0, delta: 0 };

/** Returns the loss of two independent releases. */
export function composed(a: Loss, b: Loss): Loss {
  return {
    pure: [...a.pure, ...b.pure],
    muSquared: a.muSquared + b.muSquared,
    delta: a.delta + b.delta,
    ...(a.unspent === undefined && b.unspent === undefined
      ? {}
      : { unspent: (a.unspent ?? 0) + (b.unspent ?? 0) }),
  };
}

/** Returns a loss as the least parameter of a claim of this kind that covers it: ε, ρ or μ; `Infinity` where none does. */
export function parameterOf({ pure, muSquared, delta, unspent = 0 }: Loss, claim: Claim): number {
  const epsilon = pure.reduce((sum, part) => sum + part, 0), mu = Math.sqrt(muSquared);
  const squares = pure.reduce((sum, part) => sum + part * part, 0);
  switch (claim.kind) {
    case "pure":
      return mu > 0 || delta > 0 ? Infinity : epsilon;
    case "approximate":
      return epsilon + gaussianEpsilon(mu, claim.delta - delta);
    case "zcdp":
      return delta > 0 ? Infinity : (muSquared + squares - unspent) / 2;
    case "renyi":
      return delta > 0 ? Infinity : pure.reduce(
        (sum, part) => sum + Math.min(part, claim.order * part * part / 2),
        claim.order * muSquared / 2,
      );
    case "gaussian":
      return delta > 0 ? Infinity : Math.sqrt(pure.reduce(
        (sum, part) => sum + muOfPure(part) ** 2,
        muSquared,
      ));
  }
}

/** Returns the number of a claim that a loss is compared with. */
export function claimedAmount(claim: Claim): number {
  return claim.kind === "zcdp" ? claim.rho : claim.kind === "gaussian" ? claim.mu : claim.epsilon;
}

/** Returns a loss as a multiple of what the claim allows. */
export function shareOf(loss: Loss, claim: Claim): number {
  return parameterOf(loss, claim) / claimedAmount(claim);
}

/** Returns the change, in units of the noise's scale, that the whole claim pays for; `undefined` where this noise keeps no such claim. */
export function paidChange(law: "laplace" | "normal", claim: Claim): number | undefined {
  if (law === "laplace") {
    switch (claim.kind) {
      case "pure":
      case "approximate":
        return claim.epsilon;
      case "zcdp":
        return Math.sqrt(2 * claim.rho);
      case "renyi":
        return Math.max(claim.epsilon, Math.sqrt(2 * claim.epsilon / claim.order));
      case "gaussian":
        return Math.log(1 / normalTail(claim.mu / 2) - 1);
    }
  }
  switch (claim.kind) {
    case "pure":
      return undefined;
    case "approximate":
      return claim.delta > 0 ? gaussianMu(claim.epsilon, claim.delta) : undefined;
    case "zcdp":
      return Math.sqrt(2 * claim.rho);
    case "renyi":
      return Math.sqrt(2 * claim.epsilon / claim.order);
    case "gaussian":
      return claim.mu;
  }
}

/** Returns the μ whose trade-off curve has the same fixed point as that of ε-DP, 1/(1 + e^ε), and lies below it (Dong, Roth, Su 2022). */
function muOfPure(epsilon: number): number {
  const point = 1 / (1 + Math.exp(epsilon));
  return point === 0 ? Infinity : 2 * normalTailQuantile(point);
}

/** Returns the least ε at which two normal laws are `mu` apart with this δ. */
function gaussianEpsilon(mu: number, delta: number): number {
  if (delta < 0) return Infinity;
  if (mu === 0 || gaussianDelta(mu, 0) <= delta) return 0;
  if (delta === 0) return Infinity;
  return leastReached((epsilon) => gaussianDelta(mu, epsilon) <= delta)!;
}

/** Returns the largest μ whose normal laws are (ε, δ)-close. */
function gaussianMu(epsilon: number, delta: number): number {
  return leastReached((mu) => gaussianDelta(mu, epsilon) >= delta)!;
}
