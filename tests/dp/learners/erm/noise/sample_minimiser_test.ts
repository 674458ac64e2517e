import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import type { Calibration } from "../../../../../lib/dp/learners/erm/noise/calibration.ts";
import { certifiedMinimum } from "../../../../../lib/dp/learners/erm/solver/certified_minimum.ts";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { squaredNorm } from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleMinimiser } from "../../../../../lib/dp/learners/erm/noise/sample_minimiser.ts";
import { vectorNoise } from "../../../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { floatNormal } from "../../../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { solvable } from "../training_check_cases.ts";

// Mutants: noise n times too large or missing; noise on the other side; a rest, a grid or a certificate ignored.
Deno.test("sampleMinimiser() by hand: noise inside or outside, a second noise, a grid, and no release without a certificate", () => {
  const risk = {
    rows: denseRows([[0.8, -0.6], [0.1, 0.9], [-0.5, -0.5], [0, 1]]),
    signs: Float64Array.of(1, -1, 1, 1),
    loss: logisticLoss,
    regulariser: squaredNorm,
    lambda: 0.1,
  };
  const grid = 2 ** -10;
  const noises = [
    { kind: "exponential-norm", rate: 2 },
    { kind: "gaussian", sigma: 0.7 },
  ] as const;
  for (const perturbation of ["objective", "output"] as const) {
    for (const residualRate of [undefined, 5]) {
      for (const noise of noises) {
        const calibration: Calibration = {
          ...solvable,
          perturbation,
          noise,
          residualRate,
          quadratic: 0.3,
          tolerance: 1e-9,
          grid,
        };
        const drawn = sampleMinimiser(new SeededSource(9), { ...risk, calibration });
        const source = new SeededSource(9);
        const main = noise.kind === "gaussian"
          ? floatNormal(source, new Float64Array(2), { scale: 0.7 })
          : vectorNoise(source, new Float64Array(2), { rate: 2 });
        const { weights } = certifiedMinimum({
          ...risk,
          quadratic: 0.3,
          ...(perturbation === "objective" ? { linear: main.map((b) => b / 4) } : {}),
        }, { tolerance: 1e-12 });
        const second = residualRate === undefined
          ? [0, 0]
          : vectorNoise(source, new Float64Array(2), { rate: 5 });
        weights.forEach((weight, j) => {
          const sum = weight + (perturbation === "output" ? main[j]! : 0) + second[j]!;
          assertAlmostEquals(drawn[j]!, sum, 0.5 * grid + 1e-8);
          assert(Number.isInteger(drawn[j]! / grid));
        });
        const stepsFrom = (start?: Float64Array): number => {
          let steps = 0;
          sampleMinimiser(new SeededSource(9), {
            ...risk,
            calibration,
            ...(start === undefined ? {} : { start }),
            onIteration: () => void steps++,
          });
          return steps;
        };
        assert(stepsFrom() > stepsFrom(weights));
        assertThrows(
          () =>
            sampleMinimiser(new SeededSource(9), {
              ...risk,
              calibration: { ...calibration, tolerance: 0 },
            }),
          Error,
          "the norm of the gradient",
        );
      }
    }
  }
});
