import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { nonPrivate } from "./checks/sample_requirements.ts";
import { drawnRows, trueRisk } from "./checks/utility_check.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Shares of the rows and of the regularisation that are stated. */
interface Training {
  readonly rows: number;
  readonly lambda: number;
}

const CONSTANT = 0.03;

/** What privacy is compared with: the rows that training needs without it. */
export const rowsWithoutPrivacy = theorem<Training>({
  id: "erm/rows_without_privacy",
  statement:
    "Without privacy, C‖f₀‖²ln(1/δ)/ε_g² rows and Λ = ε_g/‖f₀‖² give L(f*) ≤ L(f₀) + ε_g with probability 1 − δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, equation 8; Shalev-Shwartz, Srebro 2008; Sridharan, Srebro, Shalev-Shwartz 2008",
  source: "JMLR paper, section 4; Chaudhuri’s slides, data requirement: normal SVM",
  remember: () =>
    `At ‖f₀‖ = 10, ε_g = .1 and δ = .1 it is ${
      Math.round(nonPrivate({ d: 2, norm: 10, error: 0.1, epsilon: 1, c: 1, delta: 0.1 }))
    }·C rows; C = ${CONSTANT} is enough here.`,
  kind: "statistical",
  checked:
    "one population, d = 2, δ = .1, two f₀ and two ε_g, logistic and Huber loss, 200 training sets each; C = .03, which is enough here (it is not given in print), and an eighth of the rows is not",
  subject: { rows: 1, lambda: 1 },
  check: ({ rows, lambda }, { seed }) => {
    const source = new SeededSource(seed).split("rows without privacy");
    const delta = 0.1, runs = 200;
    let worst = 0, most = 0;
    for (const reference of [[2, 0.2], [3, 0.3]]) {
      for (const error of [0.05, 0.1]) {
        const norm = Math.hypot(...reference);
        const requirement = nonPrivate({ d: 2, norm, error, epsilon: 1, c: 1, delta });
        const n = Math.ceil(CONSTANT * rows * requirement);
        most = Math.max(most, n);
        for (const loss of [logisticLoss, huberHinge(0.5)]) {
          const allowed = trueRisk(reference, loss) + error;
          let above = 0;
          for (let run = 0; run < runs; run++) {
            const { weights } = minimise({
              ...drawnRows(source, n),
              loss,
              regulariser: squaredNorm,
              lambda: lambda * error / norm ** 2,
              quadratic: 0,
            }, { tolerance: 1e-9 });
            if (trueRisk(weights, loss) > allowed) above++;
          }
          worst = Math.max(worst, above / runs);
        }
      }
    }
    // Were it δ exactly, five standard errors more have probability below 1e-5.
    const allowed = delta + 5 * Math.sqrt(delta * (1 - delta) / runs);
    return {
      holds: worst <= allowed,
      margin: worst / delta,
      detail:
        `up to ${most} rows; the risk is too large in a share of ${short(worst)} of ${runs} ` +
        "training sets (δ = .1; false alarm below 1e-5 a setting)",
      ...(worst <= allowed
        ? {}
        : { witness: `the risk is too large in a share of ${short(worst)}` }),
    };
  },
  mutants: {
    "an eighth of the rows": { rows: 1 / 8, lambda: 1 },
    "thirty times the regularisation": { rows: 1, lambda: 30 },
  },
});
