import type { Loss } from "./loss.ts";

/**
 * ℓ(z) = ln(1 + e^(−z)), the loss of logistic regression, with c = 1/4 (Chaudhuri, Monteleoni,
 * Sarwate 2011, Corollary 11). Exact in both tails: nothing overflows or cancels.
 *
 * @example
 * ```ts
 * import { logisticLoss } from "./logistic_loss.ts";
 * logisticLoss.value(0); // Math.LN2
 * ```
 */
export const logisticLoss: Loss = {
  name: "logistic",
  curvatureBound: 1 / 4,
  value(margin): number {
    return Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(0, -margin);
  },
  slope(margin): number {
    // e^z overflows to Infinity for large z, and −1/∞ is the right −0.
    return -1 / (1 + Math.exp(margin));
  },
  curvature(margin): number {
    const tail = Math.exp(-Math.abs(margin));
    // The last bit of a rounded quotient may pass the bound.
    return Math.min(1 / 4, tail / ((1 + tail) * (1 + tail)));
  },
};
