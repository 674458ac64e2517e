import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { smoothElasticNet, squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { smoothedHinge } from "../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { norm } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { type Labelled, risk } from "./checks/training_data.ts";
import { minimiserChange } from "./checks/sensitivity_check.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/**
 * Where logistic loss comes near the bound: a crowd pulls f far along one axis, against which two rows
 * almost opposite each other have margins so negative that both slopes are near −1.
 */
function crowded(
  { rowNorm, scaledBound }: { readonly rowNorm: number; readonly scaledBound: number },
): { share: number; most: number } {
  const n = 10_000, lambda = 1e-3, angle = 0.55;
  const rest = Array.from({ length: n - 1 }, (): Labelled => [[0, -rowNorm], 1]);
  const [one, other] = [1, -1].map((side) => {
    const first = [side * Math.cos(angle) * rowNorm, Math.sin(angle) * rowNorm];
    const objective = { loss: logisticLoss, regulariser: squaredNorm, lambda };
    return minimise({ ...risk([[first, 1], ...rest], objective), quadratic: 0 }, {
      tolerance: 1e-12,
    });
  });
  const distance = norm(one!.weights.map((f, j) => f - other!.weights[j]!));
  const open = (one!.gradientNorm + other!.gradientNorm) / lambda;
  const bound = scaledBound / (n * lambda);
  return { share: (distance - open) / bound, most: (distance + open) / bound };
}

/** The sensitivity of regularised empirical risk minimisation, and how much of it is reached. */
export const corollary8 = theorem<{ readonly rowNorm: number; readonly scaledBound: number }>({
  id: "erm/corollary_8",
  statement:
    "Replacing one of n rows moves the minimiser of regularised empirical risk by at most " +
    "2/(nΛ), or 2q/(nΛ) for rows of norm up to q.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Corollary 8; NIPS 2008, Corollary 2",
  source: "JMLR preprint, Corollary 1 to Lemma 1; Haußmann’s slides: 2/(nλ)",
  remember: () =>
    `With 10,000 rows at Λ = .01 no row moves the classifier by more than ${2 / (10_000 * 0.01)}.`,
  assumptions: ["‖x‖ ≤ q", "|ℓ′| ≤ 1, ℓ convex", "N 1-strongly convex"],
  kind: "sampled",
  checked:
    "three losses, two regularisers, Λ = .1 and 2, one to eight rows in two to four dimensions, q = .5, 1 and 3: generated neighbours and a search for worse ones",
  subject: { rowNorm: 1, scaledBound: 2 },
  check: (claim, { seed }) => {
    const reached: string[] = [];
    let worst = 0;
    for (const loss of [logisticLoss, huberHinge(0.5), smoothedHinge(0.5)]) {
      let best = 0, sure = 0;
      for (const regulariser of [squaredNorm, smoothElasticNet(1)]) {
        for (const lambda of [0.1, 2]) {
          for (const [n, d, longest] of [[1, 2, 1], [3, 2, 1], [2, 3, 3], [8, 4, 0.5]] as const) {
            const found = minimiserChange({
              loss,
              regulariser,
              lambda,
              rowNorm: longest * claim.rowNorm,
              scaledBound: longest * claim.scaledBound,
            }, { seed, n, d });
            best = Math.max(best, found.most);
            sure = Math.max(sure, found.share);
          }
        }
      }
      if (loss === logisticLoss) {
        const { share, most } = crowded(claim);
        best = Math.max(best, most);
        sure = Math.max(sure, share);
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
