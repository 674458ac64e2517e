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
  sumAndSlopes(margins, { slopes }): number {
    // One exponential a margin, and one logarithm for 512 of them: a product of 512 factors in [1, 2]
    // stays far from overflow.
    let sum = 0, product = 1;
    for (let i = 0; i < margins.length; i++) {
      const margin = margins[i]!;
      const tail = Math.exp(-Math.abs(margin));
      product *= 1 + tail;
      if ((i & 511) === 511) {
        sum += Math.log(product);
        product = 1;
      }
      if (margin < 0) {
        sum -= margin;
        slopes[i] = -1 / (1 + tail);
      } else slopes[i] = -tail / (1 + tail);
    }
    return sum + Math.log(product);
  },
};
