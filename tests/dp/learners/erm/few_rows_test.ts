import { assert, assertEquals } from "@std/assert";
import { leastTolerance } from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import { certifiedMinimum } from "../../../../lib/dp/learners/erm/solver/certified_minimum.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { precisePoint } from "../../../../lib/dp/learners/erm/solver/precise_point.ts";
import { squaredNorm } from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { floatNormal } from "../../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { exactHuberGradientNorm, type MemoryProblem } from "./exact_gradient.ts";

/** A problem of up to six rows, with Λ near 1e-12 of the curvature. */
function fewRows(seed: number): { readonly problem: MemoryProblem; readonly h: number } {
  const source = new SeededSource(seed).split("few rows");
  const power = (min: number, max: number): number => 10 ** (min + (max - min) * source.uniform());
  const n = 1 + source.uint32() % 6, d = 1 + source.uint32() % 4, h = power(-2, 0.5);
  const loss = huberHinge(h);
  const values = floatNormal(source, new Float64Array(n * d), { scale: 0.4 });
  for (let i = 0; i < n; i++) if (source.uniform() < 0.3) values.fill(0, i * d, (i + 1) * d);
  const problem: MemoryProblem = {
    rows: denseRows(values, { columnCount: d }),
    signs: Float64Array.from({ length: n }, () => source.uniform() < 0.4 ? 1 : -1),
    loss,
    regulariser: squaredNorm,
    lambda: loss.curvatureBound * power(-12, -10.5),
    quadratic: 0,
    linear: floatNormal(source, new Float64Array(d), { scale: power(-9, -3) }),
  };
  return { problem, h };
}

/** Of the first 9,714 problems, those that Newton steps alone do not solve. */
// deno-fmt-ignore
const STUCK = [
  68, 338, 1656, 1840, 2299, 2774, 3106, 3128, 3255, 3831, 3922, 4026, 4389, 5497, 5661, 5678, 5806, 6574, 6863,
  7406, 7891, 8047, 8426, 8510, 8816, 9133, 9242, 9376, 9709, 9714,
];

// Mutants: no second search; convexity that is added and stays; weights without their rest.
Deno.test("certifiedMinimum() finds the minimum of few rows with a tiny lambda, exactly", () => {
  for (const seed of [...STUCK, ...Array.from({ length: 100 }, (_, k) => k)]) {
    const { problem, h } = fewRows(seed);
    const tolerance = leastTolerance({ loss: problem.loss, normBound: 1 });
    const { weights, rest, gradientNormBound } = certifiedMinimum(problem, { tolerance });
    assert(gradientNormBound <= tolerance, `${gradientNormBound} of ${tolerance} at ${seed}`);
    const exact = exactHuberGradientNorm(problem, { high: weights, low: rest, h });
    assert(exact <= gradientNormBound, `${exact} above ${gradientNormBound} at ${seed}`);
  }
});

// Mutants: conjugate gradients of no or two products; a step that is not taken; factoring beyond what memory holds.
Deno.test("certifiedMinimum() refines the weights of 4,100 columns, more than are factored", () => {
  const source = new SeededSource(7130), n = 40, d = 4100, h = 0.5;
  const problem: MemoryProblem = {
    rows: denseRows(floatNormal(source, new Float64Array(n * d), { scale: 1 / Math.sqrt(d) }), {
      columnCount: d,
    }),
    signs: Float64Array.from({ length: n }, (_, i) => i % 3 === 0 ? -1 : 1),
    loss: huberHinge(h),
    regulariser: squaredNorm,
    lambda: 1e-7,
    quadratic: 0,
    linear: floatNormal(source, new Float64Array(d), { scale: 0.1 }),
  };
  const tolerance = leastTolerance({ loss: problem.loss, normBound: 2 });
  const { weights, rest, gradientNormBound } = certifiedMinimum(problem, { tolerance });
  assert(rest !== undefined && gradientNormBound <= tolerance, `${gradientNormBound}`);
  // Without their rest the weights are too coarse.
  const zero = new Float64Array(d);
  const coarse = precisePoint(problem, { high: weights, low: zero }).gradientNormBound;
  assert(coarse > tolerance, `${coarse} of ${tolerance}`);
  const again = certifiedMinimum(problem, { tolerance, start: weights });
  assertEquals(again.gradientNormBound <= tolerance, true);
});
