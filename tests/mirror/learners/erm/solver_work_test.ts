// What the solver returns is certified afterwards, whatever its steps were. They decide how long it takes, so they are held to
// what they reach: no more steps, products or matrices than here. What does better is welcome, and lowers the numbers.
// Mutants: steps, preconditioners, methods and rules of stopping.
import { assert, assertEquals, assertThrows } from "@std/assert";
import { certifiedMinimum } from "../../../../lib/learners/erm/certified_minimum.ts";
import { conjugateGradientStep } from "../../../../lib/learners/erm/conjugate_gradient.ts";
import { huberHinge } from "../../../../lib/learners/erm/huber_hinge.ts";
import { leastAlong } from "../../../../lib/learners/erm/least_along.ts";
import { logisticLoss } from "../../../../lib/learners/erm/logistic_loss.ts";
import { choleskyStep, minimise } from "../../../../lib/learners/erm/minimise.ts";
import {
  allocateEvaluation,
  curvatureFactors,
  evaluate,
  type Problem,
} from "../../../../lib/learners/erm/problem.ts";
import { type Regulariser, squaredNorm } from "../../../../lib/learners/erm/regulariser.ts";
import { compactRows, denseRows, type Rows } from "../../../../lib/learners/erm/rows.ts";
import { generatedData } from "./generated_data.ts";

/** The squared norm, counting gradients, matrices and products that it is asked for. */
function counting(): Regulariser & { gradients: number; matrices: number; products: number } {
  return {
    ...squaredNorm,
    gradients: 0,
    matrices: 0,
    products: 0,
    addGradient(weights, target): void {
      this.gradients++;
      squaredNorm.addGradient(weights, target);
    },
    addHessian(weights, target): void {
      this.matrices++;
      squaredNorm.addHessian(weights, target);
    },
    addHessianProduct(weights, target): void {
      this.products++;
      squaredNorm.addHessianProduct(weights, target);
    },
  };
}

function problemOf(rows: Rows, signs: Float64Array, rest: Partial<Problem> = {}): Problem {
  return {
    rows,
    signs,
    loss: logisticLoss,
    regulariser: squaredNorm,
    lambda: 1e-3,
    quadratic: 0,
    ...rest,
  };
}

/** Rows along the axes, of very different lengths: their Hessian is diagonal. */
function axes(kind: "dense" | "sparse", d: number): Problem {
  const rows = Array.from(
    { length: 2 * d },
    (_, i) =>
      Array.from({ length: d }, (_, j) => j === i % d ? 2 ** (-2 * j) * (i < d ? 1 : 0.5) : 0),
  );
  const dense = denseRows(rows), signs = Float64Array.from(rows, (_, i) => i % 2 === 0 ? 1 : -1);
  return problemOf(kind === "dense" ? dense : compactRows(dense), signs, {
    lambda: 1e-6,
    quadratic: 1e-5,
  });
}

for (const kind of ["dense", "sparse"] as const) {
  Deno.test(`conjugateGradientStep() solves a diagonal Hessian of ${kind} rows by one product`, () => {
    const problem = axes(kind, 16), { rowCount: n, columnCount: d } = problem.rows;
    assertEquals(problem.rows.kind, kind);
    const factors = Float64Array.from({ length: n }, (_, i) => (1 + i % 3) / n);
    const gradient = Float64Array.from({ length: d }, (_, j) => (j % 2 === 0 ? 1 : -1) / (1 + j));
    const into = new Float64Array(d).fill(7), weights = new Float64Array(d).fill(0.1);
    const products = conjugateGradientStep(problem, {
      weights,
      gradient,
      factors,
      tolerance: 1e-12,
      maximumProducts: 9,
      into,
    });
    assertEquals(products, 1);
    for (let j = 0; j < d; j++) {
      const first = factors[j]! * 2 ** (-4 * j), second = factors[j + d]! * 2 ** (-4 * j) / 4;
      const exact = -gradient[j]! / (first + second + 1e-6 + 1e-5);
      assert(Math.abs(into[j]! - exact) <= 1e-11 * Math.abs(exact), `${j}: ${into[j]} ${exact}`);
    }
  });
}

Deno.test("conjugateGradientStep() takes d products at most where rounding allows, and no more than it may", () => {
  const { rows, signs } = generatedData(31, { n: 50, d: 8 });
  const problem = problemOf(rows, signs, { quadratic: 0.01 });
  const point = allocateEvaluation(problem), factors = new Float64Array(50);
  evaluate(problem, { at: point, scratch: new Float64Array(50) });
  curvatureFactors(problem, { margins: point.margins, into: factors });
  const solve = (tolerance: number, maximumProducts: number): [number, number] => {
    const into = new Float64Array(8), { weights, gradient } = point;
    const products = conjugateGradientStep(problem, {
      weights,
      gradient,
      factors,
      tolerance,
      maximumProducts,
      into,
    });
    const matrix = new Float64Array(64), step = new Float64Array(8);
    choleskyStep(problem, { at: point, scratch: factors, matrix, step });
    return [
      products,
      Math.hypot(...into.map((value, j) => value - step[j]!)) / Math.hypot(...step),
    ];
  };
  const [products, off] = solve(1e-14, 99);
  assert(products <= 9 && off < 1e-12, `${products} ${off}`);
  for (const most of [0, 1, 2, 5]) assertEquals(solve(1e-14, most)[0], most);
  assertEquals(solve(point.gradientNorm, 9)[0], 0);
});

// Newton's method ends in few steps; how many matrices or products they took is what the regulariser was asked for.
Deno.test("minimise() takes no more steps, matrices and products than it did", () => {
  for (
    const [seed, n, d, lambda, loss, method, most] of [
      [2, 60, 5, 1e-2, logisticLoss, "cholesky", [4, 4, 0, 5]],
      [2, 60, 5, 1e-6, logisticLoss, "cholesky", [5, 5, 0, 6]],
      [3, 200, 12, 1e-4, huberHinge(0.1), "cholesky", [9, 9, 0, 258]],
      [2, 60, 5, 1e-2, logisticLoss, "conjugate-gradient", [5, 0, 12, 6]],
      [2, 60, 5, 1e-6, logisticLoss, "conjugate-gradient", [6, 0, 14, 7]],
      [4, 300, 40, 1e-4, logisticLoss, "conjugate-gradient", [6, 0, 29, 7]],
      [3, 200, 12, 1e-4, huberHinge(0.1), "conjugate-gradient", [11, 0, 57, 260]],
    ] as const
  ) {
    const { rows, signs } = generatedData(seed, { n, d }), regulariser = counting();
    const norms: number[] = [];
    const problem = problemOf(rows, signs, { lambda, loss, regulariser });
    const found = minimise(problem, {
      tolerance: 1e-10,
      method,
      onIteration: (gradientNorm) => norms.push(gradientNorm),
    });
    const { gradients, matrices, products } = regulariser;
    assert(found.gradientNorm <= 1e-10);
    assertEquals([norms.length, norms.at(-1)], [found.iterations, found.gradientNorm]);
    const took = [found.iterations, matrices, products, gradients];
    assert(took.every((count, k) => count <= most[k]!), `${seed} ${method}: ${took}`);
    // From where it ended there is nothing to do, and a limit is kept.
    assertEquals(
      minimise(problem, { tolerance: 1e-10, method, start: found.weights }).iterations,
      0,
    );
    assertEquals(
      minimise(problem, { tolerance: 1e-10, method, maximumIterations: 2 }).iterations,
      2,
    );
  }
});

// A matrix costs n·d²/2 + d³/6, a product 2n·d + d, of which a step takes some twenty.
Deno.test("minimise() forms the Hessian where that costs less than twenty products with it, or has 20 columns", () => {
  const formsMatrix = (rows: Rows): boolean => {
    const regulariser = counting();
    const signs = Float64Array.from({ length: rows.rowCount }, (_, i) => i % 2 === 0 ? 1 : -1);
    minimise(problemOf(rows, signs, { regulariser, lambda: 0.1 }), {
      tolerance: 1e-6,
      maximumIterations: 1,
    });
    assert((regulariser.matrices > 0) !== (regulariser.products > 0));
    return regulariser.matrices > 0;
  };
  const dense = (n: number, d: number): Rows => generatedData(5, { n, d }).rows;
  // 10 rows: 5d² + d³/6 ≤ 420d up to d = 37. 60 rows: 30d² + d³/6 ≤ 2420d up to d = 60.
  assert(formsMatrix(dense(10, 37)) && !formsMatrix(dense(10, 38)));
  assert(formsMatrix(dense(60, 60)) && !formsMatrix(dense(60, 61)));
  /** Each row with `stored` values. */
  const sparse = (n: number, d: number, stored: number): Rows =>
    compactRows(denseRows(
      Array.from({ length: n }, (_, i) =>
        Array.from({ length: d }, (_, j) => (j + d - i % d) % d < stored ? 0.1 : 0)),
    ));
  // s of d stored: n·s²/2 + d³/6 ≤ 20(2n·s + d); but 20 columns whatever it costs.
  for (const [n, stored, most] of [[40, 3, 31], [20, 8, 33], [1, 1, 20]] as const) {
    assertEquals(sparse(n, most, stored).kind, "sparse");
    assert(formsMatrix(sparse(n, most, stored)) && !formsMatrix(sparse(n, most + 1, stored)));
  }
});

// Two columns that are one, and a convexity below a rounding: the last pivot is 0 or less. The ridge is 1e-14, then ten times that
// and so on: larger rows need more of it. Mutants: none, a first one that is larger, one that does not grow, or on one place alone.
Deno.test("choleskyStep() adds a ridge of 1e-14, or the next power of ten, where a pivot is lost to rounding", () => {
  const matricesOf: number[] = [];
  for (const scale of [1, 100, 3000]) {
    for (const places of [[0, 1, 2], [2, 1, 0]]) {
      const regulariser = counting();
      const rows = [[0.3, 0.3, 0.1], [0.7, 0.7, -0.2]].map((row) =>
        places.map((j) => row[j]! * scale)
      );
      const problem = problemOf(denseRows(rows), Float64Array.of(1, -1), {
        lambda: 1e-18,
        regulariser,
      });
      const step = new Float64Array(3), gradient = Float64Array.of(0.1, 0.1, -0.05);
      const at = {
        weights: new Float64Array(3),
        gradient: gradient.map((_, j) => gradient[places[j]!]!),
      };
      const scratch = Float64Array.of(0.5, 0.5), matrix = new Float64Array(9);
      choleskyStep(problem, { at, scratch, matrix, step });
      const slope = step.reduce((sum, value, j) => sum + value * at.gradient[j]!, 0);
      assert(slope < 0 && step.every(Number.isFinite), `${step}`);
      matricesOf.push(regulariser.matrices);
    }
  }
  assertEquals(matricesOf, [2, 1, 4, 1, 7, 7]);
});

Deno.test("leastAlong() is where the slope along a step changes its sign, to 1e-15 of it", () => {
  const { rows, signs } = generatedData(6, { n: 20, d: 3 });
  for (const [quadratic, size] of [[0, 1], [0.5, 1], [0.5, 1e-4], [0.01, 1e4]] as const) {
    const problem = problemOf(rows, signs, { quadratic, linear: Float64Array.of(0.1, 0, -0.1) });
    const from = allocateEvaluation(problem), scratch = new Float64Array(20);
    from.weights.set([0.2, -0.1, 0.3]);
    evaluate(problem, { at: from, scratch });
    const step = from.gradient.map((value) => -value * size);
    const length = leastAlong(step, { problem, from });
    const slopeAt = (at: number): number => {
      const there = allocateEvaluation(problem);
      there.weights.set(from.weights.map((value, j) => value + at * step[j]!));
      evaluate(problem, { at: there, scratch });
      return there.gradient.reduce((sum, value, j) => sum + value * step[j]!, 0);
    };
    const least = slopeAt(0);
    assert(least < 0 && Math.abs(slopeAt(length)) <= 1e-12 * -least, `${slopeAt(length)} ${least}`);
  }
});

// Rows that are told apart, with a convexity that a double can hardly hold: from 0 the first step is far too long. Where no point
// is as good as is asked, all ways are gone to their ends: twice the digits, and convexity that is added and falls.
Deno.test("certifiedMinimum() takes just as many matrices, to its tolerance or to what rounding leaves", () => {
  for (
    const [n, d, lambda, quadratic, tolerance, matrices, bound] of [
      [40, 4, 1e-3, 0, 1e-10, 7, 1e-10],
      [40, 4, 1e-3, 0, 9.9e-15, 8, 9.9e-15],
      [40, 4, 1e-3, 0, 9.78e-15, 8, 9.78e-15],
      [6, 2, 1e-9, 0, 6.8e-15, 20, 6.8e-15],
      [6, 2, 1e-9, 1e-10, 6.8e-15, 20, 6.8e-15],
      [6, 2, 1e-12, 0, 6.8e-15, 26, 6.8e-15],
      [40, 4, 1e-3, 0, 1e-17, 109, 9.771e-15],
      [6, 2, 1e-12, 0, 1e-15, 141, 6.734e-15],
      [3, 1, 1e-13, 0, 1e-16, 150, 7.873e-15],
      [3, 1, 1e-13, 1e-13, 1e-16, 148, 7.873e-15],
    ] as const
  ) {
    const { rows, signs } = generatedData(7, { n, d, flips: 0 }), regulariser = counting();
    let steps = 0;
    const found = certifiedMinimum(problemOf(rows, signs, { lambda, quadratic, regulariser }), {
      tolerance,
      onIteration: () => steps++,
    });
    assert(found.gradientNormBound <= bound, `${found.gradientNormBound}`);
    assertEquals(regulariser.matrices, matrices);
    assert(steps > 0);
  }
});

// Mutants: never factored after all, whatever the products; factored though a method was asked for.
Deno.test("minimise() factors after all where a step takes twice as many products as there are columns", () => {
  const d = 61, n = 60, { rows: plain, signs } = generatedData(8, { n, d });
  const rows = denseRows(plain.values.map((value, k) => value * 2 ** -Math.floor(k / d / 3)), {
    columnCount: d,
  });
  const run = (method?: "conjugate-gradient"): ReturnType<typeof counting> => {
    const regulariser = counting();
    minimise(problemOf(rows, signs, { lambda: 1e-12, regulariser }), {
      tolerance: 1e-18,
      maximumIterations: 40,
      ...(method === undefined ? {} : { method }),
    });
    return regulariser;
  };
  const free = run(), asked = run("conjugate-gradient");
  assert(free.products <= 281 && free.matrices <= 15, `${free.products} ${free.matrices}`);
  assert(free.products >= 2 * d && free.matrices > 0);
  assert(asked.matrices === 0 && asked.products > 1000, `${asked.products}`);
});

Deno.test("minimise() refuses rows without columns, and no rows", () => {
  const none = { kind: "dense", values: new Float64Array(0) } as const;
  for (const [rowCount, columnCount] of [[0, 2], [2, 0]] as const) {
    assertThrows(
      () =>
        minimise(problemOf({ ...none, rowCount, columnCount }, new Float64Array(rowCount)), {
          tolerance: 1,
        }),
      RangeError,
      "at least 1 by 1",
    );
  }
});
