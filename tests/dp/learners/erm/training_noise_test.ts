import { assertAlmostEquals } from "@std/assert";
import type { Calibration } from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { norm } from "../../../../lib/dp/learners/erm/solver/problem.ts";
import { squaredNorm } from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleMinimiser } from "../../../../lib/dp/learners/erm/noise/sample_minimiser.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** No noise in the objective: what is left is the noise that pays for the residual. */
const residualOnly: Calibration = {
  perturbation: "objective",
  noise: { kind: "exponential-norm", rate: 1e12 },
  quadratic: 0,
  tolerance: 1e-9,
  residualRate: 4,
  grid: 2 ** -40,
  spent: { noise: 1, jacobian: 0, residual: 1 },
};

// Mutants: residual noise dropped; of the rate of the main noise; for output perturbation only.
Deno.test("sampleMinimiser() adds noise of the residual's rate to the minimiser", () => {
  const features = Array.from({ length: 20 }, (_, i) => [Math.cos(i), Math.sin(i), i / 20]);
  const risk = {
    rows: denseRows(features),
    signs: Float64Array.from(features, (_, i) => i % 3 === 0 ? 1 : -1),
    loss: huberHinge(0.5),
    regulariser: squaredNorm,
    lambda: 0.1,
  };
  const source = new SeededSource(1504), count = 4000;
  const exact = sampleMinimiser(source, {
    ...risk,
    calibration: { ...residualOnly, residualRate: undefined },
  });
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const drawn = sampleMinimiser(source, { ...risk, calibration: residualOnly });
    sum += norm(drawn.map((weight, j) => weight - exact[j]!));
  }
  // Lengths have the law Γ(3, 1/4): |z| ≤ 4.5, false alarm 7e-6.
  assertAlmostEquals(sum / count, 3 / 4, 4.5 * Math.sqrt(3 / 16 / count));
});
