import { requirePositive } from "../../../../core/numeric/require.ts";
import type { Loss } from "./loss.ts";

/**
 * The twice differentiable hinge of half-width h > 0 (Chaudhuri, Monteleoni, Sarwate 2011, section
 * 3.4.2): 0 above 1 + h, 1 − z below 1 − h, and with u = 1 − z between
 * −u⁴/(16h³) + 3u²/(8h) + u/2 + 3h/16. Its c is 3/(4h) (Corollary 12).
 *
 * @throws {RangeError} unless h is positive and finite.
 *
 * @example
 * ```ts
 * import { smoothedHinge } from "./smoothed_hinge.ts";
 * smoothedHinge(0.5).curvature(1); // 1.5
 * ```
 */
export function smoothedHinge(h: number): Loss {
  requirePositive("make a smoothed hinge", "h", h);
  return {
    name: `smoothed-hinge(${h})`,
    curvatureBound: 3 / (4 * h),
    value(margin): number {
      const u = 1 - margin;
      if (u < -h) return 0;
      if (u > h) return u;
      // Exact zero at u = −h is worth more than the last bit: rounding could go below.
      return Math.max(0, -(u ** 4) / (16 * h ** 3) + 3 * u * u / (8 * h) + u / 2 + 3 * h / 16);
    },
    slope(margin): number {
      const t = (1 - margin) / h;
      if (t < -1) return 0;
      if (t > 1) return -1;
      // The last bit of a rounded product may pass 1.
      return -Math.min(1, (2 - t) * (1 + t) * (1 + t) / 4);
    },
    curvature(margin): number {
      const t = (1 - margin) / h;
      return t < -1 || t > 1 ? 0 : 3 / (4 * h) * (1 - t * t);
    },
  };
}
