import { requireKnown } from "../../../core/text/known_options.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import { expRemainder } from "../../../core/numeric/exp_remainder.ts";
import {
  requireDelta,
  requireFields,
  requireKind,
  requireNonNegative,
  requireOrder,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";

/**
 * Rényi differential privacy at every order: an upper bound on the divergence, in nats, for any order
 * above 1 (Mironov 2017). Infinity where nothing is known.
 */
export type RenyiCurve = (order: number) => number;

const RELATIVE_ERROR = 1e-12;

/** No curve falls below: smaller divergences underflow on the way. */
export const LEAST_DIVERGENCE = 1e-290;

function upper(curve: RenyiCurve): RenyiCurve {
  return (order) =>
    Math.max(LEAST_DIVERGENCE, roundUp(curve(order), { relativeError: RELATIVE_ERROR }));
}

/** Returns the Rényi curve order·μ²/2, of μ-GDP and of Gaussian noise with μ = sensitivity / standard deviation. */
export function gaussianRenyi(options: { mu: number }): RenyiCurve {
  const { mu } = requireFields("gaussianRenyi", options, {});
  requirePositive("make a Rényi curve", "mu", mu);
  return upper((order) => 0.5 * order * mu * mu);
}

/** Returns the Rényi curve order·ρ of ρ-zCDP (Bun, Steinke 2016). */
export function zcdpRenyi(options: { rho: number }): RenyiCurve {
  const { rho } = requireFields("zcdpRenyi", options, {});
  requirePositive("make a Rényi curve", "rho", rho);
  return upper((order) => order * rho);
}

/** Exponents beyond which e^−exponent is nothing beside 1. */
const FAR = 700;

/**
 * Returns the Rényi curve of Laplace noise of scale sensitivity/epsilon (Mironov 2017, Proposition 6): a moment of
 * (a·e^((a − 1)ε) + (a − 1)·e^(−aε))/(2a − 1) at the order a, whose terms of first order in ε cancel.
 */
export function laplaceRenyi(options: { epsilon: number }): RenyiCurve {
  const { epsilon } = requireFields("laplaceRenyi", options, {});
  requireKnown("call laplaceRenyi()", options, ["epsilon"]);
  requirePositive("make a Rényi curve", "epsilon", epsilon);
  return upper((order) => {
    const less = order - 1, all = order + less;
    if (less * epsilon > FAR) return epsilon + Math.log(order / all) / less;
    const more = order * expRemainder(less * epsilon) + less * expRemainder(-order * epsilon);
    return Math.log1p(more / all) / less;
  });
}

/**
 * Returns the Rényi curve of any ε-DP mechanism: none is worse at any order than randomised response (Kairouz, Oh, Viswanath
 * 2015; Mironov 2017, Proposition 5), whose moment is cosh((a − 1/2)ε)/cosh(ε/2) at the order a.
 */
export function pureRenyi(options: { epsilon: number }): RenyiCurve {
  const { epsilon } = requireFields("pureRenyi", options, {});
  requirePositive("make a Rényi curve", "epsilon", epsilon);
  return upper((order) => {
    const less = order - 1;
    if (order * epsilon > FAR) return epsilon - Math.log1p(Math.exp(-epsilon)) / less;
    // The difference of two cosh is twice the product of two sinh.
    const more = 2 * Math.sinh(0.5 * order * epsilon) * Math.sinh(0.5 * less * epsilon);
    return Math.log1p(more / Math.cosh(0.5 * epsilon)) / less;
  });
}

/**
 * Returns the Rényi divergence that a claim allows at every order. A Rényi claim of one order holds for the orders below it and says
 * nothing above; an (ε, δ) claim with δ > 0 says nothing at all.
 */
export function renyiOfClaim(claim: Claim): RenyiCurve {
  requireClaim("convert a claim", claim);
  switch (claim.kind) {
    case "pure":
      return pureRenyi(claim);
    case "approximate":
      return claim.delta === 0 ? pureRenyi(claim) : () => Infinity;
    case "gaussian":
      return gaussianRenyi(claim);
    case "zcdp":
      return zcdpRenyi(claim);
    case "renyi":
      return (order) => order <= claim.order ? claim.epsilon : Infinity;
  }
}

/**
 * Returns the Rényi curve of adaptive composition: divergences add up at every order (Mironov 2017, Proposition 1). No parts give
 * the curve 0.
 */
export function renyiComposition(curves: readonly RenyiCurve[]): RenyiCurve {
  requireKind("renyiComposition", "curves", curves, "list");
  if (curves.length === 1) return curves[0]!;
  const relativeError = Number.EPSILON * curves.length;
  return (order) =>
    roundUp(curves.reduce((sum, curve) => sum + curve(order), 0), { relativeError });
}

/** Orders to try: all of (1, ∞) when left out. */
export interface OrderOptions {
  /** Each above 1; whole ones for curves that are known there only. */
  readonly orders?: readonly number[];
}

/**
 * Returns an ε such that the curve implies (ε, `delta`)-DP, the best over the orders (Canonne, Kamath, Steinke
 * 2020, Proposition 12): D + ln(1 − 1/order) − ln(δ·order)/(order − 1). Rounded up.
 *
 * @throws {RangeError} unless delta is in (0, 1) and every order above 1 and finite.
 *
 * @example
 * ```ts
 * import { gaussianRenyi, renyiEpsilon } from "./renyi.ts";
 * renyiEpsilon(gaussianRenyi({ mu: 1 }), { delta: 1e-6 }); // 5.22
 * ```
 */
export function renyiEpsilon(
  curve: RenyiCurve,
  options: { delta: number } & OrderOptions,
): number {
  requireKind("renyiEpsilon", "curve", curve, "function");
  const { delta, orders } = requireFields("renyiEpsilon", options, { orders: "list?" });
  requireKnown("call renyiEpsilon()", options, ["delta", "orders"]);
  requirePositive("convert Rényi privacy", "delta", delta);
  requireDelta("convert Rényi privacy", "delta", delta);
  return Math.max(
    0,
    leastOverOrders((order) => {
      const divergence = curve(order);
      const bonus = Math.log1p(-1 / order) - Math.log(delta * order) / (order - 1);
      return divergence + bonus + (divergence + Math.abs(bonus)) * RELATIVE_ERROR;
    }, orders),
  );
}

/**
 * Returns a δ such that the curve implies (`epsilon`, δ)-DP, the best over the orders (the same proposition):
 * e^((order − 1)(D − ε))·(1 − 1/order)^(order − 1)/order. Rounded up, so above 0; at most 1.
 *
 * @throws {RangeError} unless epsilon is at least 0 and every order above 1 and finite.
 */
export function renyiDelta(
  curve: RenyiCurve,
  options: { epsilon: number } & OrderOptions,
): number {
  requireKind("renyiDelta", "curve", curve, "function");
  const { epsilon, orders } = requireFields("renyiDelta", options, { orders: "list?" });
  requireKnown("call renyiDelta()", options, ["epsilon", "orders"]);
  requireNonNegative("convert Rényi privacy", "epsilon", epsilon);
  const log = leastOverOrders((order) => {
    const gain = (order - 1) * (curve(order) - epsilon);
    const bonus = (order - 1) * Math.log1p(-1 / order) - Math.log(order);
    return gain + bonus;
  }, orders);
  // If 0 < δ < 1, the logarithm is at most 745, and off by less than 1e-12.
  const delta = roundUp(Math.exp(log), { relativeError: RELATIVE_ERROR });
  return Math.min(1, Math.max(Number.MIN_VALUE, delta));
}

/** Steps of the first search, in ln(order − 1), before the best one is refined. */
const COARSE_FROM = -12, COARSE_TO = 16, COARSE_STEP = 0.25;

/** The least of bounds of all orders, or of some: every one is valid, whatever the search missed. */
export function leastOverOrders(
  bound: (order: number) => number,
  orders: readonly number[] | undefined,
): number {
  if (orders !== undefined) {
    for (const order of orders) requireOrder("convert Rényi privacy", "orders", order);
    return Math.min(...orders.map(bound));
  }
  const at = (log: number): number => {
    const value = bound(1 + Math.exp(log));
    return Number.isNaN(value) ? Infinity : value;
  };
  let centre = COARSE_FROM, least = at(centre);
  for (let log = COARSE_FROM + COARSE_STEP; log <= COARSE_TO; log += COARSE_STEP) {
    const value = at(log);
    if (value < least) [centre, least] = [log, value];
  }
  for (let step = COARSE_STEP / 2; step > 1e-9; step /= 2) {
    for (const log of [centre - step, centre + step]) {
      const value = at(log);
      if (value < least) [centre, least] = [log, value];
    }
  }
  return least;
}
