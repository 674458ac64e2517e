import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { oneRowLoss } from "../../dp/erm/checks/one_row_loss.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The exact loss of Algorithm 2 as printed between the rows −1 and 1, where it is told this c. */
export function lossWhereTold(
  { c, epsilon, convexity }: {
    readonly c: number;
    readonly epsilon: number;
    readonly convexity: number;
  },
): number {
  const left = epsilon - 2 * Math.log1p(c / convexity);
  return oneRowLoss([-1, 1], {
    loss: huberHinge(0.5),
    convexity: left > 0 ? convexity : Math.max(convexity, c / Math.expm1(epsilon / 4)),
    rate: left > 0 ? left / 2 : epsilon / 4,
  });
}

/** Objective perturbation with the Huber hinge of h = 1/2, told another c. */
export const huberQuarter = falseClaim<{ readonly c: number }>({
  id: "false_claims/huber_quarter",
  statement: "Algorithm 2 with the Huber hinge and c = 1/4 is ε-differentially private.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Corollary 21, part 2",
  source: "JMLR paper, Corollary 21: the Huber SVM “with c = 1/4”",
  remember: () =>
    `At ε = .1 it loses ${
      short(lossWhereTold({ c: 1 / 4, epsilon: 0.1, convexity: 5 }))
    }; the right constant is c = ${huberHinge(1 / 2).curvatureBound}.`,
  assumptions: ["h = 1/2, one dimension, all rows but one are zero; −1 against +1"],
  kind: "sampled",
  subject: { c: 1 / 4 },
  check: ({ c }) => {
    const shown: string[] = [];
    const outcomes = ([[0.1, 0.5], [0.1, 2], [0.1, 5], [1, 0.5]] as const).map(
      ([epsilon, convexity]) => {
        const value = lossWhereTold({ c, epsilon, convexity });
        shown.push(`${short(value)} (ε = ${epsilon}, nΛ = ${convexity})`);
        return atMost(epsilon, { value, detail: "loss", witness: "" });
      },
    );
    const outcome = all(outcomes, `exact losses ${shown.join(", ")}`);
    return { ...outcome, ...(outcome.holds ? {} : { witness: `loses ${shown.join(", ")}` }) };
  },
  corrected: { name: "c = 1/(2h) = 1", subject: { c: 1 } },
  mutants: { "c = 0.3": { c: 0.3 } },
});
