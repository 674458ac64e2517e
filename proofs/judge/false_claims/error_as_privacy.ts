import { calibrateOutput } from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { risk } from "../../dp/erm/checks/training_data.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** What is promised of a classifier trained for ε_p and meant to err by ε_g. */
type Promised = (given: { readonly privacy: number; readonly error: number }) => number;

/** The two epsilons of the paper, one for the other. */
export const errorAsPrivacy = falseClaim<Promised>({
  id: "false_claims/error_as_privacy",
  statement: "A classifier trained for privacy ε_p with generalisation error ε_g is ε_g-" +
    "differentially private.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, remark on page 1084",
  source: "a slip: ε_p is meant",
  remember: () =>
    "Trained for ε_p = 1 and meant to err by ε_g = .1, it loses 1 and not .1: the two epsilons have nothing to do with each other.",
  assumptions: ["output perturbation, n = 1, Λ = 5, Huber hinge, opposite labels: exact"],
  kind: "sampled",
  subject: ({ error }) => error,
  check: (promised) => {
    const lambda = 5, loss = huberHinge(0.5), shown: string[] = [];
    const [one, other] = [1, -1].map((label) =>
      minimise({
        ...risk([[[1], label]], { loss, regulariser: squaredNorm, lambda }),
        quadratic: 0,
      }, { tolerance: 1e-13 }).weights[0]
    );
    const outcomes = [{ privacy: 1, error: 0.1 }, { privacy: 0.2, error: 0.15 }].map((given) => {
      const { noise } = calibrateOutput({
        epsilon: given.privacy,
        rowCount: 1,
        lambda,
        loss,
        normBound: 1,
        tolerance: 0,
      });
      const lost = noise.kind === "exponential-norm" ? noise.rate * Math.abs(one! - other!) : NaN;
      shown.push(`${short(lost)} (ε_p = ${given.privacy}, ε_g = ${given.error})`);
      return atMost(promised(given), { value: lost, detail: "loss", witness: "" });
    });
    const outcome = all(outcomes, `loses ${shown.join(", ")}`);
    return { ...outcome, ...(outcome.holds ? {} : { witness: `loses ${shown.join(", ")}` }) };
  },
  corrected: { name: "ε_p", subject: ({ privacy }) => privacy },
  mutants: { "0.87·ε_p": ({ privacy }) => 0.87 * privacy },
});
