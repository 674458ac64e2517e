import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { calibrateOneRow, oneRowLoss } from "../../dp/erm/checks/one_row_loss.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The rate of the noise, given what is left of ε. */
type Rate = (shares: { readonly epsilon: number; readonly noise: number }) => number;

/** The rate named in the running text, where the algorithm has ε′/2. */
export const objectiveRateInText = falseClaim<Rate>({
  id: "false_claims/objective_rate_in_text",
  statement:
    "Objective perturbation with noise of density ∝ e^(−ε‖b‖) is ε-differentially private.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, section 3.2, text before Algorithm 2",
  source:
    "JMLR preprint: “with β = ε_p”; Chaudhuri’s slides, |b| ~ Γ(d, 1/ε); Haußmann’s slides, b ~ Lap(1/ε). 2ε from the noise alone",
  remember: () =>
    `A density that falls as e^(−ε‖b‖) where b moves by 2 loses twice ε, from the noise alone.`,
  assumptions: ["one dimension, Huber hinge, nΛ = 1000"],
  kind: "sampled",
  subject: ({ epsilon }) => epsilon,
  check: (rate) => {
    const epsilon = 1, lambda = 1000, loss = huberHinge(0.5);
    const { spent, quadratic } = calibrateOneRow({ epsilon, lambda, loss, slack: "cms11" });
    const value = oneRowLoss([-1, 1], {
      loss,
      convexity: lambda + quadratic,
      rate: rate({ epsilon, noise: spent.noise }),
    });
    return atMost(epsilon, {
      value,
      detail: `loses ${short(value)} at ε = 1`,
      witness: `rows −1 and 1 lose ${short(value)}`,
    });
  },
  corrected: { name: "ε′/2, as in Algorithm 2", subject: ({ noise }) => noise / 2 },
  mutants: { "ε′/2 with a factor 0.87 on the noise": ({ noise }) => noise / 2 / 0.87 },
});
