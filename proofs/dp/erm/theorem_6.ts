import {
  calibrateOutput,
  type Calibration,
} from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { type DensityLearner, densityOutcome, type Setting } from "./checks/density_check.ts";
import { smoothElasticNet } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { all, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const calibrate = (setting: Setting): Calibration =>
  calibrateOutput({ ...setting, tolerance: 1e-13 });

function scaledNoise(factor: number): DensityLearner["calibrate"] {
  return (setting) => {
    const right = calibrate(setting);
    if (right.noise.kind !== "exponential-norm") return right;
    return { ...right, noise: { ...right.noise, rate: right.noise.rate / factor } };
  };
}

const losses = [logisticLoss, huberHinge(0.5)];

/** Output perturbation, by the exact density of what it releases. */
export const theorem6 = theorem<DensityLearner>({
  id: "erm/theorem_6",
  statement:
    "Output perturbation, with noise of density ∝ e^(−nΛε‖b‖/2) added to the minimiser, is " +
    "ε-differentially private.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1, Theorem 6, Corollaries 11 and 13; " +
    "NIPS 2008, Theorem 1",
  source: "JMLR preprint, Theorem 1; Haußmann’s slides, the simple approach",
  remember: () =>
    `On 47,000 rows in 105 columns, at ε = .1 and Λ = .01, the noise is ${
      short(105 * 2 / (47_000 * 0.01 * 0.1))
    } long on average.`,
  assumptions: ["‖x‖ ≤ 1", "|ℓ′| ≤ 1, ℓ convex", "N 1-strongly convex"],
  kind: "sampled",
  checked:
    "16 pairs of datasets a loss (logistic, Huber hinge), opposite labels alone and generated ones of 1, 2 or 4 rows in 1 to 3 columns; ε, Λ and norm bounds on three scales; N = ½‖f‖² and, on 4 pairs, the smooth elastic net; local ascent over f",
  subject: { losses, calibrate },
  check: (learner, options) =>
    all(
      [
        densityOutcome(learner, { ...options, pairs: 16, starts: 3 }),
        densityOutcome({ ...learner, regulariser: smoothElasticNet(1) }, {
          ...options,
          pairs: 4,
          starts: 1,
        }),
      ],
      "N = ½‖f‖² and the smooth elastic net",
    ),
  mutants: {
    "noise at 0.87": { losses: [huberHinge(0.5)], calibrate: scaledNoise(0.87) },
    "rows of norm 2": { losses: [huberHinge(0.5)], calibrate, rowNorm: 2 },
  },
});
