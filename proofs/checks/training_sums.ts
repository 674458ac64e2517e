import { calibrateObjective, calibrateOutput } from "../../lib/learners/erm/calibration.ts";
import { factorCholesky, logDeterminant, solveCholesky } from "../../lib/learners/erm/cholesky.ts";
import { certifiedMinimum } from "../../lib/learners/erm/certified_minimum.ts";
import { clipRows } from "../../lib/learners/erm/clip_rows.ts";
import { gradientNormBound } from "../../lib/learners/erm/gradient_bound.ts";
import { preparedNormBound, prepareRows } from "../../lib/learners/erm/prepare_rows.ts";
import { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { requireRegulariser } from "../../lib/learners/erm/require_regulariser.ts";
import {
  addWeightedOuterProducts,
  addWeightedRows,
  computeMargins,
} from "../../lib/learners/erm/row_kernels.ts";
import { RowFile } from "../../lib/learners/erm/row_file.ts";
import { denseRows, type Rows } from "../../lib/learners/erm/rows.ts";
import { sumRoundingBound, sumWeightedRows } from "../../lib/learners/erm/sum_weighted_rows.ts";
import { visitMargins } from "../../lib/learners/erm/visit_rows.ts";
import { withIntercept } from "../../lib/learners/erm/with_intercept.ts";
import {
  add,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import { gamma } from "./gradient_rooms.ts";
import { sparseOf } from "./sparse_of.ts";

/** For training parts. */
export const shipped = {
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

/** For training parts. */
export type Parts = typeof shipped;

/** The same rows, dense and sparse, with entries that are multiples of 2^−10, some 0. */
export function generatedRows(
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
  return [denseRows(table), sparseOf(table), table];
}

/** For training parts. */
export function requireSums({ computeMargins, sumWeightedRows }: Parts, seed: number): void {
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
  // Four rows a pass, of which any may count alone.
  for (let only = 0; only < 9; only++) {
    const rows = denseRows(Array.from({ length: 9 }, (_, i) => [i + 1, 2]));
    const matrix = new Float64Array(4), one = new Float64Array(9).fill(3, only, only + 1);
    addWeightedOuterProducts(rows, { factors: one, into: matrix });
    requireEqual(
      [matrix[0], matrix[2], matrix[3]],
      [3 * (only + 1) ** 2, 6 * (only + 1), 12],
      `the outer product of row ${only}`,
    );
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
  requireNear(sumRoundingBound({ rowCount: 10_000 }), gamma(130) + gamma(10_000) ** 2, {
    relative: 1e-12,
  });
}

/** For training parts. */
export function requireRows({ clipRows }: Parts, seed: number): void {
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

/** For training parts. */
export function requireCholesky(factorCholesky: Parts["factorCholesky"], seed: number): void {
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

/** Whoever goes through rows in blocks gets as many signs and margins as there are rows in each. */
export function requireVisitedMargins(): void {
  const file = new RowFile({ columnCount: 1, classCount: 2 });
  for (const length of [5, 2, 3]) {
    file.append(denseRows(Array(length).fill([1])), Array(length).fill(1));
  }
  const lengths: number[] = [];
  visitMargins(
    { rows: file.rows(), signs: { indices: file.labels().indices, positive: 1 } },
    { weights: Float64Array.of(2), margins: new Float64Array(10) },
    (block, signs, margins) => {
      lengths.push(block.rowCount);
      requireEqual(
        [[...signs], [...margins]],
        [Array(block.rowCount).fill(1), Array(block.rowCount).fill(2)],
        "signs and margins of a block",
      );
    },
  );
  requireEqual(lengths.reduce((a, b) => a + b, 0), 10, "rows of all blocks");
  file.close();
  // A row that is longer than a block of its own would be.
  const long = new RowFile({ columnCount: 2 ** 18 + 1, classCount: 2 });
  long.append(sparseOf([Array(2 ** 18 + 1).fill(1), [1]]), [1, 0]);
  const found: number[] = [];
  long.rows().visit((block) => void found.push(block.rowCount));
  requireEqual(found.reduce((a, b) => a + b, 0), 2, "rows of which one is long");
  long.close();
}
