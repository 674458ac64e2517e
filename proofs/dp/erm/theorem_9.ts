import {
  calibrateObjective,
  type Calibration,
} from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { smoothedHinge } from "../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { type DensityLearner, densityOutcome, type Setting } from "./checks/density_check.ts";
import { smoothElasticNet } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { all, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const printed = (setting: Setting): Calibration =>
  calibrateObjective({ ...setting, tolerance: 1e-12, residualShare: 0, slack: "cms11" });

/** The noise of `printed` with its rate multiplied. */
function atRate(
  factor: (setting: Setting, rate: number) => number,
): DensityLearner["calibrate"] {
  return (setting) => {
    const right = printed(setting);
    if (right.noise.kind !== "exponential-norm") return right;
    const { rate } = right.noise;
    return { ...right, noise: { ...right.noise, rate: rate * factor(setting, rate) } };
  };
}

const losses = [logisticLoss, huberHinge(0.5), smoothedHinge(0.5)];

/** Objective perturbation as printed, by change of variables. */
export const theorem9 = theorem<DensityLearner>({
  id: "erm/theorem_9",
  statement: "Objective perturbation (Algorithm 2, with its slack and its Δ) is ε-differentially " +
    "private.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 9, Corollaries 11, 12 and 13",
  source: "JMLR preprint, Theorem 2; Chaudhuri’s slides, privacy guarantees; Haußmann’s slides",
  remember: () =>
    `At nΛ = 100 logistic regression sets ${
      short(2 * Math.log1p(1 / 4 / 100))
    } of ε aside for the determinant.`,
  assumptions: [
    "‖x‖ ≤ 1",
    "|ℓ′| ≤ 1, |ℓ″| ≤ c, ℓ convex",
    "N 1-strongly convex, twice differentiable",
  ],
  kind: "sampled",
  checked:
    "24 pairs of datasets a loss (logistic, Huber and smoothed hinge), opposite labels alone and generated ones of 1, 2 or 4 rows in 1 to 3 columns; ε, Λ and norm bounds on three scales; N = ½‖f‖² and, on 8 pairs, the smooth elastic net; local ascent over f",
  subject: { losses, calibrate: printed },
  check: (learner, options) =>
    all(
      [
        densityOutcome(learner, options),
        densityOutcome({ ...learner, regulariser: smoothElasticNet(1) }, {
          ...options,
          pairs: 8,
          starts: 2,
        }),
      ],
      "N = ½‖f‖² and the smooth elastic net",
    ),
  mutants: {
    "noise at half the scale": { losses: [huberHinge(0.5)], calibrate: atRate(() => 2) },
    "rate ε and no slack, |b| ~ Γ(d, 1/ε) as in the slides": {
      losses: [huberHinge(0.5)],
      calibrate: atRate(({ epsilon }, right) => epsilon / right),
    },
    "no Δ when the slack uses up ε": {
      losses: [huberHinge(0.5)],
      calibrate: (setting) => ({ ...printed(setting), quadratic: 0 }),
    },
  },
});
