import { calibrateObjective, calibrateOutput } from "../../lib/learners/erm/calibration.ts";
import { clipRows } from "../../lib/learners/erm/clip_rows.ts";
import { gradientNormBound } from "../../lib/learners/erm/gradient_bound.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { computeMargins } from "../../lib/learners/erm/row_kernels.ts";
import { objectivePerturbationLogDensity } from "../../lib/learners/erm/log_density.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { vectorNoise } from "../../lib/learners/erm/vector_noise.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { casesOf, requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";
import { requireLongSums } from "../checks/long_sums.ts";
import { requireModels } from "../checks/model_cases.ts";
import { theorem } from "../engine/theorem.ts";
import {
  type Parts,
  requireCholesky,
  requireRows,
  requireSums,
  requireVisitedMargins,
  shipped,
} from "../checks/training_sums.ts";
import { requireLosses, requireRefusals } from "../checks/training_losses.ts";
import { requireGradients } from "../checks/training_gradients.ts";

/** What training is built of. */
export const trainingParts = theorem<Parts>({
  id: "erm/training_parts",
  statement:
    "What empirical risk minimisation is built of is what the theorems on it assume: losses and regularisers with the derivatives and bounds that they state, others refused; rows held to their norm; margins, sums and gradients beside exact fractions; a bound on " +
    "‖∇J‖ that is not below it, and a minimum that meets its tolerance; noise and slack as the two algorithms have them.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Algorithms 1 and 2; Kifer, Smith, Thakurta 2012; Ogita, Rump, Oishi 2005 on exact products",
  source: "lib/learners/erm",
  kind: "sampled",
  checked:
    "five losses at 400 margins; fourteen broken losses and seven broken regularisers; dense and sparse rows of 1 to 300 by 1 to 7; exact gradients of the Huber hinge on 20 problems in fractions; calibrations at 12 settings",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "losses": requireLosses,
      "losses and regularisers that are refused": () => requireRefusals(of),
      "sums over rows": () => requireSums(of, seed),
      "sums of many blocks": requireLongSums,
      "rows in blocks": requireVisitedMargins,
      "rows in bounds": () => requireRows(of, seed),
      "Cholesky factors": () => requireCholesky(of.factorCholesky, seed),
      "gradients and their bound": () => requireGradients(of, seed),
      "calibrations": () => requireCalibrations(of),
      "models and what training hands on": () => requireModels(seed),
    }),
  mutants: {
    "losses with a slope of −1.5 are taken": {
      ...shipped,
      requireLoss: (loss) => loss.slope(-50) < -1 ? undefined : requireLoss(loss),
    },
    "margins without their sign": {
      ...shipped,
      computeMargins: (rows, options) =>
        computeMargins(rows, { ...options, signs: options.signs.map(Math.abs) }),
    },
    "a bound of nine tenths": {
      ...shipped,
      gradientNormBound: (problem, at) => 0.9 * gradientNormBound(problem, at),
    },
    "a sensitivity of 1/(nΛ)": {
      ...shipped,
      calibrateOutput: (options) => {
        const made = calibrateOutput(options);
        return {
          ...made,
          noise: { ...made.noise, rate: 2 * (made.noise as { rate: number }).rate } as never,
        };
      },
    },
    "rows a millionth too long": {
      ...shipped,
      clipRows: (rows, { normBound }) => clipRows(rows, { normBound: normBound * (1 + 1e-6) }),
    },
    "no slack": {
      ...shipped,
      calibrateObjective: (options) => ({ ...calibrateObjective(options), quadratic: 0 }),
    },
  },
});

function requireCalibrations({ calibrateOutput, calibrateObjective }: Parts): void {
  const grid = (scale: number): number => 2 ** (Math.floor(Math.log2(scale)) - 20);
  for (
    const [epsilon, rowCount, lambda, normBound, tolerance] of [[1, 100, 0.1, 1, 1e-8], [
      0.05,
      7,
      2,
      3,
      0,
    ], [4, 1000, 1e-3, 0.5, 1e-6]] as const
  ) {
    const loss = huberHinge(0.5), input = { epsilon, rowCount, lambda, loss, normBound };
    const output = calibrateOutput({ ...input, tolerance });
    // 2q/(nΛ), and 2τ/Λ for minima that are not exact.
    const exact = 2 * normBound / (rowCount * lambda), sensitivity = exact + 2 * tolerance / lambda;
    requireEqual([
      output.perturbation,
      output.noise.kind,
      output.quadratic,
      output.tolerance,
      output.residualRate,
    ], ["output", "exponential-norm", 0, tolerance, undefined]);
    requireNear((output.noise as { rate: number }).rate, epsilon / sensitivity);
    requireNear(output.grid, grid(sensitivity / epsilon));
    requireNear(output.spent.noise + output.spent.residual, epsilon);
    requireNear(output.spent.noise, epsilon * exact / sensitivity);
    requireEqual(output.spent.jacobian, 0);
    const bend = loss.curvatureBound * normBound ** 2 / rowCount, rest = epsilon * 0.999;
    for (const delta of [0, 1e-5]) {
      for (const slack of ["tight", "cms11"] as const) {
        for (const noiseShare of [0.5, 0.8]) {
          const made = calibrateObjective({ ...input, tolerance: 1e-8, delta, slack, noiseShare });
          // What the Jacobian takes, with a Δ where that would leave too little.
          const own = slack === "tight"
            ? Math.log(1 + bend / lambda)
            : 2 * Math.log(1 + bend / lambda);
          const allowed = slack === "tight" ? (1 - noiseShare) * rest : rest;
          const enough = slack === "tight" ? own <= allowed : own < allowed;
          const jacobian = enough ? own : slack === "tight" ? allowed : rest / 2;
          const quadratic = enough
            ? 0
            : slack === "tight"
            ? bend / (Math.exp(allowed) - 1) - lambda
            : bend / (Math.exp(rest / 4) - 1) - lambda;
          requireNear(made.quadratic, quadratic, { relative: 1e-9, absolute: 1e-15, what: "Δ" });
          requireNear(made.spent.jacobian, jacobian, { relative: 1e-9 });
          requireNear(made.spent.noise, rest - jacobian, { relative: 1e-9 });
          requireNear(made.spent.residual, epsilon / 1000, { relative: 1e-9 });
          const noise = rest - jacobian;
          if (delta === 0) {
            requireNear((made.noise as { rate: number }).rate, noise / (2 * normBound), {
              relative: 1e-9,
            });
          } else {
            const log = Math.log(1 / delta);
            requireNear(
              (made.noise as { sigma: number }).sigma,
              normBound * (Math.sqrt(2 * log + 2 * noise) + Math.sqrt(2 * log)) / noise,
              { relative: 1e-9 },
            );
          }
          // 2τ/(Λ + Δ) over the share of what is left.
          requireNear(1 / made.residualRate!, 2 * 1e-8 / (epsilon / 1000 * (lambda + quadratic)), {
            relative: 1e-9,
          });
          requireNear(made.grid, grid(1 / made.residualRate!));
        }
      }
    }
  }
  const good = {
    epsilon: 1,
    rowCount: 10,
    lambda: 1,
    loss: huberHinge(1),
    normBound: 1,
    tolerance: 1e-8,
  };
  // Nothing for the residual: a grid as fine as the tolerance allows; and an ε of which it has exactly 1.
  const unpaid = calibrateObjective({ ...good, residualShare: 0 });
  requireEqual(unpaid.residualRate, undefined);
  requireNear(unpaid.grid, grid(1e-8 / (1 + unpaid.quadratic)));
  const one = calibrateObjective({ ...good, epsilon: 2, residualShare: 0.5 });
  requireNear(one.residualRate!, (1 + one.quadratic) / 2e-8);
  requireNear(one.grid, grid(2e-8 / (1 + one.quadratic)));
  for (const rate of [0, -1, NaN, Infinity]) {
    requireRefused(
      `noise of rate ${rate}`,
      () => vectorNoise(new SeededSource(1), new Float64Array(2), { rate }),
      "rate",
    );
  }
  for (const name of ["epsilon", "rowCount", "lambda", "normBound"]) {
    for (const value of [0, -1, NaN, Infinity]) {
      requireRefused(`${name} of ${value}`, () => calibrateOutput({ ...good, [name]: value }));
      requireRefused(`${name} of ${value}`, () => calibrateObjective({ ...good, [name]: value }));
    }
  }
  requireRefused(
    "a density of output perturbation",
    () =>
      objectivePerturbationLogDensity(Float64Array.of(0.1), {
        calibration: calibrateOutput(good),
        rows: denseRows([[0.5], [0.2]]),
        signs: Float64Array.of(1, -1),
        loss: good.loss,
        regulariser: squaredNorm,
        lambda: 1,
      }),
    "must be objective",
  );
  for (const wrong of [{ tolerance: -1 }, { tolerance: NaN }]) {
    requireRefused(JSON.stringify(wrong), () => calibrateOutput({ ...good, ...wrong }));
  }
  for (
    const wrong of [{ tolerance: 0 }, { delta: 1 }, { delta: -1 }, { noiseShare: 0 }, {
      noiseShare: 1,
    }, { noiseShare: NaN }]
  ) requireRefused(JSON.stringify(wrong), () => calibrateObjective({ ...good, ...wrong }));
}
