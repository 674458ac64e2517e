import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import {
  calibrateObjective,
  calibrateOutput,
  type Calibration,
} from "../../../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import {
  logJacobian,
  noiseLeadingTo,
  objectivePerturbationLogDensity,
  outputPerturbationLogDensity,
} from "../../../../../lib/dp/learners/erm/noise/log_density.ts";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../../../lib/dp/learners/erm/solver/minimise.ts";
import {
  smoothElasticNet,
  squaredNorm,
} from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { smoothedHinge } from "../../../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { vectorNoise } from "../../../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import type { Setting } from "../../../../../proofs/dp/erm/checks/density_check.ts";
import { generatedNeighbours, risk } from "../../../../../proofs/dp/erm/checks/training_data.ts";

const output = (setting: Setting): Calibration => calibrateOutput({ ...setting, tolerance: 1e-13 });

const losses = [logisticLoss, huberHinge(0.5), smoothedHinge(0.5)];

Deno.test("noiseLeadingTo() inverts minimise(): the perturbed objective's minimiser goes back to its noise", () => {
  for (const regulariser of [squaredNorm, smoothElasticNet(2)]) {
    for (const loss of losses) {
      const { left } = generatedNeighbours(new SeededSource(7), { n: 4, d: 3, normBound: 1 });
      const base = risk(left, { loss, regulariser, lambda: 0.2 });
      const noise = vectorNoise(new SeededSource(7), new Float64Array(3), { rate: 0.5 });
      const problem = { ...base, quadratic: 0.1 };
      const { weights } = minimise({ ...problem, linear: noise.map((b) => b / 4) }, {
        tolerance: 1e-14,
      });
      const back = noiseLeadingTo(weights, problem);
      for (let j = 0; j < 3; j++) assertAlmostEquals(back[j]!, noise[j]!, 1e-11);
    }
  }
});

Deno.test("logJacobian() is the log-determinant of the differences of noiseLeadingTo()", () => {
  const { left } = generatedNeighbours(new SeededSource(9), { n: 4, d: 2, normBound: 2 });
  const problem = {
    ...risk(left, { loss: logisticLoss, regulariser: smoothElasticNet(1), lambda: 0.1 }),
    quadratic: 0.05,
  };
  const h = 1e-6, [x, y] = [0.3, -0.8];
  const difference = (dx: number, dy: number): number[] => {
    const up = noiseLeadingTo(Float64Array.of(x + dx, y + dy), problem);
    const down = noiseLeadingTo(Float64Array.of(x - dx, y - dy), problem);
    return [(up[0]! - down[0]!) / (2 * h), (up[1]! - down[1]!) / (2 * h)];
  };
  const [a, b] = difference(h, 0), [c, d] = difference(0, h);
  const expected = Math.log(Math.abs(a! * d! - b! * c!));
  assertAlmostEquals(logJacobian(Float64Array.of(x, y), problem), expected, 1e-8);
});

Deno.test("objectivePerturbationLogDensity() integrates to 1, pure and Gaussian, in one and two dimensions", () => {
  for (const delta of [0, 0.01]) {
    for (const d of [1, 2]) {
      const { left } = generatedNeighbours(new SeededSource(11), { n: 3, d, normBound: 1 });
      const base = risk(left, { loss: logisticLoss, regulariser: squaredNorm, lambda: 2 });
      const calibration = calibrateObjective({
        epsilon: 3,
        delta,
        rowCount: 3,
        lambda: 2,
        loss: logisticLoss,
        normBound: 1,
        tolerance: 1e-12,
      });
      const step = d === 1 ? 0.001 : 0.05, reach = d === 1 ? 10 : 5;
      let total = 0;
      for (let x = -reach + step / 2; x < reach; x += step) {
        for (let y = d === 1 ? 0 : -reach + step / 2; y < (d === 1 ? 1e-9 : reach); y += step) {
          const weights = d === 1 ? Float64Array.of(x) : Float64Array.of(x, y);
          total += Math.exp(objectivePerturbationLogDensity(weights, { ...base, calibration }));
        }
      }
      assertAlmostEquals(total * step ** d, 1, 2e-3);
    }
  }
});

Deno.test("objectivePerturbationLogDensity() refuses the calibration of output perturbation", () => {
  const { left } = generatedNeighbours(new SeededSource(1), { n: 1, d: 1, normBound: 1 });
  const base = risk(left, { loss: logisticLoss, regulariser: squaredNorm, lambda: 1 });
  const calibration = output({ ...base, epsilon: 1, rowCount: 1, normBound: 1 });
  assertThrows(
    () => objectivePerturbationLogDensity(Float64Array.of(0), { ...base, calibration }),
    RangeError,
    "must be objective",
  );
});

// Mutants: another surface of the sphere; (d − 1)! of another d; the noise's rate once for all coordinates.
Deno.test("log-densities have their closed forms where rows are 0: the noise alone, in one to seven dimensions", () => {
  // The surface of the unit sphere in ℝ^d, and (d − 1)!.
  const { PI } = Math;
  const spheres = [2, 2 * PI, 4 * PI, 2 * PI ** 2, 8 * PI ** 2 / 3, PI ** 3, 16 * PI ** 3 / 15];
  const factorials = [1, 1, 2, 6, 24, 120, 720];
  for (let d = 1; d <= 7; d++) {
    for (const delta of [0, 0.01]) {
      const setting = {
        epsilon: 2,
        ...(delta === 0 ? {} : { delta }),
        rowCount: 3,
        lambda: 0.7,
        loss: huberHinge(0.5),
        normBound: 1,
        tolerance: 1e-12,
      };
      const rows = denseRows(new Float64Array(3 * d), { columnCount: d });
      const zeros = {
        rows,
        signs: Float64Array.of(1, -1, 1),
        loss: setting.loss,
        regulariser: squaredNorm,
        lambda: setting.lambda,
      };
      const weights = Float64Array.from({ length: d }, (_, j) => 0.3 * (j + 1) * (-1) ** j);
      const length = Math.hypot(...weights);
      for (const calibration of [calibrateObjective(setting), calibrateOutput(setting)]) {
        // The gradient of the objective is n(Λ + Δ)f: the noise is so many times the weights.
        const isObjective = calibration.perturbation === "objective";
        const scale = isObjective ? 3 * (setting.lambda + calibration.quadratic) : 1;
        const { noise } = calibration;
        const law = noise.kind === "gaussian"
          ? Math.exp(-0.5 * (scale * length / noise.sigma) ** 2) /
            (noise.sigma * Math.sqrt(2 * PI)) ** d
          : noise.rate ** d * Math.exp(-noise.rate * scale * length) /
            (spheres[d - 1]! * factorials[d - 1]!);
        const density = isObjective
          ? objectivePerturbationLogDensity(weights, { ...zeros, calibration })
          : outputPerturbationLogDensity(weights, { ...zeros, calibration });
        assertAlmostEquals(density, Math.log(law * scale ** d), 1e-9);
      }
    }
  }
});

// Mutant: the noise at the sum of weights and minimiser.
Deno.test("outputPerturbationLogDensity() is greatest at the minimiser, and falls alike on both sides", () => {
  const problem = {
    rows: denseRows([[0.6, 0.1], [-0.2, 0.7], [0.5, -0.5]]),
    signs: Float64Array.of(1, -1, 1),
    loss: logisticLoss,
    regulariser: squaredNorm,
    lambda: 0.1,
  };
  const { weights } = minimise({ ...problem, quadratic: 0 }, { tolerance: 1e-13 });
  const calibration = output({
    rowCount: 3,
    lambda: 0.1,
    epsilon: 1,
    normBound: 1,
    loss: logisticLoss,
  });
  const at = (shift: number): number =>
    outputPerturbationLogDensity(weights.map((f) => f + shift), { ...problem, calibration });
  assert(Math.hypot(...weights) > 0.1);
  assert(at(0) > at(0.1) && at(0.1) > at(0.2));
  assertAlmostEquals(at(0.1), at(-0.1), 1e-9);
});
