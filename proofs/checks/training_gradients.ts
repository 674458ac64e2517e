import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { preciseMove, precisePoint } from "../../lib/learners/erm/precise_point.ts";
import {
  allocateEvaluation,
  curvatureFactors,
  evaluate,
  hessian,
  type Problem,
} from "../../lib/learners/erm/problem.ts";
import { smoothElasticNet, squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import {
  add,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireNear, requireThat } from "../engine/requirement.ts";
import { generatedRows, type Parts } from "./training_sums.ts";

/** ∇J of the Huber hinge of half-width ½ with N = ½‖f‖², in fractions. */
function exactGradient(
  { table, signs, weights, lambda, quadratic, linear }: {
    table: number[][];
    signs: Float64Array;
    weights: readonly Rational[];
    lambda: number;
    quadratic: number;
    linear: Float64Array | undefined;
  },
): Rational[] {
  const one = rational(1), n = rational(table.length);
  const slope = (z: Rational): Rational => {
    const t = subtract(rational(3, 2), z);
    if (t.numerator <= 0n) return rational(0);
    return subtract(one, t).numerator <= 0n
      ? rational(-1)
      : { numerator: -t.numerator, denominator: t.denominator };
  };
  const factors = table.map((row, i) =>
    multiply(
      rational(signs[i]!),
      slope(multiply(
        rational(signs[i]!),
        row.reduce<Rational>(
          (sum, x, j) => add(sum, multiply(rational(x), weights[j]!)),
          rational(0),
        ),
      )),
    )
  );
  return weights.map((f, j) => {
    const sum = table.reduce<Rational>(
      (total, row, i) => add(total, multiply(factors[i]!, rational(row[j]!))),
      rational(0),
    );
    const mean = {
      numerator: sum.numerator * n.denominator,
      denominator: sum.denominator * n.numerator,
    };
    return add(
      add(mean, multiply(rational(lambda), f)),
      add(multiply(rational(quadratic), f), rational(linear?.[j] ?? 0)),
    );
  });
}

/** For training parts. */
export function requireGradients(
  { gradientNormBound, certifiedMinimum }: Parts,
  seed: number,
): void {
  const source = new SeededSource(seed).split("gradients");
  for (let k = 0; k < 20; k++) {
    const n = 1 + k % 7, d = 1 + k % 3;
    const [dense, sparse, table] = generatedRows(source, n, d);
    const signs = Float64Array.from({ length: n }, () => source.uint32() % 2 === 0 ? 1 : -1);
    const linear = k % 2 === 0
      ? Float64Array.from({ length: d }, () => source.uniform() - 0.5)
      : undefined;
    const problem: Problem = {
      rows: k % 4 < 2 ? dense : sparse,
      signs,
      loss: huberHinge(0.5),
      regulariser: k % 5 === 0 ? smoothElasticNet(0) : squaredNorm,
      lambda: 0.3,
      quadratic: k % 3 === 0 ? 0.2 : 0,
      ...(linear === undefined ? {} : { linear }),
    };
    const at = allocateEvaluation(problem);
    at.weights.set(Array.from({ length: d }, () => source.uniform() - 0.5));
    const exactAt = (high: Float64Array, low: Float64Array = new Float64Array(d)): Rational[] =>
      exactGradient({
        table,
        signs,
        weights: [...high].map((f, j) => add(rational(f), rational(low[j]!))),
        lambda: 0.3,
        quadratic: problem.quadratic,
        linear,
      });
    const size = (gradient: readonly Rational[]): number => Math.hypot(...gradient.map(toNumber));
    evaluate(problem, { at, scratch: new Float64Array(n) });
    const exact = exactAt(at.weights);
    at.gradient.forEach((value, j) =>
      requireNear(value, toNumber(exact[j]!), { absolute: 1e-14, what: "gradient" })
    );
    requireNear(at.gradientNorm, size(exact), { absolute: 1e-13 });
    const value = table.reduce((sum, row, i) =>
          sum + huberHinge(0.5).value(
            signs[i]! * row.reduce((z, x, j) => z + x * at.weights[j]!, 0),
          ), 0) / n +
      at.weights.reduce(
        (sum, f, j) => sum + (0.3 + problem.quadratic) * f * f / 2 + (linear?.[j] ?? 0) * f,
        0,
      );
    requireNear(at.value, value, { absolute: 1e-13, what: "J" });
    const bound = gradientNormBound(problem, at);
    requireThat(
      bound >= size(exact) && bound <= size(exact) + 3e-13,
      () => `a bound of ${bound} on ${size(exact)}`,
    );
    if (d > 1) requireCancelled(gradientNormBound, problem, { table, exactAt });
    // The Hessian by differences of exact gradients.
    const factors = new Float64Array(n), matrix = new Float64Array(d * d);
    curvatureFactors(problem, { margins: at.margins, into: factors });
    hessian(problem, { weights: at.weights, factors, into: matrix });
    for (let j = 0; j < d; j++) {
      const moved = at.weights.slice();
      moved[j]! += 2 ** -30;
      const ahead = exactAt(moved);
      for (let i = j; i < d; i++) {
        requireNear(matrix[i * d + j]!, toNumber(subtract(ahead[i]!, exact[i]!)) * 2 ** 30, {
          absolute: 1e-6,
          what: "Hessian",
        });
      }
    }
    // Points of twice the precision.
    const low = at.weights.map((f) => f * 2 ** -53 * (source.uniform() - 0.5));
    const precise = precisePoint(problem, { high: at.weights, low }),
      truth = exactAt(at.weights, low);
    precise.gradient.forEach((each, j) => {
      const off = Math.abs(toNumber(subtract(rational(each), truth[j]!)));
      requireThat(off <= 4e-16 * (Math.abs(each) + 1), () => `a precise gradient is off by ${off}`);
    });
    requireThat(
      precise.gradientNormBound >= size(truth) &&
        precise.gradientNormBound <= size(truth) * (1 + 1e-14) + 1e-13,
      "the bound of a precise point",
    );
    precise.margins.forEach((margin, i) => {
      const stated = table[i]!.reduce<Rational>(
        (sum, x, j) =>
          add(sum, multiply(rational(x), add(rational(at.weights[j]!), rational(low[j]!)))),
        rational(0),
      );
      requireNear(margin, signs[i]! * toNumber(stated), {
        relative: 3e-16,
        absolute: 1e-30,
        what: "a precise margin",
      });
    });
    const step = Float64Array.from(
        { length: d },
        () => (source.uniform() - 0.5) * 2 ** -(k % 3 === 0 ? 20 : 0),
      ),
      moved = preciseMove({ high: at.weights, low }, step);
    moved.high.forEach((high, j) => {
      const off = toNumber(
        subtract(
          add(rational(high), rational(moved.low[j]!)),
          add(add(rational(at.weights[j]!), rational(low[j]!)), rational(step[j]!)),
        ),
      );
      requireThat(Math.abs(off) <= 2 ** -100, () => `a move is off by ${off}`);
    });
    for (const tolerance of [1e-9, 1e-15]) {
      const found = certifiedMinimum(problem, { tolerance });
      const left = size(exactAt(found.weights, found.rest ?? new Float64Array(d)));
      requireThat(left <= found.gradientNormBound, "a bound at the minimum");
      if (tolerance === 1e-9) {
        requireThat(
          found.gradientNormBound <= tolerance && found.rest === undefined,
          "a tolerance that is not met",
        );
      } else requireThat(found.gradientNormBound <= 1e-12, "twice the precision");
    }
  }
}

/** Products that cancel: margins are off by more than their own rounding, and the bound must know. */
function requireCancelled(
  gradientNormBound: Parts["gradientNormBound"],
  problem: Problem,
  { table, exactAt }: {
    readonly table: readonly (readonly number[])[];
    readonly exactAt: (high: Float64Array) => Rational[];
  },
): void {
  const [first = []] = table, d = first.length;
  const at = allocateEvaluation(problem);
  // Orthogonal to the first row but for roundings, and long.
  at.weights.set([first[1]! * 1e7 / 3, -first[0]! * 1e7 / 3, ...Array<number>(d - 2).fill(1)]);
  evaluate(problem, { at, scratch: new Float64Array(table.length) });
  const exact = Math.hypot(...exactAt(at.weights).map(toNumber));
  requireThat(
    gradientNormBound(problem, at) >= exact,
    "a bound that leaves out what products lose when they cancel",
  );
}
