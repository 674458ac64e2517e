import type { clipRows } from "../../lib/learners/erm/clip_rows.ts";
import { gradientNormBound } from "../../lib/learners/erm/gradient_bound.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logJacobian, noiseLeadingTo } from "../../lib/learners/erm/log_density.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { precisePoint } from "../../lib/learners/erm/precise_point.ts";
import {
  allocateEvaluation,
  evaluate,
  hessian,
  type Problem,
} from "../../lib/learners/erm/problem.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { RowFile } from "../../lib/learners/erm/row_file.ts";
import { denseRows, selectRows } from "../../lib/learners/erm/rows.ts";
import {
  roundingOf,
  sumRoundingBound,
  sumWeightedRows,
} from "../../lib/learners/erm/sum_weighted_rows.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";
import { valuesOf } from "./stored_rows.ts";

/** Value, gradient, Hessian, bounds and densities of rows that come in blocks are those of the same rows in memory. */
export function requireSameInBlocks(source: SeededSource): void {
  const n = 300, d = 3;
  // Rows 37 to 198 have one value each: a sparse block between two dense ones.
  const table = Array.from(
    { length: n },
    (_, i) =>
      Array.from(
        { length: d },
        (_, j) =>
          (i >= 37 && i < 199)
            ? (j === i % d ? source.uniform() - 0.5 : 0)
            : source.uniform() < 0.4
            ? 0
            : (source.uniform() - 0.5) * (j + 1),
      ),
  );
  const signs = Float64Array.from({ length: n }, () => source.uniform() < 0.5 ? 1 : -1);
  const file = new RowFile({ columnCount: d, classCount: 2 });
  for (const [from, to] of [[0, 37], [37, 199], [199, 200], [200, n]] as const) {
    const part = table.slice(from, to);
    file.append(
      from === 37 ? sparseOf(part) : denseRows(part),
      Array.from(signs.subarray(from, to), (sign) => sign > 0 ? 1 : 0),
    );
  }
  const base = {
    regulariser: squaredNorm,
    lambda: 0.01,
    quadratic: 0.02,
    linear: Float64Array.of(0.1, 0, -0.1),
  };
  for (const loss of [huberHinge(0.5), { ...logisticLoss, sumAndSlopes: undefined } as never]) {
    const problems: Problem[] = [
      { ...base, loss, rows: denseRows(table), signs },
      { ...base, loss, rows: sparseOf(table), signs },
      {
        ...base,
        loss,
        rows: file.rows(),
        signs: { indices: file.labels().indices, positive: 1 },
      },
    ];
    const weights = Float64Array.of(0.7, -1.3, 0.4), low = weights.map((f) => f * 2 ** -60);
    const [first, ...others] = problems.map((problem) => {
      const at = allocateEvaluation(problem);
      at.weights.set(weights);
      evaluate(problem, { at, scratch: new Float64Array(n) });
      const factors = new Float64Array(n), matrix = new Float64Array(d * d);
      if (problem.rows.kind !== "blocks") {
        at.margins.forEach((margin, i) => factors[i] = problem.loss.curvature(margin) / n);
      }
      hessian(problem, { weights, factors, into: matrix });
      const point = precisePoint(problem, { high: weights, low });
      return {
        value: [at.value],
        gradient: [...at.gradient],
        norm: [at.gradientNorm],
        Hessian: [...matrix],
        bound: [gradientNormBound(problem, at)],
        precise: [...point.gradient],
        "precise bound": [point.gradientNormBound],
        noise: [...noiseLeadingTo(weights, problem)],
        Jacobian: [logJacobian(weights, problem)],
      } as Record<string, number[]>;
    });
    for (const other of others) {
      for (const [name, values] of Object.entries(other)) {
        values.forEach((each, k) =>
          requireNear(each, first![name]![k]!, {
            relative: 1e-11,
            absolute: 1e-12,
            what: `${name} of blocks`,
          })
        );
      }
    }
    // By hand, with each of the n rows alone.
    const margins = table.map((row, i) =>
      signs[i]! * row.reduce((sum, x, j) => sum + x * weights[j]!, 0)
    );
    const mean = (of: (row: readonly number[], i: number) => number): number =>
      table.reduce((sum, row, i) => sum + of(row, i), 0) / n;
    const { value, gradient, Hessian, noise } = first!;
    const square = weights.reduce((sum, f) => sum + f * f, 0);
    requireNear(
      value![0]!,
      mean((_, i) => loss.value(margins[i]!)) + 0.03 * square / 2 +
        weights.reduce((sum, f, j) => sum + f * base.linear[j]!, 0),
    );
    for (let j = 0; j < d; j++) {
      const own = mean((row, i) => signs[i]! * loss.slope(margins[i]!) * row[j]!) +
        0.03 * weights[j]!;
      requireNear(gradient![j]!, own + base.linear[j]!, { absolute: 1e-13 });
      requireNear(noise![j]!, -n * own, { absolute: 1e-10, what: "noise that leads to weights" });
      for (let k = 0; k <= j; k++) {
        requireNear(
          Hessian![j * d + k]!,
          mean((row, i) => loss.curvature(margins[i]!) * row[j]! * row[k]!) + (j === k ? 0.03 : 0),
          { absolute: 1e-13, what: "Hessian" },
        );
      }
    }
    const full = (j: number, k: number): number => Hessian![Math.max(j, k) * d + Math.min(j, k)]!;
    const determinant = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].reduce(
      (sum, [a, b, c]) =>
        sum + full(0, a!) * full(1, b!) * full(2, c!) - full(0, c!) * full(1, b!) * full(2, a!),
      0,
    );
    requireNear(first!.Jacobian![0]!, Math.log(determinant) + 3 * Math.log(n), { relative: 1e-10 });
  }
  file.close();
}

/** Sums of hundreds of rows of all layouts lose nothing where terms cancel. */
export function requireCancellingSums(): void {
  requireEqual([roundingOf(2 ** 50), roundingOf(2 ** 52)], [1 / 7, 1], "k roundings");
  for (const n of [129, 400]) {
    const table = Array.from({ length: n }, (_, i) => i % 7 === 3 ? [0, 1] : [1, i % 2]);
    // Two huge terms that cancel, and thirds between them.
    const factors = Float64Array.from(
      { length: n },
      (_, i) => i === 0 ? 2 ** 50 : i === n - 1 ? -(2 ** 50) : 1 / 3,
    );
    if (table.at(-1)![0] === 0) table.at(-1)![0] = 1;
    const stated = [0, 1].map((j) =>
      table.slice(1, -1).reduce((sum, row) => sum + row[j]! / 3, 0) +
      (j === 1 ? -(2 ** 50) * table.at(-1)![1]! : 0)
    );
    for (const rows of [denseRows(table), sparseOf(table)]) {
      const sums = summed(rows, factors);
      stated.forEach((each, j) =>
        requireNear(sums[j]!, each, {
          absolute: j === 1 && each < -1e9
            ? 1
            : rows.kind === "sparse"
            ? 1e-9
            : sumRoundingBound(rows) * 2 ** 51,
          what: `a ${rows.kind} sum of ${n}`,
        })
      );
    }
  }
}

function summed(rows: Parameters<typeof sumWeightedRows>[0], factors: Float64Array): Float64Array {
  const into = new Float64Array(rows.columnCount).fill(5);
  sumWeightedRows(rows, { factors, into });
  return into;
}

/** Rows are held to their norm to the last bit, by a part in 1e12 at most, and each for itself. */
export function requireClipping(clip: typeof clipRows): void {
  const overs = [-1e-6, -1e-9, -1e-12, -1e-13, 0, 1e-13, 1e-12, 1e-10, 4e-10, 1e-9, 1e-6, 1];
  for (const normBound of [1, 0.3, 1e100, 1e-140, 1e-160, 1e170, 3e-310]) {
    // Every direction beside short rows, long ones, and rows of zeros.
    const rows = overs.flatMap((over, i) => [
      [3 / 5, -4 / 5, 0].map((x) => x * normBound * (1 + over)),
      [0, 0, 0],
      [1, 2, -2].map((x) => x / 3 * normBound * (1 + over)),
      [0, 0, (i % 2 === 0 ? 1 : -1) * normBound * 1e-3],
      [0, -normBound * (1 + over), 0],
    ]);
    for (const given of [denseRows(rows), sparseOf(rows)]) {
      const before = given.values.slice(), clipped = clip(given, { normBound });
      requireEqual(given.values, before, "what was given");
      const values = valuesOf(clipped);
      rows.forEach((row, i) => {
        const own = values.slice(3 * i, 3 * i + 3), largest = Math.max(...row.map(Math.abs));
        if (largest === 0) return requireEqual(own.map(Math.abs), [0, 0, 0]);
        // In units of the bound, by halves that keep all bits.
        const scaled = own.map((x) => x / normBound),
          long = Math.hypot(...row.map((x) => x / normBound));
        requireThat(
          Math.hypot(...scaled) <= 1 + 2e-16 || normBound < 1e-300,
          () => `a row of ${Math.hypot(...scaled)} bounds`,
        );
        const share = long > 1 - 0.9e-12 ? (1 - 1e-12) / long : 1;
        const rough = normBound < 1e-300 ? 1e-3 : 3e-15;
        own.forEach((x, j) =>
          requireNear(x, row[j]! * share, {
            relative: long > 1 - 1.1e-12 && long < 1 ? 2e-12 : rough,
            what: `an entry of row ${i} for ${normBound}`,
          })
        );
      });
    }
  }
  // Rows that are all short are not copied.
  for (
    const rows of [
      denseRows([[0.5, 0.1], [0, 0.7], [1e-200, 0]]),
      sparseOf([[0.5, 0.1], [0, 0.7], [0, 0]]),
    ]
  ) {
    requireThat(clip(rows, { normBound: 1 }).values === rows.values, "a copy of short rows");
  }
}

/** Losses of thousands of margins at once, where products of their terms would overflow. */
export function requireManyMargins(): void {
  for (const n of [1, 511, 512, 513, 1024, 5000]) {
    for (const margin of [0, 0.3, -0.3, 40, -800]) {
      const slopes = new Float64Array(n);
      const sum = logisticLoss.sumAndSlopes!(new Float64Array(n).fill(margin), { slopes });
      requireNear(sum, n * (Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(0, -margin)), {
        relative: 1e-11,
        absolute: 1e-12,
        what: `${n} losses of ${margin}`,
      });
      slopes.forEach((slope) =>
        requireNear(slope, -1 / (1 + Math.exp(margin)), { relative: 1e-13 })
      );
    }
  }
}

/** Rows are chosen, and files of rows joined, as they stand. */
export function requireChosenRows(): void {
  const table = [[1, 0, 2], [0, 0, 0], [3, 4, 5], [0, 6, 0]];
  for (const rows of [denseRows(table), sparseOf(table)]) {
    for (const chosen of [[], [2], [3, 0, 0, 1], [0, 1, 2, 3]]) {
      const selected = selectRows(rows, chosen);
      requireEqual([selected.rowCount, valuesOf(selected)], [
        chosen.length,
        chosen.flatMap((i) => table[i]!),
      ]);
    }
  }
}
