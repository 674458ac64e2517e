import { assert, assertEquals } from "@std/assert";
import { certifiedMinimum } from "../../../../../lib/dp/learners/erm/solver/certified_minimum.ts";
import { gradientNormBound } from "../../../../../lib/dp/learners/erm/solver/gradient_bound.ts";
import { huberHinge } from "../../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { allocateEvaluation } from "../../../../../lib/dp/learners/erm/solver/problem.ts";
import { denseRows, sparseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { exactHuberGradientNorm, type MemoryProblem } from "../exact_gradient.ts";
import { LAYOUTS, problemOf, ROUNDING, straight } from "./small_problems.ts";

/** The bound in roundings, where the computed gradient is 0 and margins are as told. */
function boundOf(
  problem: MemoryProblem,
  { weights, margins }: { weights: readonly number[]; margins?: readonly number[] },
): number {
  const at = allocateEvaluation(problem);
  at.weights.set(weights);
  at.margins.set(margins ?? []);
  at.gradient.fill(0);
  return gradientNormBound(problem, at) / ROUNDING;
}

function within(value: number, [least, most]: readonly [number, number]): void {
  assert(value >= least && value <= most, `${value} is not from ${least} to ${most}`);
}

Deno.test("gradientNormBound() covers the roundings of every part by itself, and hardly more", () => {
  const weights = [3, 0, 0, 4];
  // ½Δ‖f‖²: a product and two additions; the same of the linear part.
  within(boundOf(problemOf({ quadratic: 7 }), { weights }), [4 * 35, 16 * 35]);
  const linear = Float64Array.of(0, 30, 40, 0);
  within(boundOf(problemOf({ linear }), { weights }), [4 * 50, 16 * 50]);
  within(boundOf(problemOf({ linear, quadratic: 7 }), { weights }), [4 * 85, 16 * 85]);
  // Λ∇N, which a regulariser may compute within 16 roundings.
  within(boundOf(problemOf({ lambda: 100 }), { weights }), [16 * 500, 40 * 500]);
  for (const rows of LAYOUTS) {
    // Slopes within 32 roundings, and sums of up to 128 rows.
    within(boundOf(problemOf({ rows }), { weights: [0, 0, 0, 0] }), [(32 + 128) * 9, 256 * 9]);
  }
});

Deno.test("gradientNormBound() covers margins that are off by a rounding for every column", () => {
  const d = 100, signs = (i: number): number => i % 2 === 0 ? 1 : -1;
  const values = [1, 3].map((size) => Array.from({ length: d }, (_, j) => size * signs(j)));
  const dense = denseRows(values);
  const sparse = sparseRows({
    columnCount: 3 * d,
    offsets: Int32Array.of(0, d, 2 * d),
    columns: Int32Array.from({ length: 2 * d }, (_, k) => 3 * (k % d) + 2),
    values: Float64Array.from(values.flat()),
  });
  for (const scale of [1e-4, 1e6]) {
    for (const rows of [dense, sparse]) {
      // Weights of the columns that rows have; the others would be seen.
      const weights = Array.from(
        { length: rows.columnCount },
        (_, j) => rows.kind === "dense" ? scale : j % 3 === 2 ? scale : 1e9 * scale,
      );
      const bound = boundOf(problemOf({ rows, loss: straight }), { weights, margins: [0, 0] });
      // Norms 10 and 30; Σ|xw| is 100 and 300 times the scale. A slope is within 64 roundings besides.
      const parts = (perColumn: number, slope: number): number =>
        (perColumn * 100 * scale + slope) * 10 / 2 + (perColumn * 300 * scale + slope) * 30 / 2;
      within(bound, [parts(d, 64), parts(d + 4, 129)]);
    }
  }
});

Deno.test("gradientNormBound() covers the rounding of the norm itself", () => {
  const d = 1000;
  const problem = problemOf({ rows: denseRows(new Float64Array(d), { columnCount: d }) });
  const at = allocateEvaluation(problem);
  at.gradient.fill(0.1);
  const norm = 0.1 * Math.sqrt(d);
  within((gradientNormBound(problem, at) / norm - 1) / ROUNDING, [d / 2, d + 200]);
  // A square and a root are 1.5 roundings, of one number too.
  const one = problemOf({ rows: denseRows([[0]]) });
  const single = allocateEvaluation(one);
  single.gradient[0] = 0.5;
  within((gradientNormBound(one, single) / 0.5 - 1) / ROUNDING, [2, 20]);
});

Deno.test("gradientNormBound() is above 0 where products are too small for doubles, and hardly", () => {
  const weights = [1e-200, 0, 0, 0];
  within(boundOf(problemOf({ lambda: 1e-200, quadratic: 1e-200 }), { weights }), [1e-290, 1e-200]);
});

const small: MemoryProblem = problemOf({
  rows: denseRows([[0.8, -0.6], [0.1, 0.9], [-0.5, -0.5]]),
  signs: Float64Array.of(1, -1, 1),
  loss: huberHinge(0.5),
  lambda: 0.1,
  linear: Float64Array.of(0.03, -0.2),
});

// Mutants: the point is not evaluated; the weights of another point are; doubles are never enough.
Deno.test("certifiedMinimum() in doubles certifies the point that it returns, exactly", () => {
  for (const tolerance of [1, 1e-3, 1e-12]) {
    const { weights, rest, gradientNormBound } = certifiedMinimum(small, { tolerance });
    assertEquals(rest, undefined);
    const exact = exactHuberGradientNorm(small, { high: weights, h: 0.5 });
    within(gradientNormBound, [exact, Math.min(tolerance, exact * (1 + 1e-12) + 1e-13)]);
  }
});
