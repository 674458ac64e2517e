import { calibrateObjective, calibrateOutput } from "../../lib/learners/erm/calibration.ts";
import { factorCholesky, logDeterminant, solveCholesky } from "../../lib/learners/erm/cholesky.ts";
import { certifiedMinimum } from "../../lib/learners/erm/certified_minimum.ts";
import { clipRows } from "../../lib/learners/erm/clip_rows.ts";
import { gradientNormBound } from "../../lib/learners/erm/gradient_bound.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import type { Loss } from "../../lib/learners/erm/loss.ts";
import { preciseMove, precisePoint } from "../../lib/learners/erm/precise_point.ts";
import { preparedNormBound, prepareRows } from "../../lib/learners/erm/prepare_rows.ts";
import {
  allocateEvaluation,
  curvatureFactors,
  evaluate,
  hessian,
  type Problem,
} from "../../lib/learners/erm/problem.ts";
import {
  type Regulariser,
  smoothElasticNet,
  squaredNorm,
} from "../../lib/learners/erm/regulariser.ts";
import { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { requireRegulariser } from "../../lib/learners/erm/require_regulariser.ts";
import {
  addWeightedOuterProducts,
  addWeightedRows,
  computeMargins,
} from "../../lib/learners/erm/row_kernels.ts";
import { denseRows, type Rows, sparseRows } from "../../lib/learners/erm/rows.ts";
import { smoothedHinge } from "../../lib/learners/erm/smoothed_hinge.ts";
import { sumRoundingBound, sumWeightedRows } from "../../lib/learners/erm/sum_weighted_rows.ts";
import { withIntercept } from "../../lib/learners/erm/with_intercept.ts";
import {
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
  requireLoss,
  requireRegulariser,
  computeMargins,
  sumWeightedRows,
  factorCholesky,
  gradientNormBound,
  certifiedMinimum,
  calibrateOutput,
  calibrateObjective,
  clipRows,
};
type Parts = typeof shipped;

/** The sum of two fractions. */
function add(a: Rational, b: Rational): Rational {
  return subtract(a, { numerator: -b.numerator, denominator: b.denominator });
}

/** What training is built of. */
export const trainingParts = theorem<Parts>({
  id: "erm/training_parts",
  statement:
    "What empirical risk minimisation is built of is what the theorems on it assume: losses and regularisers with the derivatives and bounds that they state, others refused; rows held to their norm; margins, sums and gradients beside exact fractions; a bound on " +
    "‖∇J‖ that is not below it, and a minimum that meets its tolerance; noise and slack as the two algorithms have them.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Algorithms 1 and 2; Kifer, Smith, Thakurta 2012; Ogita, Rump, Oishi 2005 on exact products",
  source: "lib/learners/erm",
  kind: "sampled",
  checked:
    "five losses at 400 margins; fourteen broken losses and seven broken regularisers; dense and sparse rows of 1 to 300 by 1 to 7; exact gradients of the Huber hinge on 20 problems in fractions; calibrations at 12 settings",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "losses": requireLosses,
      "losses and regularisers that are refused": () => requireRefusals(of),
      "sums over rows": () => requireSums(of, seed),
      "rows in bounds": () => requireRows(of, seed),
      "Cholesky factors": () => requireCholesky(of.factorCholesky, seed),
      "gradients and their bound": () => requireGradients(of, seed),
      "calibrations": () => requireCalibrations(of),
    }),
  mutants: {
    "losses with a slope of −1.5 are taken": {
      ...shipped,
      requireLoss: (loss) => loss.slope(-50) < -1 ? undefined : requireLoss(loss),
    },
    "margins without their sign": {
      ...shipped,
      computeMargins: (rows, options) =>
        computeMargins(rows, { ...options, signs: options.signs.map(Math.abs) }),
    },
    "a bound of nine tenths": {
      ...shipped,
      gradientNormBound: (problem, at) => 0.9 * gradientNormBound(problem, at),
    },
    "a sensitivity of 1/(nΛ)": {
      ...shipped,
      calibrateOutput: (options) => {
        const made = calibrateOutput(options);
        return {
          ...made,
          noise: { ...made.noise, rate: 2 * (made.noise as { rate: number }).rate } as never,
        };
      },
    },
    "rows a millionth too long": {
      ...shipped,
      clipRows: (rows, { normBound }) => clipRows(rows, { normBound: normBound * (1 + 1e-6) }),
    },
    "no slack": {
      ...shipped,
      calibrateObjective: (options) => ({ ...calibrateObjective(options), quadratic: 0 }),
    },
  },
});

/** Losses as they are defined, in powers that the shipped ones do not share. */
const LOSSES: readonly (readonly [Loss, (z: number) => number, (z: number) => number, number])[] = [
  [
    logisticLoss,
    (z) => Math.log(1 + Math.exp(-z)),
    (z) => -Math.exp(-z) / (1 + Math.exp(-z)),
    0.25,
  ],
  ...[0.1, 0.5].map((h) =>
    [
      huberHinge(h),
      (z: number) => z > 1 + h ? 0 : z < 1 - h ? 1 - z : (1 + h - z) ** 2 / (4 * h),
      (z: number) => z > 1 + h ? 0 : z < 1 - h ? -1 : -(1 + h - z) / (2 * h),
      1 / (2 * h),
    ] as const
  ),
  ...[0.2, 1].map((h) =>
    [
      smoothedHinge(h),
      (z: number) => {
        const u = 1 - z;
        return u < -h
          ? 0
          : u > h
          ? u
          : 3 * h / 16 + u / 2 + 3 * u ** 2 / (8 * h) - u ** 4 / (16 * h ** 3);
      },
      (z: number) => {
        const u = 1 - z;
        return u < -h ? 0 : u > h ? -1 : -(1 / 2 + 3 * u / (4 * h) - u ** 3 / (4 * h ** 3));
      },
      3 / (4 * h),
    ] as const
  ),
];

function requireLosses(): void {
  for (const [loss, value, slope, bound] of LOSSES) {
    requireNear(loss.curvatureBound, bound);
    requireLoss(loss);
    const margins = Float64Array.from({ length: 1201 }, (_, k) => (k - 600) / 100);
    let sum = 0;
    for (const z of margins) {
      requireNear(loss.value(z), value(z), { absolute: 1e-12, what: `${loss.name}(${z})` });
      requireNear(loss.slope(z), slope(z), {
        absolute: 1e-12,
        what: `slope of ${loss.name} at ${z}`,
      });
      const second = (slope(z + 1e-5) - slope(z - 1e-5)) / 2e-5;
      const kink = Math.abs(loss.curvature(z + 1e-5) - loss.curvature(z - 1e-5)) > 0.01;
      if (!kink) {
        requireNear(loss.curvature(z), second, {
          absolute: 1e-3,
          what: `curvature of ${loss.name} at ${z}`,
        });
      }
      sum += value(z);
    }
    const slopes = new Float64Array(margins.length);
    const found = loss.sumAndSlopes?.(margins.slice(), { slopes });
    if (found === undefined) continue;
    requireNear(found, sum, { relative: 1e-11 });
    slopes.forEach((each, i) => requireNear(each, slope(margins[i]!), { absolute: 1e-13 }));
  }
  requireEqual([logisticLoss.value(800), logisticLoss.value(-800), logisticLoss.slope(-800)], [
    0,
    800,
    -1,
  ]);
  for (const h of [0, -1, NaN, Infinity]) {
    requireRefused(`h of ${h}`, () => huberHinge(h));
    requireRefused(`h of ${h}`, () => smoothedHinge(h));
    if (h !== 0) requireRefused(`softening of ${h}`, () => smoothElasticNet(h));
  }
  const weights = Float64Array.of(0.5, -2, 0), net = smoothElasticNet(0.7);
  const norm = (f: number): number => f * f / 2 + 0.7 * (Math.sqrt(1 + f * f) - 1);
  requireNear(net.value(weights), weights.reduce((sum, f) => sum + norm(f), 0));
  requireNear(squaredNorm.value(weights), 2.125);
  for (
    const [regulariser, first, second] of [[squaredNorm, (f: number) => f, () => 1], [
      net,
      (f: number) => f + 0.7 * f / Math.sqrt(1 + f * f),
      (f: number) => 1 + 0.7 / Math.sqrt(1 + f * f) ** 3,
    ]] as const
  ) {
    const [gradient, matrix, image] = [
      new Float64Array(3).fill(1),
      new Float64Array(9).fill(1),
      new Float64Array(3).fill(1),
    ];
    regulariser.addGradient(weights, { scale: 2, into: gradient });
    regulariser.addHessian(weights, { scale: 2, into: matrix });
    regulariser.addHessianProduct(weights, {
      direction: Float64Array.of(1, 2, 3),
      scale: 2,
      into: image,
    });
    weights.forEach((f, j) => {
      requireNear(gradient[j]!, 1 + 2 * first(f));
      requireNear(matrix[j * 3 + j]!, 1 + 2 * second(f));
      requireNear(image[j]!, 1 + 2 * second(f) * (j + 1));
    });
    requireEqual([matrix[1], matrix[3], matrix[6]], [1, 1, 1]);
    requireRegulariser(regulariser, { columnCount: 3 });
  }
}

function requireRefusals({ requireLoss, requireRegulariser }: Parts): void {
  const good: Loss = {
    name: "own",
    curvatureBound: 0.25,
    value: logisticLoss.value,
    slope: logisticLoss.slope,
    curvature: logisticLoss.curvature,
  };
  requireLoss({ ...good });
  const bad: Record<string, Partial<Loss>> = {
    "a slope below −1": {
      value: (z) => 1.5 * logisticLoss.value(z),
      slope: (z) => 1.5 * logisticLoss.slope(z),
      curvature: (z) => 1.5 * logisticLoss.curvature(z),
      curvatureBound: 0.4,
    },
    "a slope above 0": {
      slope: (z) => logisticLoss.slope(z) + 1e-3,
      value: (z) => logisticLoss.value(z) + 1e-3 * z,
    },
    "a curvature above its bound": { curvatureBound: 0.24 },
    "a bound of 0": { curvatureBound: 0 },
    "a bound that is no number": { curvatureBound: NaN },
    "a curvature below 0": {
      curvature: (z) => logisticLoss.curvature(z) - (Math.abs(z) > 5 ? 0.01 : 0),
    },
    "a curvature of half the slope's": { curvature: (z) => logisticLoss.curvature(z) / 2 },
    "a value of twice the slope's": { value: (z) => 2 * logisticLoss.value(z) },
    "a value that is not finite": { value: (z) => z > 100 ? Infinity : logisticLoss.value(z) },
    "a loss that is not convex": {
      value: (z) => z > 3 ? logisticLoss.value(3) - 0.02 * (z - 3) : logisticLoss.value(z),
      slope: (z) => z > 3 ? -0.9 : logisticLoss.slope(z),
      curvature: (z) => z > 3 ? 0 : logisticLoss.curvature(z),
    },
    "a slope that jumps": {
      slope: (z) => z < 0.3 ? -1 : 0,
      value: (z) => Math.max(0, 0.3 - z),
      curvature: () => 0,
    },
    "another answer when asked again": {
      value: (() => {
        let k = 0;
        return (z: number) => logisticLoss.value(z) + (k++ > 20_000 ? 1e-9 * k : 0);
      })(),
    },
    "sums that are not those of its values": {
      sumAndSlopes: (margins, { slopes }) => logisticLoss.sumAndSlopes!(margins, { slopes }) + 1,
    },
    "slopes together that are not its slopes": {
      sumAndSlopes: (margins, { slopes }) => {
        const sum = logisticLoss.sumAndSlopes!(margins, { slopes });
        slopes[7]! *= 0.9;
        return sum;
      },
    },
  };
  for (const [name, part] of Object.entries(bad)) {
    requireRefused(name, () => requireLoss({ ...good, ...part }));
  }
  // One that was good may change under its name.
  const changing = { ...good };
  requireLoss(changing);
  changing.curvature = (z) => 3 * logisticLoss.curvature(z);
  requireRefused("a loss that changed", () => requireLoss(changing));
  const net = smoothElasticNet(0.5);
  const own: Regulariser = { ...net, name: "own" };
  for (const columnCount of [1, 3, 40]) requireRegulariser(own, { columnCount });
  const worse: Record<string, Partial<Regulariser>> = {
    "half its value": { value: (f) => net.value(f) / 2 },
    "a value that is not finite": { value: (f) => f[0]! > 100 ? Infinity : net.value(f) },
    "half its gradient": {
      addGradient: (f, { scale, into }) => net.addGradient(f, { scale: scale / 2, into }),
    },
    "a gradient without its scale": {
      addGradient: (f, { into }) => net.addGradient(f, { scale: 1, into }),
    },
    "another Hessian": {
      addHessian: (f, { scale, into }) => net.addHessian(f, { scale: 2 * scale, into }),
    },
    "another product": {
      addHessianProduct: (f, { direction, scale, into }) =>
        net.addHessianProduct(f, { direction, scale: 1.1 * scale, into }),
    },
    "weak along the last axis": {
      value: (f) => net.value(f) - 0.3 * f.at(-1)! ** 2,
      addGradient: (f, { scale, into }) => {
        net.addGradient(f, { scale, into });
        into[f.length - 1]! -= 0.6 * scale * f.at(-1)!;
      },
      addHessian: (f, { scale, into }) => {
        net.addHessian(f, { scale, into });
        into[f.length ** 2 - 1]! -= 0.6 * scale;
      },
      addHessianProduct: (f, { direction, scale, into }) => {
        net.addHessianProduct(f, { direction, scale, into });
        into[f.length - 1]! -= 0.6 * scale * direction.at(-1)!;
      },
    },
  };
  for (const [name, part] of Object.entries(worse)) {
    for (const columnCount of [1, 3]) {
      requireRefused(
        `${name} in ${columnCount}`,
        () => requireRegulariser({ ...own, ...part }, { columnCount }),
      );
    }
  }
}

/** The same rows, dense and sparse, with entries that are multiples of 2^−10, some 0. */
function generatedRows(
  source: SeededSource,
  rowCount: number,
  columnCount: number,
): [Rows, Rows, number[][]] {
  const table = Array.from(
    { length: rowCount },
    () =>
      Array.from(
        { length: columnCount },
        () => source.uint32() % 3 === 0 ? 0 : ((source.uint32() % 4001) - 2000) / 1024,
      ),
  );
  const offsets = [0], columns: number[] = [], values: number[] = [];
  for (const row of table) {
    row.forEach((value, j) => {
      if (value !== 0) {
        columns.push(j);
        values.push(value);
      }
    });
    offsets.push(columns.length);
  }
  return [
    denseRows(table),
    sparseRows({
      columnCount,
      offsets: Int32Array.from(offsets),
      columns: Int32Array.from(columns),
      values: Float64Array.from(values),
    }),
    table,
  ];
}

function requireSums({ computeMargins, sumWeightedRows }: Parts, seed: number): void {
  const source = new SeededSource(seed).split("sums");
  for (const [n, d] of [[1, 1], [5, 2], [6, 3], [7, 4], [130, 7], [300, 5]] as const) {
    const [dense, sparse, table] = generatedRows(source, n, d);
    const signs = Float64Array.from({ length: n }, () => source.uint32() % 2 === 0 ? 1 : -1);
    const weights = Float64Array.from({ length: d }, () => ((source.uint32() % 2001) - 1000) / 512);
    // Factors of sizes that differ, some 0.
    const factors = Float64Array.from(
      { length: n },
      (_, i) => i % 5 === 3 ? 0 : (source.uniform() - 0.5) * 10 ** (i % 7),
    );
    const exactSums = Array.from(
      { length: d },
      (_, j) =>
        table.reduce<Rational>(
          (sum, row, i) => add(sum, multiply(rational(factors[i]!), rational(row[j]!))),
          rational(0),
        ),
    );
    const size = Array.from(
      { length: d },
      (_, j) => table.reduce((sum, row, i) => sum + Math.abs(factors[i]! * row[j]!), 0),
    );
    for (const rows of [dense, sparse]) {
      const margins = new Float64Array(n);
      computeMargins(rows, { weights, signs, into: margins });
      // Multiples of 2^−19 that doubles hold exactly.
      margins.forEach((margin, i) =>
        requireEqual(
          margin + 0,
          signs[i]! * table[i]!.reduce((sum, value, j) => sum + value * weights[j]!, 0) + 0,
          "margin",
        )
      );
      const sums = new Float64Array(d).fill(9);
      sumWeightedRows(rows, { factors, into: sums });
      sums.forEach((sum, j) => {
        const off = Math.abs(toNumber(subtract(rational(sum), exactSums[j]!)));
        requireThat(
          off <= sumRoundingBound(rows) * size[j]! + 1e-300,
          () => `a sum of ${n} rows is off by ${off}`,
        );
      });
      const added = new Float64Array(d).fill(2);
      addWeightedRows(rows, { factors, into: added });
      added.forEach((sum, j) =>
        requireNear(sum, 2 + toNumber(exactSums[j]!), { absolute: 1e-12 * (1 + size[j]!) })
      );
      const matrix = new Float64Array(d * d).fill(0.5);
      addWeightedOuterProducts(rows, { factors, into: matrix });
      for (let j = 0; j < d; j++) {
        for (let k = 0; k < d; k++) {
          const stated = k > j
            ? 0.5
            : 0.5 + table.reduce((sum, row, i) => sum + factors[i]! * row[j]! * row[k]!, 0);
          requireNear(matrix[j * d + k]!, stated, {
            absolute: 1e-9 * (1 + size[j]!),
            what: "outer product",
          });
        }
      }
    }
  }
  // Blocks of 128 rows are summed apart: what is lost between them is kept.
  const [many] = generatedRows(source, 1000, 1);
  const factors = Float64Array.from(
    { length: 1000 },
    (_, i) => i === 0 ? 2 ** 50 : i === 999 ? -(2 ** 50) : 1 / 3,
  );
  const ones = { ...many, values: new Float64Array(1000).fill(1) } as Rows,
    sums = new Float64Array(1);
  sumWeightedRows(ones, { factors, into: sums });
  requireNear(sums[0]!, 998 / 3, { absolute: sumRoundingBound(ones) * 2 ** 51 });
  // Two units of roundoff for each of 128 and two operations, and the square of one for each row.
  const unit = 2 ** -53, gamma = (k: number): number => k * unit / (1 - k * unit);
  requireNear(sumRoundingBound({ rowCount: 10_000 }), gamma(130) + gamma(10_000) ** 2, {
    relative: 1e-12,
  });
}

function requireRows({ clipRows }: Parts, seed: number): void {
  const source = new SeededSource(seed).split("rows");
  const [dense, sparse, table] = generatedRows(source, 30, 4);
  for (const rows of [dense, sparse]) {
    for (const normBound of [0.5, 1.7, 100]) {
      const clipped = clipRows(rows, { normBound });
      const lengths: number[] = [];
      const unit = new Float64Array(30);
      // Lengths by the outer products of single rows.
      for (let i = 0; i < 30; i++) {
        unit.fill(0);
        unit[i] = 1;
        const sum = new Float64Array(4);
        addWeightedRows(clipped, { factors: unit, into: sum });
        const length = Math.hypot(...sum), before = Math.hypot(...table[i]!);
        lengths.push(length);
        requireThat(length <= normBound, "a row that is too long");
        requireNear(length, Math.min(before, normBound), { relative: 1e-11 });
        if (before > 0) {
          sum.forEach((value, j) =>
            requireNear(value, table[i]![j]! * Math.min(1, normBound / before), { absolute: 1e-10 })
          );
        }
      }
      const wider = withIntercept(clipped, { value: 0.25 });
      requireEqual(wider.columnCount, 5);
      for (let i = 0; i < 30; i++) {
        unit.fill(0);
        unit[i] = 1;
        const sum = new Float64Array(5);
        addWeightedRows(wider, { factors: unit, into: sum });
        requireEqual(sum[4], 0.25);
        requireNear(Math.hypot(...sum.subarray(0, 4)), lengths[i]!, { relative: 1e-12 });
      }
    }
  }
  for (const huge of [1e300, 1e-300]) {
    const { values } = clipRows(denseRows([[huge, huge]]), {
      normBound: 1e-310 < huge && huge < 1 ? huge : 1,
    });
    requireThat(
      Math.hypot(...values) <= (huge < 1 ? huge : 1) && values[0]! > 0.7 * (huge < 1 ? huge : 1),
      "rows of huge and tiny values",
    );
  }
  requireNear(preparedNormBound({ normBound: 3, intercept: 4 }), 5);
  requireEqual(preparedNormBound({ normBound: 3 }), 3);
  requireEqual(prepareRows(dense, { normBound: 1, intercept: 1 }).columnCount, 5);
  for (const value of [0, -1, NaN]) {
    requireRefused(`a bound of ${value}`, () => clipRows(dense, { normBound: value }));
    requireRefused(`an intercept of ${value}`, () => withIntercept(dense, { value }));
    requireRefused(
      `an intercept of ${value}`,
      () => preparedNormBound({ normBound: 1, intercept: value }),
    );
    requireRefused(`a bound of ${value}`, () => prepareRows(dense, { normBound: value }));
  }
  requireRefused("no bound", () => prepareRows(dense, {}));
}

function requireCholesky(factorCholesky: Parts["factorCholesky"], seed: number): void {
  const source = new SeededSource(seed).split("cholesky");
  for (const size of [1, 2, 5]) {
    // A = LLᵀ of whole numbers, of which the determinant is known.
    const lower = Array.from(
      { length: size },
      (_, i) =>
        Array.from(
          { length: size },
          (_, j) => j > i ? 0 : i === j ? 1 + source.uint32() % 4 : (source.uint32() % 7) - 3,
        ),
    );
    const matrix = Float64Array.from({ length: size * size }, (_, k) => {
      const i = Math.floor(k / size), j = k % size;
      return j > i ? NaN : lower[i]!.reduce((sum, value, m) => sum + value * lower[j]![m]!, 0);
    });
    const full = (i: number, j: number): number => matrix[Math.max(i, j) * size + Math.min(i, j)]!;
    const solution = Array.from({ length: size }, () => (source.uint32() % 9) - 4);
    const vector = Float64Array.from(
      { length: size },
      (_, i) => solution.reduce((sum, x, j) => sum + x * full(i, j), 0),
    );
    const factor = matrix.slice();
    requireEqual(factorCholesky(factor, { size }), true);
    lower.forEach((row, i) =>
      row.slice(0, i + 1).forEach((value, j) =>
        requireNear(factor[i * size + j]!, value, { absolute: 1e-9 })
      )
    );
    solveCholesky(factor, { vector });
    vector.forEach((x, j) => requireNear(x, solution[j]!, { absolute: 1e-8 }));
    requireNear(
      logDeterminant(factor, { size }),
      2 * lower.reduce((sum, row, i) => sum + Math.log(row[i]!), 0),
      { absolute: 1e-10 },
    );
  }
  for (const matrix of [[0], [-1], [1, NaN, 2, 4], [1, NaN, 2, 3]]) {
    requireEqual(
      factorCholesky(Float64Array.from(matrix), { size: Math.sqrt(matrix.length) }),
      false,
    );
  }
}

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

function requireGradients({ gradientNormBound, certifiedMinimum }: Parts, seed: number): void {
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
    const low = at.weights.map((f) => f * 2 ** -55 * (source.uniform() - 0.5));
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
    const step = Float64Array.from({ length: d }, () => (source.uniform() - 0.5) * 2 ** -20),
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

function requireCalibrations({ calibrateOutput, calibrateObjective }: Parts): void {
  const grid = (scale: number): number => 2 ** (Math.floor(Math.log2(scale)) - 20);
  for (
    const [epsilon, rowCount, lambda, normBound, tolerance] of [[1, 100, 0.1, 1, 1e-8], [
      0.05,
      7,
      2,
      3,
      0,
    ], [4, 1000, 1e-3, 0.5, 1e-6]] as const
  ) {
    const loss = huberHinge(0.5), input = { epsilon, rowCount, lambda, loss, normBound };
    const output = calibrateOutput({ ...input, tolerance });
    // 2q/(nΛ), and 2τ/Λ for minima that are not exact.
    const exact = 2 * normBound / (rowCount * lambda), sensitivity = exact + 2 * tolerance / lambda;
    requireEqual([
      output.perturbation,
      output.noise.kind,
      output.quadratic,
      output.tolerance,
      output.residualRate,
    ], ["output", "exponential-norm", 0, tolerance, undefined]);
    requireNear((output.noise as { rate: number }).rate, epsilon / sensitivity);
    requireNear(output.grid, grid(sensitivity / epsilon));
    requireNear(output.spent.noise + output.spent.residual, epsilon);
    requireNear(output.spent.noise, epsilon * exact / sensitivity);
    requireEqual(output.spent.jacobian, 0);
    const bend = loss.curvatureBound * normBound ** 2 / rowCount, rest = epsilon * 0.999;
    for (const delta of [0, 1e-5]) {
      for (const slack of ["tight", "cms11"] as const) {
        for (const noiseShare of [0.5, 0.8]) {
          const made = calibrateObjective({ ...input, tolerance: 1e-8, delta, slack, noiseShare });
          // What the Jacobian takes, with a Δ where that would leave too little.
          const own = slack === "tight"
            ? Math.log(1 + bend / lambda)
            : 2 * Math.log(1 + bend / lambda);
          const allowed = slack === "tight" ? (1 - noiseShare) * rest : rest;
          const enough = slack === "tight" ? own <= allowed : own < allowed;
          const jacobian = enough ? own : slack === "tight" ? allowed : rest / 2;
          const quadratic = enough
            ? 0
            : slack === "tight"
            ? bend / (Math.exp(allowed) - 1) - lambda
            : bend / (Math.exp(rest / 4) - 1) - lambda;
          requireNear(made.quadratic, quadratic, { relative: 1e-9, absolute: 1e-15, what: "Δ" });
          requireNear(made.spent.jacobian, jacobian, { relative: 1e-9 });
          requireNear(made.spent.noise, rest - jacobian, { relative: 1e-9 });
          requireNear(made.spent.residual, epsilon / 1000, { relative: 1e-9 });
          const noise = rest - jacobian;
          if (delta === 0) {
            requireNear((made.noise as { rate: number }).rate, noise / (2 * normBound), {
              relative: 1e-9,
            });
          } else {
            const log = Math.log(1 / delta);
            requireNear(
              (made.noise as { sigma: number }).sigma,
              normBound * (Math.sqrt(2 * log + 2 * noise) + Math.sqrt(2 * log)) / noise,
              { relative: 1e-9 },
            );
          }
          // 2τ/(Λ + Δ) over the share of what is left.
          requireNear(1 / made.residualRate!, 2 * 1e-8 / (epsilon / 1000 * (lambda + quadratic)), {
            relative: 1e-9,
          });
          requireNear(made.grid, grid(1 / made.residualRate!));
        }
      }
    }
  }
  const good = {
    epsilon: 1,
    rowCount: 10,
    lambda: 1,
    loss: huberHinge(1),
    normBound: 1,
    tolerance: 1e-8,
  };
  requireEqual(calibrateObjective({ ...good, residualShare: 0 }).residualRate, undefined);
  for (const name of ["epsilon", "rowCount", "lambda", "normBound"]) {
    for (const value of [0, -1, NaN, Infinity]) {
      requireRefused(`${name} of ${value}`, () => calibrateOutput({ ...good, [name]: value }));
      requireRefused(`${name} of ${value}`, () => calibrateObjective({ ...good, [name]: value }));
    }
  }
  for (const wrong of [{ tolerance: -1 }, { tolerance: NaN }]) {
    requireRefused(JSON.stringify(wrong), () => calibrateOutput({ ...good, ...wrong }));
  }
  for (
    const wrong of [{ tolerance: 0 }, { delta: 1 }, { delta: -1 }, { noiseShare: 0 }, {
      noiseShare: 1,
    }, { noiseShare: NaN }]
  ) requireRefused(JSON.stringify(wrong), () => calibrateObjective({ ...good, ...wrong }));
}
