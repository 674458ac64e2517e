import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { huberHinge } from "../../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../../../lib/dp/learners/erm/solver/minimise.ts";
import {
  allocateEvaluation,
  evaluate,
  norm,
  type Problem,
} from "../../../../../lib/dp/learners/erm/solver/problem.ts";
import {
  smoothElasticNet,
  squaredNorm,
} from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { compactRows, denseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { smoothedHinge } from "../../../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { generatedData } from "../generated_data.ts";

const losses = [logisticLoss, huberHinge(0.5), smoothedHinge(0.5)];
const regularisers = [squaredNorm, smoothElasticNet(3)];

function problemOf(
  seed: number,
  { n, d, lambda, ...rest }: { n: number; d: number; lambda: number } & Partial<Problem>,
): Problem {
  const { rows, signs } = generatedData(seed, { n, d });
  return {
    rows,
    signs,
    loss: logisticLoss,
    regulariser: squaredNorm,
    lambda,
    quadratic: 0,
    ...rest,
  };
}

Deno.test("evaluate() gives the gradient of the value, for every loss and regulariser", () => {
  for (const loss of losses) {
    for (const regulariser of regularisers) {
      const problem = problemOf(1, {
        n: 17,
        d: 3,
        lambda: 0.3,
        loss,
        regulariser,
        quadratic: 0.2,
        linear: Float64Array.of(0.1, -0.2, 0.3),
      });
      const scratch = new Float64Array(17);
      const at = (weights: number[]): { value: number; gradient: Float64Array } => {
        const point = allocateEvaluation(problem);
        point.weights.set(weights);
        evaluate(problem, { at: point, scratch });
        return point;
      };
      const here = [0.4, -1.1, 2.3], step = 1e-6;
      const { gradient } = at(here);
      for (let j = 0; j < 3; j++) {
        const up = here.slice(), down = here.slice();
        up[j]! += step;
        down[j]! -= step;
        assertAlmostEquals(gradient[j]!, (at(up).value - at(down).value) / (2 * step), 1e-7);
      }
    }
  }
});

Deno.test("minimise() certifies a tiny gradient by either method, and both agree", () => {
  for (const loss of losses) {
    for (const regulariser of regularisers) {
      for (const lambda of [1, 1e-2, 1e-6]) {
        const problem = problemOf(2, { n: 60, d: 5, lambda, loss, regulariser });
        const tolerance = 1e-12;
        const direct = minimise(problem, { tolerance, method: "cholesky" });
        const iterative = minimise(problem, { tolerance, method: "conjugate-gradient" });
        assert(direct.gradientNorm <= tolerance, `${loss.name}, ${lambda}: ${direct.gradientNorm}`);
        assert(
          iterative.gradientNorm <= tolerance,
          `CG, ${loss.name}, ${lambda}: ${iterative.gradientNorm}`,
        );
        const distance = norm(direct.weights.map((w, j) => w - iterative.weights[j]!));
        assert(distance <= 2 * tolerance / lambda, `they are ${distance} apart`);
      }
    }
  }
});

Deno.test("minimise() stays within gradientNorm/lambda of the minimiser when stopped early", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 0, max: 4 }),
      fc.constantFrom(...losses),
      (seed, maximumIterations, loss) => {
        const problem = problemOf(seed, { n: 12, d: 3, lambda: 0.05, loss });
        const exact = minimise(problem, { tolerance: 1e-14 });
        const early = minimise(problem, { tolerance: 1e-14, maximumIterations });
        const distance = norm(early.weights.map((w, j) => w - exact.weights[j]!));
        assert(distance <= early.gradientNorm / 0.05 + 1e-12);
      },
    ),
    { seed: 53, numRuns: 100 },
  );
});

Deno.test("minimise() finds the closed-form minimiser of one row on the flat part of the hinge", () => {
  // n = 1, x = 1, y = 1, large lambda: the slope is −1 at the minimiser, so f = 1/Λ.
  const problem: Problem = {
    rows: denseRows([[1]]),
    signs: Float64Array.of(1),
    loss: huberHinge(0.5),
    regulariser: squaredNorm,
    lambda: 5,
    quadratic: 0,
  };
  assertAlmostEquals(minimise(problem, { tolerance: 1e-14 }).weights[0]!, 1 / 5, 1e-14);
});

Deno.test("minimise() gives the same answer for sparse rows as for dense ones", () => {
  const { rows, signs } = generatedData(4, { n: 80, d: 24, zeros: 0.9 });
  const sparse = compactRows(rows);
  assertEquals(sparse.kind, "sparse");
  for (const method of ["cholesky", "conjugate-gradient"] as const) {
    const options = { tolerance: 1e-13, method };
    const shared = {
      signs,
      loss: logisticLoss,
      regulariser: squaredNorm,
      lambda: 0.01,
      quadratic: 0,
    };
    const left = minimise({ rows, ...shared }, options).weights;
    const right = minimise({ rows: sparse, ...shared }, options).weights;
    for (let j = 0; j < 24; j++) assertAlmostEquals(left[j]!, right[j]!, 1e-10);
  }
});

Deno.test("minimise() refuses to start without rows", () => {
  const problem = { ...problemOf(1, { n: 3, d: 2, lambda: 1 }), rows: denseRows([]) };
  assertThrows(() => minimise(problem, { tolerance: 1 }), RangeError, "at least 1 by 1");
});

Deno.test("minimise() reaches the default tolerance on hard cases: nearly flat, nearly a kinked hinge", () => {
  // Few rows in many columns, tiny lambda, separable or not, sharp bends: where halving crawls.
  for (const [n, d, flips] of [[50, 90, 0], [60, 40, 0.5], [100, 30, 0.1]] as const) {
    for (const loss of [logisticLoss, huberHinge(0.5), huberHinge(0.01)]) {
      for (const lambda of [1e-10, 1e-7]) {
        const { rows, signs } = generatedData(n + d, { n, d, flips });
        const problem = { rows, signs, loss, regulariser: squaredNorm, lambda, quadratic: 0 };
        const { gradientNorm } = minimise(problem, { tolerance: 0.25e-6 / n });
        assert(
          gradientNorm <= 0.25e-6 / n,
          `${loss.name}, ${n} by ${d}, ${lambda}: ${gradientNorm}`,
        );
      }
    }
  }
});

Deno.test("minimise() reaches the tolerance from nearby where equal rows make the value's rounding add up", () => {
  const n = 60_000;
  const values = Float64Array.from({ length: n }, (_, i) => i % 5 === 0 ? -0.31 : 0.73);
  const problem: Problem = {
    rows: denseRows(values, { columnCount: 1 }),
    signs: new Float64Array(n).fill(1),
    loss: huberHinge(0.5),
    regulariser: squaredNorm,
    lambda: 0.03,
    quadratic: 0,
  };
  const tolerance = 1e-6 / n / 4;
  const { weights } = minimise(problem, { tolerance });
  for (let k = 0; k < 20; k++) {
    const start = weights.map((weight) => weight + 1e-8 * Math.sin(5 * k));
    const { gradientNorm } = minimise(problem, { tolerance, start });
    assert(gradientNorm <= tolerance, `start ${k}: ${gradientNorm}`);
  }
});
