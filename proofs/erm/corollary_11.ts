import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { type LossClaim, lossConditions } from "../checks/loss_conditions_check.ts";
import { theorem } from "../engine/theorem.ts";

/** Logistic loss meets the conditions of Theorems 6 and 9. */
export const corollary11 = theorem<LossClaim>({
  id: "erm/corollary_11",
  statement: "ℓ(z) = ln(1 + e^−z) is convex with |ℓ′| ≤ 1 and |ℓ″| ≤ 1/4: Theorems 6 and 9 apply " +
    "with c = 1/4.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Corollary 11",
  source: "JMLR preprint, Corollary 2; Chaudhuri’s slides, logistic loss",
  kind: "sampled",
  checked: "80,001 margins from −10 to 10",
  subject: { loss: logisticLoss, curvature: 1 / 4 },
  check: lossConditions,
  mutants: { "c = 1/5": { loss: { ...logisticLoss, curvatureBound: 1 / 5 }, curvature: 1 / 5 } },
});
