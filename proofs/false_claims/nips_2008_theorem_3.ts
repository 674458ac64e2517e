import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import type { Loss } from "../../lib/learners/erm/loss.ts";
import { calibrateOneRow, oneRowLoss } from "../erm/checks/one_row_loss.ts";
import { all, atMost, short } from "../engine/outcome.ts";
import { falseClaim } from "../engine/theorem.ts";

/** The rate of the noise and the Δ added, for a loss and nλ, at ε = .1. */
type Calibrate = (loss: Loss, convexity: number) => { rate: number; quadratic: number };

const EPSILON = 0.1;

function told(curvatureBound: (loss: Loss) => number): Calibrate {
  return (loss, lambda) => {
    const { spent, quadratic } = calibrateOneRow({
      epsilon: EPSILON,
      lambda,
      loss: { ...loss, curvatureBound: curvatureBound(loss) },
    });
    return { rate: spent.noise / 2, quadratic };
  };
}

/** Any convex, once differentiable loss: its curvature may be as large as it likes. */
export const nips2008Theorem3 = falseClaim<Calibrate>({
  id: "false_claims/nips_2008_theorem_3",
  statement:
    "Objective perturbation is ε-differentially private for every convex, differentiable " +
    "loss whose gradient moves by at most κ between neighbours.",
  citation: "Chaudhuri, Monteleoni 2008, Theorem 3",
  source: "Chaudhuri’s slides, privacy guarantees (“L is convex, differentiable”)",
  assumptions: ["Huber hinges of half-width .5, .05, .005, so c = 1, 10, 100; nλ = 20; ε = .1"],
  kind: "sampled",
  subject: () => ({ rate: EPSILON / 2, quadratic: 0 }),
  check: (calibrate) => {
    const losses = [0.5, 0.05, 0.005].map((h) => {
      const loss = huberHinge(h), { rate, quadratic } = calibrate(loss, 20);
      return oneRowLoss([-1, 0, 1], { loss, convexity: 20 + quadratic, rate });
    });
    const shown = losses.map(short).join(", ");
    return all(
      losses.map((value) =>
        atMost(EPSILON, { value, detail: "loss", witness: `c = 1, 10, 100 lose ${shown}` })
      ).toReversed(),
      `losses ${shown} at ε = .1`,
    );
  },
  corrected: { name: "|ℓ″| ≤ c, which is paid for", subject: told((loss) => loss.curvatureBound) },
  mutants: { "paid for as if c were 1/4": told(() => 1 / 4) },
});
