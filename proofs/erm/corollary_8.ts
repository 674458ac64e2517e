import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { smoothElasticNet, squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { smoothedHinge } from "../../lib/learners/erm/smoothed_hinge.ts";
import { minimiserChange } from "../erm_sensitivity_check.ts";
import { atMost, short } from "../outcome.ts";
import { theorem } from "../theorem.ts";

/** The sensitivity of regularised empirical risk minimisation, and how much of it is reached. */
export const corollary8 = theorem<{ readonly rowNorm: number; readonly scaledBound: number }>({
  id: "erm/corollary_8",
  statement:
    "Replacing one of n rows moves the minimiser of regularised empirical risk by at most " +
    "2/(nΛ).",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Corollary 8; NIPS 2008, Corollary 2",
  source: "seed 004, Corollary 1 to Lemma 1; slides 002: 2/(nλ)",
  assumptions: ["‖x‖ ≤ 1", "|ℓ′| ≤ 1, ℓ convex", "N 1-strongly convex"],
  kind: "enumerated",
  subject: { rowNorm: 1, scaledBound: 2 },
  check: (claim, { seed }) => {
    const reached: string[] = [];
    let worst = 0;
    for (const loss of [logisticLoss, huberHinge(0.5), smoothedHinge(0.5)]) {
      let best = 0, sure = 0;
      for (const regulariser of [squaredNorm, smoothElasticNet(1)]) {
        for (const lambda of [0.1, 2]) {
          for (const n of [1, 3]) {
            const found = minimiserChange({ ...claim, loss, regulariser, lambda }, {
              seed,
              n,
              d: 2,
            });
            best = Math.max(best, found.most);
            sure = Math.max(sure, found.share);
          }
        }
      }
      reached.push(`${loss.name} ${short(best)}`);
      worst = Math.max(worst, sure);
    }
    return atMost(1, {
      value: worst,
      detail: `largest change found as a share of the bound: ${reached.join(", ")}`,
      witness: `a change of ${short(worst)} times the bound, the solver's error taken off`,
    });
  },
  mutants: {
    "the bound 1/(nΛ)": { rowNorm: 1, scaledBound: 1 },
    "rows of norm √2 (an unscaled intercept)": { rowNorm: Math.SQRT2, scaledBound: 2 },
  },
});
