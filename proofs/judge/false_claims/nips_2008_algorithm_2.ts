import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { calibrateOneRow, oneRowLoss } from "../../dp/erm/checks/one_row_loss.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The rate of the noise and the Δ added, for ε and nΛ. */
type Calibrate = (epsilon: number, convexity: number) => { rate: number; quadratic: number };

const corrected: Calibrate = (epsilon, lambda) => {
  const { spent, quadratic } = calibrateOneRow({ epsilon, lambda, loss: logisticLoss });
  return { rate: spent.noise / 2, quadratic };
};

const printed: Calibrate = (epsilon) => ({ rate: epsilon / 2, quadratic: 0 });

/** The exact loss of what a calibration sets, by default that of the paper, between the rows (1, +1) and (0, ·). */
export function lossOfOneRow(
  { epsilon, convexity }: { readonly epsilon: number; readonly convexity: number },
  calibrate: Calibrate = printed,
): number {
  const { rate, quadratic } = calibrate(epsilon, convexity);
  return oneRowLoss([1, 0], { loss: logisticLoss, convexity: convexity + quadratic, rate });
}

/** Objective perturbation without an account of its Jacobian. */
export const nips2008Algorithm2 = falseClaim<Calibrate>({
  id: "false_claims/nips_2008_algorithm_2",
  statement:
    "Logistic regression with b ∝ e^(−ε‖b‖/2) in the objective is ε-differentially private " +
    "for any λ.",
  citation:
    "Chaudhuri, Monteleoni 2008, Algorithm 2 and Theorem 2; withdrawn in their JMLR 2011 paper",
  source: "NIPS 2008: “for any value of λ, our algorithm is private”",
  remember: () =>
    `At ε = .1 it loses ${
      short(lossOfOneRow({ epsilon: 0.1, convexity: 0.01 }))
    } for nλ = .01, and ${
      short(lossOfOneRow({ epsilon: 0.1, convexity: 175 }))
    } for nλ = 175, as in the paper’s experiments, where the stretching adds ${
      (Math.ceil(1e4 * Math.log1p(0.25 / 175)) / 1e4).toFixed(4)
    } to ε at most.`,
  assumptions: ["one dimension, all rows but one are zero; (1, +1) against (0, ·)"],
  kind: "sampled",
  subject: printed,
  check: (calibrate) => {
    const shown: string[] = [];
    const outcomes = ([[0.1, 0.01], [0.1, 0.1], [0.1, 1], [0.1, 175], [1, 0.05]] as const).map(
      ([epsilon, convexity]) => {
        const value = lossOfOneRow({ epsilon, convexity }, calibrate);
        shown.push(`${short(value)} (ε = ${epsilon}, nλ = ${convexity})`);
        return atMost(epsilon, { value, detail: "loss", witness: "" });
      },
    );
    const outcome = all(outcomes, `exact losses ${shown.join(", ")}`);
    return { ...outcome, ...(outcome.holds ? {} : { witness: `loses ${shown.join(", ")}` }) };
  },
  corrected: { name: "the Jacobian paid for, Δ added where it would take all", subject: corrected },
  mutants: {
    "noise three times as loud": (epsilon) => ({ rate: epsilon / 6, quadratic: 0 }),
    "the slack without Δ": (epsilon, convexity) => ({
      rate: Math.max(1e-3, (epsilon - Math.log1p(0.25 / convexity)) / 2),
      quadratic: 0,
    }),
  },
});
