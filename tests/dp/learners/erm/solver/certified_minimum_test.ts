import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { leastTolerance } from "../../../../../lib/dp/learners/erm/noise/calibration.ts";
import { certifiedMinimum } from "../../../../../lib/dp/learners/erm/solver/certified_minimum.ts";
import { fit } from "../../../../../lib/dp/learners/erm/fit.ts";
import { gradientNormBound } from "../../../../../lib/dp/learners/erm/solver/gradient_bound.ts";
import { huberHinge } from "../../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../../../lib/dp/learners/erm/solver/minimise.ts";
import { precisePoint } from "../../../../../lib/dp/learners/erm/solver/precise_point.ts";
import { prepareRows } from "../../../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import { allocateEvaluation, evaluate } from "../../../../../lib/dp/learners/erm/solver/problem.ts";
import {
  smoothElasticNet,
  squaredNorm,
} from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { requireSolvable } from "../../../../../lib/dp/learners/erm/solver/require_solvable.ts";
import { compactRows, denseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { smoothedHinge } from "../../../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import {
  sumRoundingBound,
  WeightedRowSum,
} from "../../../../../lib/dp/learners/erm/solver/weighted_row_sum.ts";
import { calibrationOf } from "../../../../../lib/dp/learners/erm/training_options.ts";
import { vectorNoise } from "../../../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { floatNormal } from "../../../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { exactHuberGradientNorm, longGradientNorm, type MemoryProblem } from "../exact_gradient.ts";
import { LONG } from "../../../../long.ts";

Deno.test("certifiedMinimum() bounds the exact gradient by the tolerance at a million rows, for both sizes of lambda", () => {
  // Equal rows, labels one after the other: plain sums lose the same digit a million times.
  const n = 1e6, d = 2, normBound = 1;
  const rows = denseRows(
    Float64Array.from({ length: n * d }, (_, i) => i % d === 0 ? 0.73 : 0.31),
    {
      columnCount: d,
    },
  );
  const signs = Float64Array.from({ length: n }, (_, i) => i < 0.6 * n ? 1 : -1);
  const source = new SeededSource(7120);
  for (let draw = 0; draw < (LONG ? 12 : 2); draw++) {
    const options = { epsilon: 1, lambda: draw % 2 === 0 ? 1e-3 : 1e-6, normBound };
    const { noise, tolerance, quadratic } = calibrationOf(options, { rowCount: n });
    assert(noise.kind === "exponential-norm");
    const problem: MemoryProblem = {
      rows,
      signs,
      loss: logisticLoss,
      regulariser: squaredNorm,
      lambda: options.lambda,
      quadratic,
      linear: vectorNoise(source.split(draw), new Float64Array(d), noise).map((b) => b / n),
    };
    const { weights, rest, gradientNormBound } = certifiedMinimum(problem, { tolerance });
    assertEquals([tolerance, rest], [1e-12, undefined]);
    const exact = longGradientNorm(problem, weights);
    assert(gradientNormBound <= tolerance, `draw ${draw}: bound ${gradientNormBound}`);
    assert(exact <= gradientNormBound, `draw ${draw}: ${exact} above ${gradientNormBound}`);
  }
});

/** Problems small enough for whole numbers, with more rows than are added plainly. */
const problems = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  n: fc.integer({ min: 1, max: 300 }),
  d: fc.integer({ min: 1, max: 20 }),
  h: fc.double({ min: -4, max: 1, noNaN: true }).map((power) => 10 ** power),
  lambda: fc.double({ min: -8, max: 1, noNaN: true }).map((power) => 10 ** power),
  size: fc.double({ min: -3, max: 4, noNaN: true }).map((power) => 10 ** power),
  tilt: fc.double({ min: -3, max: 6, noNaN: true }).map((power) => 10 ** power),
}).map(({ seed, n, d, h, lambda, size, tilt }) => {
  const source = new SeededSource(seed).split("certificate");
  const values = floatNormal(source, new Float64Array(n * d), { scale: 1 / Math.sqrt(d) })
    .map((value) => source.uniform() < 0.5 ? 0 : value);
  const problem: MemoryProblem = {
    rows: denseRows(values, { columnCount: d }),
    signs: Float64Array.from({ length: n }, () => source.uniform() < 0.4 ? 1 : -1),
    loss: huberHinge(h),
    regulariser: squaredNorm,
    lambda,
    quadratic: source.uniform() < 0.5 ? 0 : 0.1 * lambda,
    linear: floatNormal(source, new Float64Array(d), { scale: tilt / n }),
  };
  return { problem, h, weights: floatNormal(source, new Float64Array(d), { scale: size }) };
});

Deno.test("gradientNormBound() is above the exact gradient's norm, in whole numbers, and hardly more", () => {
  fc.assert(
    fc.property(problems, ({ problem, h, weights: anywhere }) => {
      // At a minimum in doubles all that is left of the gradient is rounding.
      const minimum = minimise(problem, { tolerance: 0, maximumIterations: 30 }).weights;
      for (const weights of [anywhere, minimum]) {
        const exact = exactHuberGradientNorm(problem, { high: weights, h });
        for (const rows of [problem.rows, compactRows(problem.rows)]) {
          const at = allocateEvaluation(problem);
          at.weights.set(weights);
          evaluate({ ...problem, rows }, { at, scratch: new Float64Array(rows.rowCount) });
          const bound = gradientNormBound({ ...problem, rows }, at);
          assert(exact <= bound, `${exact} above ${bound}`);
        }
        const { gradientNormBound: precise } = precisePoint(problem, {
          high: weights,
          low: new Float64Array(weights.length),
        });
        assert(exact <= precise, `${exact} above ${precise}`);
        assert(precise <= exact * (1 + 1e-12) + 0.1 * leastTolerance({ ...problem, normBound: 4 }));
      }
    }),
    { seed: 7121, numRuns: LONG ? 300 : 150 },
  );
});

Deno.test("gradientNormBound() covers the terms that cancel without any row", () => {
  const source = new SeededSource(7124);
  for (let k = 0; k < 200; k++) {
    const weights = Float64Array.of(source.uniform()), quadratic = source.uniform();
    const problem: MemoryProblem = {
      rows: denseRows([[0]]),
      signs: Float64Array.of(1),
      loss: huberHinge(0.5),
      regulariser: squaredNorm,
      lambda: 1e-30,
      quadratic,
      linear: Float64Array.of(-quadratic * weights[0]!),
    };
    const at = allocateEvaluation(problem);
    at.weights.set(weights);
    evaluate(problem, { at, scratch: new Float64Array(1) });
    const exact = exactHuberGradientNorm(problem, { high: weights, h: 0.5 });
    assert(exact <= gradientNormBound(problem, at), `${exact}`);
  }
});

Deno.test("certifiedMinimum() reaches the least tolerance where doubles are too coarse for weights, exactly", () => {
  fc.assert(
    fc.property(problems, ({ problem, h }) => {
      const { loss, lambda } = problem;
      fc.pre(loss.curvatureBound <= 1e11 * lambda);
      const tolerance = leastTolerance({ loss, normBound: 4 });
      const found = certifiedMinimum(problem, { tolerance });
      assert(found.gradientNormBound <= tolerance, `${found.gradientNormBound} of ${tolerance}`);
      const exact = exactHuberGradientNorm(problem, {
        high: found.weights,
        low: found.rest,
        h,
      });
      assert(exact <= found.gradientNormBound, `${exact} above ${found.gradientNormBound}`);
    }),
    { seed: 7122, numRuns: LONG ? 150 : 75 },
  );
});

Deno.test("certifiedMinimum() reaches the default tolerance for every option that fit() takes", () => {
  const power = (min: number, max: number): fc.Arbitrary<number> =>
    fc.double({ min, max, noNaN: true }).map((exponent) => 10 ** exponent);
  let solved = 0;
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.integer({ min: 1, max: 1e6 }),
        n: power(0, 3).map(Math.floor),
        d: power(0, 1.5).map(Math.floor),
        normBound: power(-4, 4),
        lambda: power(-12, 2),
        epsilon: power(-6, 1.69),
        h: power(-4, 1),
        shape: fc.constantFrom(logisticLoss, huberHinge, smoothedHinge),
        perturbation: fc.constantFrom("output" as const, "objective" as const),
        regulariser: fc.constantFrom(squaredNorm, smoothElasticNet(1)),
        rowKind: fc.constantFrom("normal", "equal", "one column"),
        separable: fc.boolean(),
      }),
      ({ seed, n, d, shape, h, rowKind, separable, ...rest }) => {
        const loss = typeof shape === "function" ? shape(h) : shape;
        const { normBound, perturbation, regulariser } = rest;
        const options = { ...rest, loss, lambda: rest.lambda * normBound ** 2 };
        const calibration = calibrationOf(options, { rowCount: n });
        try {
          requireSolvable(calibration, options);
        } catch {
          return;
        }
        const source = new SeededSource(seed).split("options");
        const values = floatNormal(source, new Float64Array(n * d), {
          scale: 2 * normBound / Math.sqrt(d),
        });
        if (rowKind === "equal") values.forEach((_, i) => values[i] = values[i % d]!);
        if (rowKind === "one column") {
          values.fill(0);
          for (let i = 0; i < n; i++) values[i * d + source.uint32() % d] = normBound;
        }
        const { noise, quadratic, tolerance } = calibration;
        assert(noise.kind === "exponential-norm");
        const linear = vectorNoise(source, new Float64Array(d), noise).map((b) => b / n);
        const problem: MemoryProblem = {
          rows: prepareRows(denseRows(values, { columnCount: d }), { normBound }),
          signs: Float64Array.from(
            { length: n },
            (_, i) => (separable ? values[i * d]! > 0 : source.uniform() < 0.4) ? 1 : -1,
          ),
          loss,
          regulariser,
          lambda: options.lambda,
          quadratic,
          ...(perturbation === "objective" ? { linear } : {}),
        };
        const found = certifiedMinimum(problem, { tolerance });
        assert(found.gradientNormBound <= tolerance, `${found.gradientNormBound} of ${tolerance}`);
        solved++;
      },
    ),
    { seed: 7123, numRuns: 300 },
  );
  assert(solved > 200, `only ${solved} were solved`);
});

Deno.test("fit() refuses options with which the solver might not end, before the budget is asked", () => {
  const budget = {
    spend(): void {
      throw new Error("the budget was asked");
    },
  };
  const rows = denseRows([[1, 0], [0, 1], [1, 1]]), labels = [1, -1, 1];
  const base = { epsilon: 1, lambda: 0.1, normBound: 1, budget };
  const refused = [
    [{ tolerance: 1e-14 }, "tolerance must be at least"],
    [{ lambda: 1e-13, perturbation: "output" }, "lambda must be at least"],
    [{ lambda: 1e-13, epsilon: 60 }, "lambda must be at least"],
    [{ normBound: 1e200 }, "must be"],
    [{ normBound: 1e-200, lambda: 1e-300 }, "must be"],
  ] as const;
  for (const [options, message] of refused) {
    assertThrows(() => fit(rows, labels, { ...base, ...options }), RangeError, message);
  }
});

Deno.test("WeightedRowSum is as exact as it says at 200,000 rows, dense and sparse, where plain sums are not", () => {
  const n = 200_000, columnCount = 20;
  const values = new Float64Array(n * columnCount);
  for (let i = 0; i < n; i++) values[i * columnCount + i % 2] = 0.1;
  const factors = new Float64Array(n).fill(0.7);
  const dense = denseRows(values, { columnCount });
  const expected = Number(BigInt(n / 2) * BigInt(0.7 * 0.1 * 2 ** 60)) / 2 ** 60;
  for (const rows of [dense, compactRows(dense)]) {
    const into = new Float64Array(columnCount);
    const sum = new WeightedRowSum(rows, { into });
    sum.add(rows, factors);
    sum.end();
    assertAlmostEquals(into[0]!, expected, expected * sumRoundingBound(rows));
    assertAlmostEquals(into[1]!, expected, expected * sumRoundingBound(rows));
  }
  let plain = 0;
  for (let i = 0; i < n / 2; i++) plain += 0.7 * 0.1;
  assert(Math.abs(plain - expected) > expected * sumRoundingBound(dense));
});
