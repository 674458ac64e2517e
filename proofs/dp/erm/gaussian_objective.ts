import {
  calibrateObjective,
  type Calibration,
} from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { objectivePerturbationLogDensity } from "../../../lib/dp/learners/erm/noise/log_density.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { type Labelled, risk } from "./checks/training_data.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const loss = huberHinge(0.5), epsilon = 1, delta = 1e-4;

/** nΛ, and how many copies of one row stand beside the row that is replaced. */
const CONVEXITIES = [0.5, 40], COPIES = [0, 30, 60, 90];

/** Sets the noise for n rows and Λ. */
type Calibrate = (
  setting: { readonly rowCount: number; readonly lambda: number },
) => Calibration;

/** δ = ∫ (p − e^ε q)₊ that a pair in one dimension needs, the worse way round, by the midpoint rule. */
function neededDelta(
  { left, right }: { left: readonly Labelled[]; right: readonly Labelled[] },
  { calibration, lambda, reach }: { calibration: Calibration; lambda: number; reach: number },
): number {
  const [one, other] = [left, right].map((data) => ({
    ...risk(data, { loss, regulariser: squaredNorm, lambda }),
    calibration,
  }));
  // The density jumps at ±1/2 and ±3/2, which are edges of cells.
  const step = 1 / 40, cells = Math.ceil(reach / step);
  let forth = 0, back = 0, mass = 0;
  for (let cell = -cells; cell < cells; cell++) {
    const weights = Float64Array.of((cell + 0.5) * step);
    const p = Math.exp(objectivePerturbationLogDensity(weights, one!)) * step;
    const q = Math.exp(objectivePerturbationLogDensity(weights, other!)) * step;
    forth += Math.max(0, p - Math.exp(epsilon) * q);
    back += Math.max(0, q - Math.exp(epsilon) * p);
    mass += p;
  }
  if (!(Math.abs(mass - 1) < 2e-3)) throw new Error(`Cannot sum: the grid misses mass: ${mass}`);
  return Math.max(forth, back);
}

/**
 * The largest δ needed, as a share of δ claimed. A row meets its opposite among copies of one row,
 * which put weights near 0, where both rows pull with all their force, under noise far from 0: there
 * the log-ratio is large. With no copies the ratio is large only where there is no mass.
 */
function worstShareOfDelta(calibrate: Calibrate): number {
  let worst = 0;
  for (const convexity of CONVEXITIES) {
    for (const copies of COPIES) {
      const rowCount = copies + 1, lambda = convexity / rowCount;
      const calibration = calibrate({ rowCount, lambda });
      const sigma = calibration.noise.kind === "gaussian" ? calibration.noise.sigma : NaN;
      const others = Array.from({ length: copies }, (): Labelled => [[1], 1]);
      const [up, down]: Labelled[] = [[[1], 1], [[1], -1]];
      const scale = convexity + rowCount * calibration.quadratic;
      const options = { calibration, lambda, reach: 1 + (5 * sigma + rowCount) / scale };
      const pair = { left: [up!, ...others], right: [down!, ...others] };
      worst = Math.max(worst, neededDelta(pair, options) / delta);
    }
  }
  return worst;
}

const shipped: Calibrate = ({ rowCount, lambda }) =>
  calibrateObjective({
    epsilon,
    delta,
    lambda,
    loss,
    rowCount,
    normBound: 1,
    tolerance: 1e-12,
    residualShare: 0,
  });

/** Objective perturbation with Gaussian noise. */
export const gaussianObjective = theorem<Calibrate>({
  id: "erm/gaussian_objective",
  statement:
    "Objective perturbation with Gaussian noise of σ = q(√(2L + 2ε′) + √(2L))/ε′, L = ln(1/δ), and the " +
    "slack ln(1 + cq²/(n(Λ + Δ))) is (ε, δ)-differentially private.",
  citation: "Kifer, Smith, Thakurta 2012, Algorithm 1, with a little less noise",
  source: "a variant of the JMLR paper's Algorithm 2",
  remember: () => {
    const L = Math.log(1 / delta);
    return `With all of ε = ${epsilon} left for the noise, σ is ${
      short(Math.sqrt(2 * L + 2 * epsilon) + Math.sqrt(2 * L))
    } at δ = ${delta}.`;
  },
  kind: "sampled",
  checked: `Huber hinge of half-width ½, one dimension, ε = ${epsilon}, δ = ${delta}; nΛ = ${
    CONVEXITIES.join(" and ")
  }, and ${COPIES.join(", ")} copies of one other row`,
  subject: shipped,
  check: (calibrate) => {
    const worst = worstShareOfDelta(calibrate);
    return atMost(1, {
      value: worst,
      detail: `${CONVEXITIES.length * COPIES.length} pairs; the largest δ needed is ${
        short(worst)
      } of that claimed`,
      witness: `a pair needs ${short(worst)} of δ`,
    });
  },
  mutants: {
    "half of the noise": (setting) => {
      const right = shipped(setting);
      return right.noise.kind === "gaussian"
        ? { ...right, noise: { ...right.noise, sigma: right.noise.sigma / 2 } }
        : right;
    },
    // Noise for all of ε, as if Λ were huge.
    "the Jacobian not paid for": (setting) => ({
      ...shipped({ ...setting, lambda: 1e9 }),
      quadratic: 0,
    }),
  },
});
