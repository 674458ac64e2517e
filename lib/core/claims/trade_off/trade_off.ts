import type { Claim } from "../claim.ts";
import { normalTail, normalTailQuantile } from "../../numeric/normal_tail.ts";
import { renyiTradeOff } from "./renyi_trade_off.ts";

/**
 * Trade-off curve that a claim guarantees against hypothesis tests: the function whose value at u is the smallest Q(S) allowed for a
 * set of outputs S with P(S) = u, where P and Q are the laws of the outputs on two neighbours, either
 * way round. In the words of Dong, Roth and Su 2022 it is f(1 − u) for the trade-off function f of the
 * claim: convex, increasing, at most u, and its graph is symmetric under (u, q) → (1 − q, 1 − u).
 *
 * - pure and approximate: max{0, 1 − δ − e^ε(1 − u), e^−ε(u − δ)} (Wasserman, Zhou 2010; Kairouz, Oh,
 *   Viswanath 2015);
 * - Gaussian: Φ(Φ⁻¹(u) − μ);
 * - Rényi and zCDP: the least q for which Bernoulli(u) and Bernoulli(q) keep the claimed divergences,
 *   both ways (data processing), rounded down; see {@linkcode renyiTradeOff}.
 *
 * @example
 * ```ts
 * import { pure } from "../claim.ts";
 * import { replaceOne } from "../../relations/relation.ts";
 * import { tradeOff } from "./trade_off.ts";
 * tradeOff(pure({ epsilon: 1, relation: replaceOne }))(0.5); // e^−1 / 2
 * ```
 */
export function tradeOff(claim: Claim): (u: number) => number {
  switch (claim.kind) {
    case "pure":
      return approximateTradeOff(claim.epsilon, 0);
    case "approximate":
      return approximateTradeOff(claim.epsilon, claim.delta);
    case "gaussian":
      return gaussianTradeOff(claim.mu);
    case "renyi":
      return renyiTradeOff([{ order: claim.order, bound: claim.epsilon }]);
    case "zcdp":
      return renyiTradeOff(zcdpBounds(claim.rho));
  }
}

function approximateTradeOff(epsilon: number, delta: number): (u: number) => number {
  const growth = Math.exp(epsilon), decay = Math.exp(-epsilon);
  // At u = 1 an infinite growth would meet 0 and make NaN.
  return (u) => Math.max(0, u < 1 ? 1 - delta - growth * (1 - u) : 1 - delta, decay * (u - delta));
}

function gaussianTradeOff(mu: number): (u: number) => number {
  return (u) => u <= 0 ? 0 : u >= 1 ? 1 : normalTail(normalTailQuantile(u) + mu);
}

/** Orders from 1 + e^−4 to 1 + e^7: any choice is sound, a fine one is tight. */
function zcdpBounds(rho: number): { order: number; bound: number }[] {
  return Array.from({ length: 45 }, (_, i) => {
    const order = 1 + Math.exp(-4 + i / 4);
    return { order, bound: rho * order };
  });
}
