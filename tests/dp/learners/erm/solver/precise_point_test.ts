import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import {
  preciseMove,
  precisePoint,
} from "../../../../../lib/dp/learners/erm/solver/precise_point.ts";
import {
  smoothElasticNet,
  squaredNorm,
} from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows, sparseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import {
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../../../../lib/core/numeric/rational.ts";
import { floatNormal } from "../../../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { LAYOUTS, problemOf, ROUNDING, straight } from "./small_problems.ts";

function within(value: number, [least, most]: readonly [number, number]): void {
  assert(value >= least && value <= most, `${value} is not from ${least} to ${most}`);
}

const add = (left: Rational, right: Rational): Rational =>
  subtract(left, multiply(rational(-1), right));

const source = new SeededSource(7140);
const normals = (count: number, scale = 1): Float64Array =>
  floatNormal(source, new Float64Array(count), { scale });

// Mutants: a product without what it loses; the low parts left out; the columns of one layout in the other.
Deno.test("precisePoint() knows margins to the last bit where products cancel, dense and sparse", () => {
  for (let k = 0; k < 200; k++) {
    const [a, b, small] = normals(3);
    const low = small! * 1e-17;
    const product = a! * b!;
    // a·b − fl(a·b) + a·low.
    const exact = toNumber(
      add(
        subtract(multiply(rational(a!), rational(b!)), rational(product)),
        multiply(rational(a!), rational(low)),
      ),
    );
    const dense = denseRows([[0, 7, 0], [a!, 0, -1]]);
    const sparse = sparseRows({
      columnCount: 3,
      offsets: Int32Array.of(0, 1, 3),
      columns: Int32Array.of(1, 0, 2),
      values: Float64Array.of(7, a!, -1),
    });
    for (const rows of [dense, sparse]) {
      const { margins } = precisePoint(
        problemOf({ rows, signs: Float64Array.of(-1, -1) }),
        { high: Float64Array.of(b!, 2, product), low: Float64Array.of(low, 1e-17, 0) },
      );
      assertAlmostEquals(margins[1]!, -exact, 4 * ROUNDING * Math.abs(a! * low) + 1e-30);
      assertEquals(margins[0], -14);
    }
  }
});

Deno.test("preciseMove() adds a step to weights of two doubles, within the square of a rounding", () => {
  for (let k = 0; k < 300; k++) {
    const high = normals(3, 10 ** (k % 7 - 3)), step = normals(3);
    const low = high.map((value) => 1e-17 * value);
    const moved = preciseMove({ high, low }, step);
    high.forEach((value, j) => {
      const exact = [low[j]!, step[j]!].reduce(
        (sum, each) => add(sum, rational(each)),
        rational(value),
      );
      const found = add(rational(moved.high[j]!), rational(moved.low[j]!));
      const size = Math.abs(value) + Math.abs(step[j]!);
      assert(Math.abs(toNumber(subtract(found, exact))) <= 4 * ROUNDING ** 2 * size);
      assert(Math.abs(moved.low[j]!) <= ROUNDING * Math.abs(moved.high[j]!));
    });
  }
});

// Mutants: a regulariser's gradient or Hessian left out, or one that is added twice.
Deno.test("precisePoint() adds mean slopes, both quadratic terms and the linear one, of any regulariser", () => {
  for (const rows of LAYOUTS) {
    for (const regulariser of [squaredNorm, { ...squaredNorm }, smoothElasticNet(3)]) {
      const high = normals(4), low = high.map((value) => value * 2 ** -60), linear = normals(4);
      const signs = Float64Array.of(1, -1);
      const problem = problemOf({
        rows,
        signs,
        loss: logisticLoss,
        regulariser,
        lambda: 0.3,
        quadratic: 0.7,
        linear,
      });
      const expected = Float64Array.from(high, (value, j) => linear[j]! + 0.7 * value);
      const dense = [[3, 0, 4, 0], [0, 5, 0, -12]];
      dense.forEach((row, i) => {
        const margin = signs[i]! * row.reduce((sum, x, j) => sum + x * high[j]!, 0);
        row.forEach((x, j) => expected[j]! -= signs[i]! * x / (1 + Math.exp(margin)) / 2);
      });
      regulariser.addGradient(high, { scale: 0.3, into: expected });
      const { gradient } = precisePoint(problem, { high, low });
      gradient.forEach((value, j) => assertAlmostEquals(value, expected[j]!, 1e-13));
    }
  }
});

Deno.test("precisePoint() sees a move that is below the last bit of the weights, of any regulariser", () => {
  const high = Float64Array.of(3, 0, 0, 4),
    low = Float64Array.of(2 ** -60, 2 ** -80, 0, -(2 ** -62));
  for (const regulariser of [squaredNorm, { ...squaredNorm }]) {
    const problem = problemOf({
      regulariser,
      lambda: 96,
      quadratic: 4,
      linear: Float64Array.of(-300, 0, 0, -400),
    });
    const { gradient } = precisePoint(problem, { high, low });
    gradient.forEach((value, j) => assertAlmostEquals(value, 100 * low[j]!, 1e-28));
  }
});

Deno.test("the bound of precisePoint() covers the roundings of every part by itself, and hardly more", () => {
  const zero = new Float64Array(4);
  // Λ∇N, which a regulariser may compute within 16 roundings.
  const pulled = problemOf({
    regulariser: { ...squaredNorm },
    lambda: 100,
    linear: Float64Array.of(-300, 0, 0, -400),
  });
  const high = Float64Array.of(3, 0, 0, 4);
  const { gradientNormBound } = precisePoint(pulled, { high, low: zero });
  within(gradientNormBound / ROUNDING, [16 * 500, 40 * 500]);
  // ½‖f‖², of which nothing is lost but the square of a rounding.
  const plain = precisePoint({ ...pulled, regulariser: squaredNorm }, { high, low: zero });
  within(plain.gradientNormBound / ROUNDING ** 2, [2 * 700, 100 * 1000]);
  for (const rows of LAYOUTS) {
    // Slopes within 32 roundings, sums of up to 128 rows and products, and a quotient. The gradient is 0.
    const linear = Float64Array.of(1.5, 2.5, 2, -6);
    const flatBound = precisePoint(problemOf({ rows, linear }), { high: zero, low: zero });
    assertEquals([...flatBound.gradient], [0, 0, 0, 0]);
    within(flatBound.gradientNormBound / ROUNDING, [(32 + 130 + 1) * 9, 256 * 9]);
    // A margin of 24 that is rounded once. Slopes of a straight loss are margins.
    const at = precisePoint(
      problemOf({ rows, loss: straight, linear: Float64Array.of(-36, 0, -48, 0) }),
      { high: Float64Array.of(0, 0, 6, 0), low: zero },
    );
    assert(Math.hypot(...at.gradient) < 1e-290);
    // Norm 5, and a mass of 60.
    within(at.gradientNormBound / ROUNDING, [
      (32 + 24) * 2.5 + 32 * 6.5 + 131 * 60,
      (129 + 8 * 24) * 2.5 + 129 * 6.5 + 140 * 60,
    ]);
  }
});

Deno.test("the bound of precisePoint() covers margins that cancel, off by the square of a rounding for every column", () => {
  const d = 100, sign = (j: number): number => j % 2 === 0 ? 1 : -1;
  const values = [1, 3].map((size) => Array.from({ length: d }, (_, j) => size * sign(j)));
  const sparse = sparseRows({
    columnCount: 3 * d,
    offsets: Int32Array.of(0, d, 2 * d),
    columns: Int32Array.from({ length: 2 * d }, (_, k) => 3 * (k % d) + 2),
    values: Float64Array.from(values.flat()),
  });
  for (const rows of [denseRows(values), sparse]) {
    // Weights of the columns that rows have; the others would be seen.
    const high = Float64Array.from(
      { length: rows.columnCount },
      (_, j) => rows.kind === "dense" || j % 3 === 2 ? 1e30 : 1e40,
    );
    const problem = problemOf({ rows, loss: straight });
    const { margins, gradient, gradientNormBound } = precisePoint(problem, {
      high,
      low: new Float64Array(high.length),
    });
    assertEquals([...margins], [0, 0]);
    // Λ is 1e-300. Norms 10 and 30; Σ|xw| is 100 and 300 times 1e30.
    const parts = (100 * 10 + 300 * 30) / 2 * 1e30 * ROUNDING ** 2;
    const rest = Math.hypot(...gradient);
    within((gradientNormBound - rest) / parts, [d ** 2, 2.2 * (4 * d + 8) ** 2]);
  }
});
