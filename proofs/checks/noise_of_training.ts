import {
  calibrateObjective,
  calibrateOutput,
  type Calibration,
} from "../../lib/learners/erm/calibration.ts";
import { certifiedMinimum } from "../../lib/learners/erm/certified_minimum.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { outputPerturbationLogDensity } from "../../lib/learners/erm/log_density.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { preparedNormBound, prepareRows } from "../../lib/learners/erm/prepare_rows.ts";
import { drawRandomFeatures } from "../../lib/learners/erm/random_features.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { sampleMinimiser } from "../../lib/learners/erm/sample_minimiser.ts";
import { calibrationOf, statementOf } from "../../lib/learners/erm/training_options.ts";
import { vectorNoise } from "../../lib/learners/erm/vector_noise.ts";
import { floatGamma } from "../../lib/random/float_gamma.ts";
import { floatNormal } from "../../lib/random/float_normal.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";

const base: Calibration = {
  perturbation: "output",
  noise: { kind: "exponential-norm", rate: 1 },
  quadratic: 0,
  tolerance: 1e-9,
  residualRate: undefined,
  grid: 2 ** -40,
  spent: { noise: 1, jacobian: 0, residual: 0 },
};

/** Densities of the two noises, of which the norms integrate to 1, in 1 to 5 dimensions. */
export function requireNoiseDensities(): void {
  // The surface of the unit sphere in d dimensions, times (d − 1)!.
  const sizes = [2, 2 * Math.PI, 8 * Math.PI, 12 * Math.PI ** 2, 64 * Math.PI ** 2];
  sizes.forEach((size, k) => {
    const d = k + 1, weights = Float64Array.from({ length: d }, (_, j) => (j - 1.5) / 2);
    const problem = {
      rows: denseRows([new Array<number>(d).fill(0)]),
      signs: Float64Array.of(1),
      loss: logisticLoss,
      regulariser: squaredNorm,
      lambda: 1,
    };
    const norm = Math.hypot(...weights);
    // Around a minimum that is not at 0.
    const moved = { ...problem, rows: denseRows([new Array<number>(d).fill(0.5)]) };
    const minimum = certifiedMinimum({ ...moved, quadratic: 0 }, { tolerance: 1e-12 }).weights;
    const other = outputPerturbationLogDensity(weights.map((f, j) => f + minimum[j]!), {
      ...moved,
      calibration: { ...base, noise: { kind: "exponential-norm", rate: 2 } },
    });
    for (const rate of [0.3, 2]) {
      requireNear(
        outputPerturbationLogDensity(weights, {
          ...problem,
          calibration: { ...base, noise: { kind: "exponential-norm", rate } },
        }),
        d * Math.log(rate) - Math.log(size) - rate * norm,
        { relative: 1e-11, absolute: 1e-11, what: `the density of noise of rate ${rate} in ${d}` },
      );
      if (rate === 2) {
        requireNear(other, d * Math.log(2) - Math.log(size) - 2 * norm, {
          absolute: 1e-9,
          what: "the density around a minimum",
        });
      }
      requireNear(
        outputPerturbationLogDensity(weights, {
          ...problem,
          calibration: { ...base, noise: { kind: "gaussian", sigma: rate } },
        }),
        -norm * norm / (2 * rate * rate) - d / 2 * Math.log(2 * Math.PI * rate * rate),
        { relative: 1e-11, absolute: 1e-11, what: `the density of normal noise in ${d}` },
      );
    }
  });
}

/** Noise on a vector: a length of the Gamma law of shape d, in the direction of normals. */
export function requireVectorNoise(): void {
  for (const d of [1, 2, 7]) {
    for (const rate of [0.25, 3]) {
      const own = new SeededSource(d).split("vector"), same = new SeededSource(d).split("vector");
      const noise = vectorNoise(own, new Float64Array(d), { rate });
      const [length] = floatGamma(same, new Float64Array(1), { shape: d, scale: 1 / rate });
      const normals = floatNormal(same, new Float64Array(d), { scale: 1 });
      noise.forEach((each, j) =>
        requireNear(each, length! * normals[j]! / Math.hypot(...normals), { relative: 1e-12 })
      );
      requireThat(own.uint32() === same.uint32(), "another number of draws");
    }
  }
  for (const rate of [0, -1, NaN, Infinity]) {
    requireRefused(
      `a rate of ${rate}`,
      () => vectorNoise(new SeededSource(1), new Float64Array(1), { rate }),
    );
  }
}

/** A draw is a minimum with its noise: in the objective, or added; a second one over what was left of the minimisation; on the grid. */
export function requireMinimisers(): void {
  const rows = denseRows([[0.5, -0.25], [1, 1], [-0.75, 0.5], [0, 2]]);
  const risk = {
    rows,
    signs: Float64Array.of(1, -1, 1, -1),
    loss: huberHinge(0.5),
    regulariser: squaredNorm,
    lambda: 0.1,
  };
  const exponential = { kind: "exponential-norm", rate: 2 } as const;
  const gaussian = { kind: "gaussian", sigma: 0.7 } as const;
  for (
    const [perturbation, noise, quadratic, residualRate, grid] of [
      ["output", exponential, 0, undefined, 2 ** -30],
      ["output", gaussian, 0.2, undefined, 2 ** -6],
      ["objective", exponential, 0, 40, 2 ** -30],
      ["objective", gaussian, 0.3, undefined, 2 ** -25],
      ["objective", gaussian, 0.3, 3, 2 ** -4],
    ] as const
  ) {
    const calibration: Calibration = {
      ...base,
      perturbation,
      noise,
      quadratic,
      residualRate,
      grid,
    };
    const own = new SeededSource(5).split("draw"), same = new SeededSource(5).split("draw");
    const found = sampleMinimiser(own, { ...risk, calibration });
    const drawn = noise.kind === "gaussian"
      ? floatNormal(same, new Float64Array(2), { scale: 0.7 })
      : vectorNoise(same, new Float64Array(2), { rate: 2 });
    const tilted = perturbation === "objective" ? { linear: drawn.map((b) => b / 4) } : {};
    const { weights } = certifiedMinimum({ ...risk, quadratic, ...tilted }, { tolerance: 1e-12 });
    const second = residualRate === undefined
      ? new Float64Array(2)
      : vectorNoise(same, new Float64Array(2), { rate: residualRate });
    found.forEach((weight, j) => {
      const stated = weights[j]! + second[j]! + (perturbation === "output" ? drawn[j]! : 0);
      requireNear(weight, stated, { absolute: grid / 2 + 1e-7, what: `weight ${j}` });
      requireThat(Number.isInteger(weight / grid), "a weight that is off the grid");
    });
    requireThat(own.uint32() === same.uint32(), "another number of draws");
  }
  // What does not come to its tolerance is refused.
  requireRefused(
    "a tolerance that no doubles meet",
    () =>
      sampleMinimiser(new SeededSource(1), {
        ...risk,
        calibration: { ...base, tolerance: 1e-30 },
      }),
    "norm of the gradient",
  );
  // Where one point is begun from another, and who listens, alter nothing.
  const norms: number[] = [];
  const begun = sampleMinimiser(new SeededSource(5).split("draw"), {
    ...risk,
    calibration: base,
    start: Float64Array.of(3, -2),
    onIteration: (norm) => norms.push(norm),
  });
  const plain = sampleMinimiser(new SeededSource(5).split("draw"), { ...risk, calibration: base });
  begun.forEach((weight, j) => requireNear(weight, plain[j]!, { absolute: 1e-7 }));
  requireThat(norms.length > 1 && norms[0]! > 0.1, "iterations are not told");
}

/** Options of training come to its calibration and to its rows. */
export function requireHandedOn(): void {
  const loss = huberHinge(0.5), options = { epsilon: 0.3, lambda: 0.01, loss, normBound: 2 };
  const input = { ...options, rowCount: 50, tolerance: 1e-7 };
  const given = { ...options, tolerance: 1e-7 };
  for (
    const more of [{}, { slack: "cms11" }, { slack: "tight" }, { noiseShare: 0.9 }, {
      slack: "tight",
      noiseShare: 0.2,
    }] as const
  ) {
    requireEqual(
      calibrationOf({ ...given, ...more }, { rowCount: 50 }),
      calibrateObjective({ ...input, ...more }),
      JSON.stringify(more),
    );
  }
  const { noise, jacobian } = calibrateObjective({ ...input, noiseShare: 0.9 }).spent;
  requireThat(noise > jacobian * 8.9, "the share of the noise");
  requireThat(
    calibrateObjective({ ...input, slack: "cms11" }).quadratic >
      calibrateObjective({ ...input, slack: "tight" }).quadratic,
    "the slack as printed asks for more",
  );
  requireEqual(
    calibrationOf({ ...given, perturbation: "output" }, { rowCount: 50 }),
    calibrateOutput(input),
  );
  // Where the slack as printed takes ε to the last bit, half of it is left to the noise.
  const bend = loss.curvatureBound * 4 / 50, epsilon = 2 * Math.log1p(bend / 0.01);
  for (const [each, all] of [[epsilon, false], [epsilon * (1 + 1e-9), true]] as const) {
    const { spent } = calibrateObjective({
      ...input,
      epsilon: each,
      slack: "cms11",
      residualShare: 0,
    });
    requireNear(spent.noise, all ? each - epsilon : each / 2, { relative: 1e-5 });
  }
  const words = (more: object): string =>
    statementOf({ epsilon: 1, lambda: 1, normBound: 1, ...more }, { rowCount: 7 });
  const kernel = { name: "gaussian", gamma: 1 } as const;
  const features = drawRandomFeatures(new SeededSource(1), { kernel, inputCount: 2, count: 3 });
  requireEqual([
    preparedNormBound({ features }),
    preparedNormBound({ features, normBound: 0.5 }),
    preparedNormBound({ features, intercept: 0.75 }),
  ], [1, 0.5, 1.25]);
  requireThat(
    words({ features }).includes("Rows of random features longer than 1 "),
    "what is said of features",
  );
  requireThat(
    words({ normBound: 3 }).includes(". Rows longer than 3 were"),
    "what is said of rows",
  );
  for (const normBound of [0, -1, NaN, Infinity, undefined]) {
    requireRefused(
      `a bound of ${normBound}`,
      () => preparedNormBound({ normBound } as never),
      "normBound",
    );
  }
  for (const table of [[[0.3, 0.1], [3, 4]], [[0, 5], [12, 0]]]) {
    for (const rows of [denseRows(table), sparseOf(table)]) {
      for (
        const [more, width] of [[{}, 3], [{ intercept: 2 }, 4], [{ normBound: 0.2 }, 3]] as const
      ) {
        const prepared = prepareRows(rows, { features, ...more });
        requireEqual([prepared.rowCount, prepared.columnCount], [2, width]);
      }
    }
  }
}
