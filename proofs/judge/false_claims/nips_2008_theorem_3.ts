import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import type { Loss } from "../../../lib/dp/learners/erm/losses/loss.ts";
import { calibrateOneRow, oneRowLoss } from "../../dp/erm/checks/one_row_loss.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

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

const printed: Calibrate = () => ({ rate: EPSILON / 2, quadratic: 0 });

/** Half-widths of Huber hinges, whose curvature is at most 1/(2h), and nλ. */
const HALF_WIDTHS = [0.5, 0.05, 0.005], CONVEXITY = 20;

/** The exact loss for each half-width. */
function lossesOf(calibrate: Calibrate): number[] {
  return HALF_WIDTHS.map((h) => {
    const loss = huberHinge(h), { rate, quadratic } = calibrate(loss, CONVEXITY);
    return oneRowLoss([-1, 0, 1], { loss, convexity: CONVEXITY + quadratic, rate });
  });
}

/** Any convex, once differentiable loss: its curvature may be as large as it likes. */
export const nips2008Theorem3 = falseClaim<Calibrate>({
  id: "false_claims/nips_2008_theorem_3",
  statement:
    "Objective perturbation is ε-differentially private for every convex, differentiable " +
    "loss whose gradient moves by at most κ between neighbours.",
  citation: "Chaudhuri, Monteleoni 2008, Theorem 3",
  source: "Chaudhuri’s slides, privacy guarantees (“L is convex, differentiable”)",
  remember: () =>
    `A Huber hinge of half-width .005 loses ${
      short(lossesOf(printed).at(-1)!)
    } at ε = ${EPSILON} and nλ = 20.`,
  assumptions: ["Huber hinges of half-width .5, .05, .005, so c = 1, 10, 100; nλ = 20; ε = .1"],
  kind: "sampled",
  subject: printed,
  check: (calibrate) => {
    const losses = lossesOf(calibrate);
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
