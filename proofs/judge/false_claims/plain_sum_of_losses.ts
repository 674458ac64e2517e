import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { calibrateOneRow, oneRowLoss } from "../../dp/erm/checks/one_row_loss.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** What stands before the sum of the losses, for a number of rows. */
type Weight = (rows: number) => number;

/** The objective as one slide prints it, without 1/n before the sum. */
export const plainSumOfLosses = falseClaim<Weight>({
  id: "false_claims/plain_sum_of_losses",
  statement:
    "Minimising ½λ|w|² + ΣL + (1/n)bᵀw, with the noise b of Algorithm 2, is ε-differentially private.",
  citation: "Chaudhuri, Monteleoni, Sarwate, slide “Algorithm”",
  source:
    "Chaudhuri’s slides, algorithm: with a plain sum the noise beside a row is n times too small, so that nε is lost",
  remember: () =>
    `With 100 rows it loses a hundred times ε: the noise is divided by n, and the losses are not.`,
  assumptions: ["one dimension, Huber hinge, λ = 1000, all rows but one are zero"],
  kind: "sampled",
  subject: () => 1,
  check: (weight) => {
    const epsilon = 1, lambda = 1000, loss = huberHinge(0.5);
    const losses = [2, 10, 100].map((n) => {
      const { spent, quadratic } = calibrateOneRow({
        epsilon,
        lambda: n * lambda,
        loss,
        slack: "cms11",
      });
      // λf + weight·uℓ′(uf) + b/n = 0, divided by the weight.
      return oneRowLoss([-1, 1], {
        loss,
        convexity: lambda / weight(n) + quadratic,
        rate: spent.noise / 2 * n * weight(n),
      });
    });
    const shown = losses.map(short).join(", ");
    return all(
      losses.map((value) =>
        atMost(epsilon, { value, detail: "loss", witness: `2, 10 and 100 rows lose ${shown}` })
      ),
      `2, 10 and 100 rows lose ${shown} at ε = 1`,
    );
  },
  corrected: { name: "1/n before the sum", subject: (n) => 1 / n },
  mutants: { "1/√n before the sum": (n) => 1 / Math.sqrt(n) },
});
