import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { calibrateObjective, type Calibration } from "../../../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../../../lib/learners/erm/huber_hinge.ts";
import { norm } from "../../../../lib/learners/erm/problem.ts";
import { squaredNorm } from "../../../../lib/learners/erm/regulariser.ts";
import { denseRows } from "../../../../lib/learners/erm/rows.ts";
import { sampleMinimiser } from "../../../../lib/learners/erm/sample_minimiser.ts";
import { sampleTuned } from "../../../../lib/learners/erm/tune.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { positive } from "./calibration_cases.ts";

// Mutant: a Gaussian deviation that ignores the norm bound.
Deno.test("calibrateObjective() with δ keeps the noise's share at the tail that δ leaves, at any norm", () => {
  fc.assert(
    fc.property(
      positive(1e-3, 20),
      positive(1e-12, 0.5),
      positive(1e-3, 1e3),
      positive(1e-8, 1),
      fc.integer({ min: 1, max: 1e6 }),
      (epsilon, delta, normBound, lambda, rowCount) => {
        const { noise, spent } = calibrateObjective({
          epsilon,
          delta,
          normBound,
          lambda,
          rowCount,
          loss: huberHinge(0.5),
          tolerance: 1e-12 * normBound,
        });
        assert(noise.kind === "gaussian");
        // b moves by 2q at most, and is longer than R in the plane of two rows with probability δ.
        const { sigma } = noise, move = 2 * normBound;
        const length = sigma * Math.sqrt(2 * Math.log(1 / delta));
        const loss = (move * length + move ** 2 / 2) / sigma ** 2;
        assertAlmostEquals(loss / spent.noise, 1, 1e-9);
      },
    ),
    { seed: 1503 },
  );
});

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

// Mutants: all candidates trained on one part; parts that overlap; the held rows trained on.
Deno.test("sampleTuned() trains every candidate on rows of its own, and on none that judge", () => {
  const rowCount = 40, candidates = 3;
  const labels = Array.from({ length: rowCount }, (_, i) => i % 2 === 0 ? 1 : -1);
  const rows = denseRows(labels.map((label, i) => [label * (0.5 + i / 100)]));
  const blind = { normBound: 1e-9, intercept: 1 };
  // A candidate that sees next to nothing of the rows is not chosen.
  const tuned = (best: number, signs: readonly number[]): { chosen: number; weights: string } => {
    const { chosen, model } = sampleTuned(new SeededSource(1505), {
      rows,
      labels: signs,
      epsilon: 40,
      lambda: 0.1,
      candidates: Array.from(
        { length: candidates },
        (_, k) => k === best ? {} : blind,
      ),
      normBound: 1,
    });
    return { chosen, weights: model.weights.map((weights) => weights.join()).join() };
  };
  const owners = new Int32Array(rowCount);
  for (let best = 0; best < candidates; best++) {
    const before = tuned(best, labels);
    let trained = 0;
    for (let row = 0; row < rowCount; row++) {
      const after = tuned(best, labels.map((label, i) => i === row ? -label : label));
      if (after.chosen !== best || before.chosen !== best) continue;
      if (after.weights === before.weights) continue;
      owners[row]!++;
      trained++;
    }
    assert(trained <= rowCount / (candidates + 1), `candidate ${best} saw ${trained} rows`);
  }
  assert(owners.every((count) => count <= 1), `rows seen by two candidates: ${owners.join()}`);
  assertEquals(owners.reduce((sum, count) => sum + count), 30, "some candidate saw too few rows");
});
