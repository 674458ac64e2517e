import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { type LossClaim, lossConditions } from "../checks/loss_conditions_check.ts";
import { all } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** The Huber hinge, for three half-widths. */
export const corollary13 = theorem<(h: number) => LossClaim>({
  id: "erm/corollary_13",
  statement: "The Huber hinge is convex with |ℓ′| ≤ 1 and, but for two points, |ℓ″| ≤ 1/(2h): " +
    "Theorem 6 applies, and Theorem 9 with c = 1/(2h).",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, equation 7 and Corollary 13",
  source: "JMLR preprint, Corollary 4; Chaudhuri’s slides, Huber loss",
  kind: "sampled",
  checked: "h = .1, .5 and 1, 80,001 margins each",
  subject: (h) => ({ loss: huberHinge(h), curvature: 1 / (2 * h) }),
  check: (claim) => all([0.1, 0.5, 1].map((h) => lossConditions(claim(h))), "h = 0.1, 0.5, 1"),
  mutants: {
    "c = 1/(4h)": (h) => ({
      loss: { ...huberHinge(h), curvatureBound: 1 / (4 * h) },
      curvature: 1 / (4 * h),
    }),
  },
});
