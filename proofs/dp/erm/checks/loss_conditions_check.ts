import type { Loss } from "../../../../lib/dp/learners/erm/losses/loss.ts";
import { all, atMost } from "../../../engine/outcome.ts";
import type { Outcome } from "../../../engine/theorem.ts";

/** A loss with the bound on its curvature that a corollary names. */
export interface LossClaim {
  readonly loss: Loss;
  readonly curvature: number;
}

/**
 * ℓ is convex with |ℓ′| ≤ 1 and 0 ≤ ℓ″ ≤ c on a line of margins, its slope and curvature are the
 * differences of its value and slope, and c is attained.
 */
export function lossConditions({ loss, curvature }: LossClaim): Outcome {
  let slope = 0, most = 0, least = 0, disagreement = 0;
  const step = 2 ** -12;
  for (let k = -40_000; k <= 40_000; k++) {
    const z = k / 4000 + 2 ** -20;
    slope = Math.max(slope, Math.abs(loss.slope(z)));
    most = Math.max(most, loss.curvature(z));
    least = Math.min(least, loss.curvature(z));
    if (k % 50 === 0) {
      const rise = (loss.value(z + step) - loss.value(z - step)) / (2 * step);
      const bend = (loss.slope(z + step) - loss.slope(z - step)) / (2 * step);
      disagreement = Math.max(
        disagreement,
        Math.abs(rise - loss.slope(z)),
        // Across a jump of ℓ″ the difference lies between the two sides.
        Math.min(
          Math.abs(bend - loss.curvature(z)),
          Math.abs(loss.curvature(z + step) - loss.curvature(z - step)) > 0.01 ? 0 : Infinity,
        ),
      );
    }
  }
  return all([
    atMost(1, { value: slope, detail: "|ℓ′|", witness: `|ℓ′| reaches ${slope}` }),
    atMost(curvature, { value: most, detail: "ℓ″", witness: `ℓ″ reaches ${most}` }),
    // Attained: no smaller c would do.
    atMost(1, {
      value: curvature / most,
      detail: "c",
      witness: "c is not attained",
      tolerance: 1e-3,
    }),
    { holds: least >= 0, margin: 0, detail: "convex", witness: `ℓ″ falls to ${least}` },
    { holds: disagreement < 1e-3, margin: 0, detail: "derivatives", witness: `${disagreement}` },
    {
      holds: loss.curvatureBound === curvature,
      margin: 0,
      detail: "shipped",
      witness: `the shipped loss has c = ${loss.curvatureBound}`,
    },
  ], `${loss.name}: 80,001 margins from −10 to 10`);
}
