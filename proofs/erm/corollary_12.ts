import { smoothedHinge } from "../../lib/learners/erm/smoothed_hinge.ts";
import { type LossClaim, lossConditions } from "../checks/loss_conditions_check.ts";
import { all } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** The smoothed hinge, for three half-widths. */
export const corollary12 = theorem<(h: number) => LossClaim>({
  id: "erm/corollary_12",
  statement:
    "The smoothed hinge is convex with |ℓ′| ≤ 1 and |ℓ″| ≤ 3/(4h): Theorems 6 and 9 apply " +
    "with c = 3/(4h).",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, equation 6 and Corollary 12",
  source: "JMLR preprint, Corollary 3",
  kind: "sampled",
  checked: "h = .1, .5 and 1, 80,001 margins each",
  subject: (h) => ({ loss: smoothedHinge(h), curvature: 3 / (4 * h) }),
  check: (claim) => all([0.1, 0.5, 1].map((h) => lossConditions(claim(h))), "h = 0.1, 0.5, 1"),
  mutants: {
    "c = 1/(2h)": (h) => ({
      loss: { ...smoothedHinge(h), curvatureBound: 1 / (2 * h) },
      curvature: 1 / (2 * h),
    }),
  },
});
