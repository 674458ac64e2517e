import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** How fast the slope of the Huber hinge changes. */
export const huberSlopeHalf = falseClaim<(h: number) => number>({
  id: "false_claims/huber_slope_half",
  statement: "The derivative of the Huber hinge is ½-Lipschitz, whatever its half-width h.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, proof of Corollary 21",
  source: "½|z₁ − z₂| in its text; right for h = 1 alone",
  remember: () =>
    `At h = .1 the slope changes at a rate of ${huberHinge(0.1).curvatureBound}, not of ½.`,
  kind: "sampled",
  subject: () => 1 / 2,
  check: (constant) => {
    let worst = 0;
    for (const h of [0.1, 0.5, 1, 2]) {
      const loss = huberHinge(h);
      for (let k = -300; k < 300; k++) {
        const z = 1 + k / 100 * h, step = h / 100;
        const rise = Math.abs(loss.slope(z + step) - loss.slope(z)) / step;
        worst = Math.max(worst, rise / constant(h));
      }
    }
    return atMost(1, {
      value: worst,
      detail: "h = .1, .5, 1, 2",
      witness: `h = .1: the slope changes ${short(worst)} times as fast`,
    });
  },
  corrected: { name: "1/(2h)", subject: (h) => 1 / (2 * h) },
  mutants: { "1/(3h)": (h) => 1 / (3 * h) },
});
