import { amountText, brandClaim, type ClaimBrand, requireClaim } from "./claim_brand.ts";
import type { Relation } from "../relations/relation.ts";
import {
  requireDelta,
  requireNonNegative,
  requireOrder,
  requirePositive,
} from "../numeric/require.ts";
import { gaussianDelta } from "../numeric/gaussian_delta.ts";

/** ε-differential privacy (Dwork, McSherry, Nissim, Smith 2006). Epsilon in nats. */
export interface PureClaim extends ClaimBrand {
  /** Which claim this is. */
  readonly kind: "pure";
  /** ε in nats, positive. */
  readonly epsilon: number;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
}

/** (ε, δ)-differential privacy (Dwork et al. 2006). */
export interface ApproximateClaim extends ClaimBrand {
  /** Which claim this is. */
  readonly kind: "approximate";
  /** ε in nats, positive. */
  readonly epsilon: number;
  /** δ in [0, 1). */
  readonly delta: number;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
}

/** ρ-zero-concentrated differential privacy (Bun, Steinke 2016): D_a ≤ ρ·a for every order a > 1. */
export interface ZcdpClaim extends ClaimBrand {
  /** Which claim this is. */
  readonly kind: "zcdp";
  /** ρ in nats, positive. */
  readonly rho: number;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
}

/** Rényi differential privacy of one order (Mironov 2017): D_order ≤ epsilon. */
export interface RenyiClaim extends ClaimBrand {
  /** Which claim this is. */
  readonly kind: "renyi";
  /** The order of the divergence, above 1. */
  readonly order: number;
  /** ε in nats, positive. */
  readonly epsilon: number;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
}

/** μ-Gaussian differential privacy (Dong, Roth, Su 2022): as hard to tell apart as N(0,1) and N(μ,1). */
export interface GaussianClaim extends ClaimBrand {
  /** Which claim this is. */
  readonly kind: "gaussian";
  /** μ, positive: the distance of the two normal distributions in standard deviations. */
  readonly mu: number;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
}

/**
 * Privacy guarantee of a mechanism, for every pair of neighbours. Claims are frozen and made by {@linkcode pure},
 * {@linkcode approximate}, {@linkcode zcdp}, {@linkcode renyi} and {@linkcode gaussian} alone: a copy (`{...claim}`)
 * is no claim, to the compiler or to a budget.
 */
export type Claim = PureClaim | ApproximateClaim | ZcdpClaim | RenyiClaim | GaussianClaim;

/** Claims ε-DP. No default for any argument. @throws {RangeError} unless ε is positive and finite. */
export function pure({ epsilon, relation }: Omit<PureClaim, "kind">): PureClaim {
  requirePositive("claim pure privacy", "epsilon", epsilon);
  return brandClaim({ kind: "pure", epsilon, relation });
}

/** Claims (ε, δ)-DP. @throws {RangeError} unless ε is positive and finite and δ in [0, 1). */
export function approximate(
  { epsilon, delta, relation }: Omit<ApproximateClaim, "kind">,
): ApproximateClaim {
  requirePositive("claim approximate privacy", "epsilon", epsilon);
  requireDelta("claim approximate privacy", "delta", delta);
  return brandClaim({ kind: "approximate", epsilon, delta, relation });
}

/** Claims (ε, δ)-DP, and ε-DP where δ is 0. @throws {RangeError} unless ε is positive and finite and δ in [0, 1). */
export function pureOrApproximate(
  { epsilon, delta = 0, relation }: {
    readonly epsilon: number;
    readonly delta?: number | undefined;
    readonly relation: Relation;
  },
): PureClaim | ApproximateClaim {
  return delta === 0 ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation });
}

/** Claims ρ-zCDP. @throws {RangeError} unless ρ is positive and finite. */
export function zcdp({ rho, relation }: Omit<ZcdpClaim, "kind">): ZcdpClaim {
  requirePositive("claim concentrated privacy", "rho", rho);
  return brandClaim({ kind: "zcdp", rho, relation });
}

/** Claims Rényi privacy of one order. @throws {RangeError} unless order > 1 and ε > 0, both finite. */
export function renyi({ order, epsilon, relation }: Omit<RenyiClaim, "kind">): RenyiClaim {
  requirePositive("claim Rényi privacy", "epsilon", epsilon);
  requireOrder("claim Rényi privacy", "order", order);
  return brandClaim({ kind: "renyi", order, epsilon, relation });
}

/** Claims μ-GDP. @throws {RangeError} unless μ is positive and finite. */
export function gaussian({ mu, relation }: Omit<GaussianClaim, "kind">): GaussianClaim {
  requirePositive("claim Gaussian privacy", "mu", mu);
  return brandClaim({ kind: "gaussian", mu, relation });
}

/**
 * The δ at `epsilon` ≥ 0 that follows from the claim: (ε, δ(ε))-DP holds whenever the claim does.
 * Tight for pure, approximate (at ε of the claim and above, and below it by the group of all its
 * trade-off functions) and Gaussian claims; for Rényi it is the conversion of Canonne, Kamath, Steinke
 * 2020 (Proposition 12), and for zCDP that conversion minimised over the order. It is 0 for pure claims, and approximate ones of
 * δ = 0, alone: the least positive double stands for what is smaller.
 *
 * @throws {RangeError} unless epsilon is at least 0 and finite.
 *
 * @example
 * ```ts
 * import { deltaAt, gaussian } from "./claim.ts";
 * import { replaceOne } from "../relations/relation.ts";
 * deltaAt(gaussian({ mu: 1, relation: replaceOne }), 1); // 0.1269
 * ```
 */
export function deltaAt(claim: Claim, epsilon: number): number {
  requireClaim("convert a claim", claim);
  requireNonNegative("convert a claim", "epsilon", epsilon);
  switch (claim.kind) {
    case "pure":
      return approximateDelta(claim.epsilon, 0, epsilon);
    case "approximate":
      return approximateDelta(claim.epsilon, claim.delta, epsilon);
    case "gaussian":
      return gaussianDelta(claim.mu, epsilon);
    case "renyi":
      return claim.epsilon === 0 ? 0 : renyiDelta(claim.order, claim.epsilon, epsilon);
    case "zcdp":
      return claim.rho === 0 ? 0 : zcdpDelta(claim.rho, epsilon);
  }
}

/** The largest P(S) − e^epsilon Q(S) that (claimed, delta)-DP allows, from its trade-off function. */
function approximateDelta(claimed: number, delta: number, epsilon: number): number {
  if (epsilon >= claimed) return delta;
  // At the trade-off function's corner, 1 − P(S) = Q(S) = (1 − δ)/(1 + e^claimed). Numerator and
  // denominator are divided by e^claimed, so that nothing cancels or overflows.
  const shrunk = Math.exp(-claimed), ratio = Math.exp(epsilon - claimed);
  return (-Math.expm1(epsilon - claimed) + delta * (shrunk + ratio)) / (1 + shrunk);
}

function renyiDelta(order: number, renyiEpsilon: number, epsilon: number): number {
  const log = (order - 1) * (renyiEpsilon - epsilon) + (order - 1) * Math.log1p(-1 / order) -
    Math.log(order);
  // Above 0, also where it underflows.
  return Math.min(1, Math.max(Number.MIN_VALUE, Math.exp(log)));
}

/** The orders at which a zCDP claim is converted: those for which ln(order − 1) is a step divided by 40. */
const FIRST_STEP = -400, LAST_STEP = 600, STEPS_A_UNIT = 40;

/**
 * Any order a gives a valid δ, so the minimum over a grid is valid too. The derivative of ln δ, (2a − 1)ρ − ε + ln(1 − 1/a), rises with a: the least
 * step of the grid at which δ does not fall is found by halving, and the minimum is there or one step before.
 */
function zcdpDelta(rho: number, epsilon: number): number {
  const orderAt = (step: number): number => 1 + Math.exp(step / STEPS_A_UNIT);
  let low = FIRST_STEP, high = LAST_STEP;
  while (low < high) {
    const middle = Math.floor((low + high) / 2), order = orderAt(middle);
    if ((2 * order - 1) * rho - epsilon + Math.log1p(-1 / order) < 0) low = middle + 1;
    else high = middle;
  }
  const [before, at] = [Math.max(FIRST_STEP, low - 1), low].map(orderAt);
  return Math.min(
    renyiDelta(before!, rho * before!, epsilon),
    renyiDelta(at!, rho * at!, epsilon),
  );
}

/** A claim of the same kind and numbers about another relation, whether or not that one follows. */
export function claimUnder(claim: Claim, { relation }: { relation: Relation }): Claim {
  switch (claim.kind) {
    case "pure":
      return pure({ epsilon: claim.epsilon, relation });
    case "approximate":
      return approximate({ epsilon: claim.epsilon, delta: claim.delta, relation });
    case "zcdp":
      return zcdp({ rho: claim.rho, relation });
    case "renyi":
      return renyi({ order: claim.order, epsilon: claim.epsilon, relation });
    case "gaussian":
      return gaussian({ mu: claim.mu, relation });
  }
}

/**
 * A claim of the kind of a limit with what is left of its amounts, which may be 0: what tells nothing. Constructors refuse 0, for no mechanism is of use
 * that keeps it.
 */
export function claimLeft(
  { relation, ...limit }: Claim,
  { amount, delta = 0 }: { readonly amount: number; readonly delta?: number },
): Claim {
  switch (limit.kind) {
    case "pure":
      return brandClaim({ kind: "pure", epsilon: amount, relation });
    case "approximate":
      return brandClaim({ kind: "approximate", epsilon: amount, delta, relation });
    case "zcdp":
      return brandClaim({ kind: "zcdp", rho: amount, relation });
    case "renyi":
      return brandClaim({ kind: "renyi", order: limit.order, epsilon: amount, relation });
    case "gaussian":
      return brandClaim({ kind: "gaussian", mu: amount, relation });
  }
}

/** Returns true if a claim allows no privacy loss, as one from {@linkcode claimLeft} may. */
export function claimsNothing(claim: Claim): boolean {
  return Object.entries(claim).every(([name, value]) => name === "order" || !(value as number > 0));
}

/** The claim as it stands in reports and files: its numbers, or the text that one was given as, and the name of its relation. */
export function claimToJSON(claim: Claim): Record<string, string | number> {
  const { relation, ...numbers } = claim;
  const given = Object.entries(numbers).map(([name, value]) =>
    [name, amountText(claim, name) ?? value] as const
  );
  return { ...Object.fromEntries(given), relation: relation.name };
}

/** A claim in one short phrase, as in "0.1-DP" or "(1, 1e-6)-DP". */
export function describeClaim(claim: Claim): string {
  const shown = (name: string, value: number): string => amountText(claim, name) ?? String(value);
  switch (claim.kind) {
    case "pure":
      return `${shown("epsilon", claim.epsilon)}-DP`;
    case "approximate":
      return `(${shown("epsilon", claim.epsilon)}, ${shown("delta", claim.delta)})-DP`;
    case "zcdp":
      return `${shown("rho", claim.rho)}-zCDP`;
    case "renyi":
      return `(${claim.order}, ${shown("epsilon", claim.epsilon)})-Rényi DP`;
    case "gaussian":
      return `${shown("mu", claim.mu)}-GDP`;
  }
}
