import { requirePositive } from "../../../../core/numeric/require.ts";
import type { Loss } from "./loss.ts";

/**
 * The Huber hinge of half-width h > 0: 0 above 1 + h, 1 − z below 1 − h, and the parabola
 * (1 + h − z)²/(4h) between (Chapelle 2007; Chaudhuri, Monteleoni, Sarwate 2011, equation 7), with
 * c = 1/(2h) (their Corollary 13; the "c = 1/4" of their Corollary 21 is an error). Its second
 * derivative jumps at 1 ± h, on a null set of outputs: densities exist almost everywhere, and private
 * learners keep their claim (the paper's section 3.4.2).
 *
 * @throws {RangeError} unless h is positive and finite.
 *
 * @example
 * ```ts
 * import { huberHinge } from "./huber_hinge.ts";
 * huberHinge(0.5).value(1); // 0.125
 * ```
 */
export function huberHinge(h: number): Loss {
  requirePositive("make a Huber hinge", "h", h);
  return {
    name: `huber-hinge(${h})`,
    curvatureBound: 1 / (2 * h),
    value(margin): number {
      if (margin > 1 + h) return 0;
      return margin < 1 - h ? 1 - margin : (1 + h - margin) ** 2 / (4 * h);
    },
    slope(margin): number {
      return margin > 1 + h ? 0 : -Math.min(1, (1 + h - margin) / (2 * h));
    },
    curvature(margin): number {
      return margin > 1 + h || margin < 1 - h ? 0 : 1 / (2 * h);
    },
  };
}
