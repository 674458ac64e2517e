import { calibrateObjective } from "../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { shareAbove, trueRisk } from "../erm_generalisation_check.ts";
import { objectiveRequirement } from "../erm_sample_requirements.ts";
import { short } from "../outcome.ts";
import { theorem } from "../theorem.ts";

/** How many rows are drawn, as a multiple of C = 4 times the requirement. */
interface Rows {
  readonly share: number;
}

/** Objective perturbation generalises once there are rows enough. */
export const theorem18 = theorem<Rows>({
  id: "erm/theorem_18",
  statement:
    "With C times the rows of max{‖f₀‖²ln(1/δ)/ε_g², d ln(d/δ)‖f₀‖/(ε_g ε), c‖f₀‖²/(ε_g ε)} and " +
    "Λ = ε_g/‖f₀‖², objective perturbation has L(f_priv) ≤ L(f₀) + ε_g with probability 1 − 2δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 18, Corollaries 20 and 21, part 2; NIPS 2008, Theorem 4",
  source: "Chaudhuri’s slides, accuracy guarantees",
  assumptions: [
    "C is not given in print: C = 4 is enough here",
    "one population, d = 2, ε = 1, ε_g = .1",
  ],
  kind: "statistical",
  subject: { share: 1 },
  check: ({ share }, { seed }) => {
    const error = 0.1, delta = 0.1, epsilon = 1, runs = 60;
    const reference = [2, 0.2], norm = Math.hypot(...reference), lambda = error / norm ** 2;
    const source = new SeededSource(seed).split("theorem 18");
    let worst = 0, rows = 0;
    for (const loss of [logisticLoss, huberHinge(0.5)]) {
      const needed = objectiveRequirement({
        d: 2,
        norm,
        error,
        epsilon,
        c: loss.curvatureBound,
        delta,
      });
      const n = Math.ceil(4 * needed * share);
      rows = Math.max(rows, n);
      const input = { epsilon, rowCount: n, lambda, loss, normBound: 1, tolerance: 1e-9 };
      const above = shareAbove(trueRisk(reference, loss) + error, {
        source,
        n,
        loss,
        lambda,
        calibration: calibrateObjective({ ...input, slack: "cms11" }),
        runs,
      });
      worst = Math.max(worst, above);
    }
    // Were it 2δ exactly, five standard errors more have probability below 1e-5.
    const allowed = 2 * delta + 5 * Math.sqrt(2 * delta * (1 - 2 * delta) / runs);
    return {
      holds: worst <= allowed,
      margin: worst / (2 * delta),
      detail:
        `up to ${rows} rows; the risk is too large in a share of ${short(worst)} of ${runs} ` +
        "training sets (2δ = .2; false alarm below 1e-5 a loss)",
      ...(worst <= allowed
        ? {}
        : { witness: `the risk is too large in a share of ${short(worst)}` }),
    };
  },
  mutants: { "a three-hundredth of the rows": { share: 1 / 300 } },
});
