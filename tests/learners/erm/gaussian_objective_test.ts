import { assert } from "@std/assert";
import { calibrateObjective, type Calibration } from "../../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../../lib/learners/erm/huber_hinge.ts";
import { objectivePerturbationLogDensity } from "../../../lib/learners/erm/log_density.ts";
import { squaredNorm } from "../../../lib/learners/erm/regulariser.ts";
import { type Labelled, risk } from "../../../proofs/erm_data.ts";

const loss = huberHinge(0.5), epsilon = 1, delta = 1e-4;

interface Setting {
  readonly rowCount: number;
  readonly lambda: number;
}

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
  assert(Math.abs(mass - 1) < 2e-3, `the grid misses mass: ${mass}`);
  return Math.max(forth, back);
}

/**
 * The largest δ needed, as a share of δ claimed. A row meets its opposite among copies of one row,
 * which put weights near 0, where both rows pull with all their force, under noise far from 0: there
 * the log-ratio is large. With no copies the ratio is large only where there is no mass.
 */
function worstShareOfDelta(calibrate: (setting: Setting) => Calibration): number {
  let worst = 0;
  for (const convexity of [0.5, 40]) {
    for (const copies of [0, 30, 60, 90]) {
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

function calibrate({ rowCount, lambda }: Setting): Calibration {
  return calibrateObjective({
    epsilon,
    delta,
    lambda,
    loss,
    rowCount,
    normBound: 1,
    tolerance: 1e-12,
    residualShare: 0,
  });
}

Deno.test("Gaussian objective perturbation needs no more than its δ in one dimension", () => {
  const worst = worstShareOfDelta(calibrate);
  assert(worst <= 1, `a pair needs ${worst} of delta`);
  assert(worst > 1e-3, `the check sees next to nothing: ${worst} of delta`);
});

Deno.test("the check of δ rejects Gaussian noise at half the scale", () => {
  const worst = worstShareOfDelta((setting) => {
    const right = calibrate(setting);
    const sigma = right.noise.kind === "gaussian" ? right.noise.sigma : NaN;
    return { ...right, noise: { kind: "gaussian", sigma: sigma / 2 } };
  });
  assert(worst > 1.05, `it survives at ${worst} of delta`);
});

Deno.test("the check of δ rejects Gaussian noise that does not pay for the Jacobian", () => {
  const worst = worstShareOfDelta((setting) => ({
    // Noise for all of ε, as if Λ were huge.
    ...calibrate({ ...setting, lambda: 1e9 }),
    quadratic: 0,
  }));
  assert(worst > 1.05, `it survives at ${worst} of delta`);
});
