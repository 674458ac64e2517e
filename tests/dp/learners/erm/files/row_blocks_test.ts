import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { openBudget } from "../../../../../lib/dp/accounting/budget/budget.ts";
import { pure } from "../../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../../lib/core/relations/relation.ts";
import { certifiedMinimum } from "../../../../../lib/dp/learners/erm/solver/certified_minimum.ts";
import { checkedRows } from "../../../../../lib/dp/learners/erm/rows/checked_rows.ts";
import { fit } from "../../../../../lib/dp/learners/erm/fit.ts";
import { gradientNormBound } from "../../../../../lib/dp/learners/erm/solver/gradient_bound.ts";
import { huberHinge } from "../../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { leastAlong } from "../../../../../lib/dp/learners/erm/solver/least_along.ts";
import {
  logJacobian,
  noiseLeadingTo,
} from "../../../../../lib/dp/learners/erm/noise/log_density.ts";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../../../lib/dp/learners/erm/solver/minimise.ts";
import { precisePoint } from "../../../../../lib/dp/learners/erm/solver/precise_point.ts";
import {
  allocateEvaluation,
  evaluate,
  norm,
} from "../../../../../lib/dp/learners/erm/solver/problem.ts";
import { drawRandomFeatures } from "../../../../../lib/dp/learners/erm/rows/random_features.ts";
import {
  smoothElasticNet,
  squaredNorm,
} from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import type { RowBlocks } from "../../../../../lib/dp/learners/erm/files/row_blocks.ts";
import {
  compactRows,
  type Rows,
  selectRows,
} from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleModel } from "../../../../../lib/dp/learners/erm/sample_model.ts";
import type { ClassSigns } from "../../../../../lib/dp/learners/erm/rows/signs.ts";
import type { Labels } from "../../../../../lib/dp/learners/erm/files/read_labels.ts";
import { smoothedHinge } from "../../../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import type { MemoryProblem } from "../exact_gradient.ts";
import { generatedData } from "../generated_data.ts";

/** The rows in blocks of these sizes, over and over. */
function inBlocks(rows: Rows, sizes: readonly number[]): RowBlocks {
  const { rowCount, columnCount, values } = rows;
  return {
    kind: "blocks",
    rowCount,
    columnCount,
    valueCount: values.length,
    rowsAtOnce: Math.min(rowCount, Math.max(...sizes)),
    visit(each): void {
      for (let first = 0, k = 0; first < rowCount; k++) {
        const size = Math.min(sizes[k % sizes.length]!, rowCount - first);
        each(selectRows(rows, Array.from({ length: size }, (_, i) => first + i)), first);
        first += size;
      }
    },
  };
}

function classSigns(signs: Float64Array): ClassSigns {
  return { indices: Uint8Array.from(signs, (sign) => sign > 0 ? 1 : 0), positive: 1 };
}

const problems = fc.record({
  seed: fc.nat(),
  n: fc.integer({ min: 1, max: 400 }),
  d: fc.integer({ min: 1, max: 30 }),
  sparse: fc.boolean(),
  sizes: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 3 }),
  loss: fc.constantFrom(logisticLoss, huberHinge(0.5), smoothedHinge(0.3)),
  regulariser: fc.constantFrom(squaredNorm, smoothElasticNet(0.5)),
  lambda: fc.constantFrom(1, 1e-2, 1e-4),
}).map(({ seed, n, d, sparse, sizes, loss, regulariser, lambda }) => {
  const { rows: dense, signs } = generatedData(seed, { n, d, zeros: sparse ? 0.85 : 0 });
  const rows = sparse ? compactRows(dense) : dense;
  const memory: MemoryProblem = {
    rows,
    signs,
    loss,
    regulariser,
    lambda,
    quadratic: 0.01,
    linear: Float64Array.from({ length: d }, (_, j) => 0.01 * Math.sin(j)),
  };
  const blocks = { ...memory, rows: inBlocks(rows, sizes), signs: classSigns(signs) };
  const weights = Float64Array.from({ length: d }, (_, j) => 3 * Math.cos(seed + j));
  return { memory, blocks, weights, seed };
});

// Mutants: margins of the last block for every block; signs from row 0 of each block; sums begun anew, or carried twice, at a block;
// factors kept from another point; a bound that counts one block only.
Deno.test("values, gradients, bounds, densities and minima are those of rows in memory, for blocks of any sizes", () => {
  fc.assert(
    fc.property(problems, ({ memory, blocks, weights }) => {
      const [one, other] = [memory, blocks].map((problem) => {
        const at = allocateEvaluation(problem);
        at.weights.set(weights);
        evaluate(problem, { at, scratch: at.margins.slice() });
        const step = at.gradient.map((slope) => -slope);
        return {
          at,
          bound: gradientNormBound(problem, at),
          length: leastAlong(step, { problem, from: at }),
          precise: precisePoint(problem, { high: weights, low: weights.map((w) => w * 2 ** -60) }),
          noise: noiseLeadingTo(weights, problem),
          jacobian: logJacobian(weights, problem),
        };
      });
      const near = (a: number, b: number, scale = 1): void =>
        assertAlmostEquals(a, b, 1e-11 * (scale + Math.abs(a)));
      near(one!.at.value, other!.at.value);
      near(one!.bound, other!.bound);
      near(one!.precise.gradientNormBound, other!.precise.gradientNormBound);
      near(one!.jacobian, other!.jacobian);
      // Where the objective is flat along the step, its least place is known to the square root of a rounding.
      assertAlmostEquals(one!.length, other!.length, 1e-6 * (1 + one!.length));
      weights.forEach((_, j) => {
        near(one!.at.gradient[j]!, other!.at.gradient[j]!);
        near(one!.precise.gradient[j]!, other!.precise.gradient[j]!);
        near(one!.noise[j]!, other!.noise[j]!, memory.rows.rowCount);
      });
      for (const method of ["cholesky", "conjugate-gradient"] as const) {
        const tolerance = 1e-12;
        const { weights: minimum, gradientNorm } = minimise(blocks, { tolerance, method });
        assert(gradientNorm <= tolerance, `${method}: ${gradientNorm}`);
        const direct = minimise(memory, { tolerance }).weights;
        const distance = norm(direct.map((weight, j) => weight - minimum[j]!));
        assert(distance <= 4 * tolerance / (memory.lambda + 0.01), `${distance} apart`);
      }
    }),
    { seed: 7301, numRuns: 150 },
  );
});

Deno.test("certifiedMinimum() of blocks refines beyond doubles where the tolerance asks for it", () => {
  const { rows, signs } = generatedData(11, { n: 30, d: 20, flips: 0 });
  const problem = {
    rows: inBlocks(rows, [7, 9]),
    signs: classSigns(signs),
    loss: logisticLoss,
    regulariser: squaredNorm,
    lambda: 1e-9,
    quadratic: 0,
  };
  const memory = { ...problem, rows, signs };
  const { weights, rest, gradientNormBound: bound } = certifiedMinimum(problem, {
    tolerance: 1e-14,
  });
  assert(rest !== undefined && bound <= 1e-14, `${bound}`);
  const { gradientNormBound: again } = precisePoint(memory, { high: weights, low: rest });
  assertAlmostEquals(again, bound, 1e-18);
});

const CLASSES = ["no", "maybe", "yes"];

// Mutants: blocks that are not clipped, or without intercept or features; labels of another row.
Deno.test("sampleModel() draws the same model from blocks, for every preparation, loss and number of classes", () => {
  const { rows } = generatedData(12, { n: 500, d: 4 });
  const long: Rows = { ...rows, values: rows.values.map((value) => 3 * value) };
  const indices = Uint8Array.from({ length: 500 }, (_, i) => rows.values[4 * i]! > 0.1 ? 2 : i % 2);
  const features = drawRandomFeatures(new SeededSource(3), {
    kernel: { name: "gaussian", gamma: 1 },
    inputCount: 4,
    count: 6,
  });
  const shared = { epsilon: 2, lambda: 0.01, normBound: 1, classes: CLASSES };
  for (
    const options of [
      shared,
      { ...shared, intercept: 0.5, perturbation: "output" as const },
      { ...shared, features, loss: huberHinge(0.5) },
      { ...shared, delta: 1e-5, regulariser: smoothElasticNet(0.5) },
    ]
  ) {
    const drawn = (given: Rows | RowBlocks, labels: Labels) =>
      sampleModel(new SeededSource(4), { ...options, rows: given, labels }).weights;
    const memory = drawn(long, Array.from(indices, (place) => CLASSES[place]!));
    assertEquals(drawn(inBlocks(long, [1, 64, 130]), { indices }), memory);
    assertEquals(drawn(inBlocks(compactRows(long), [500]), { indices }), memory);
  }
});

Deno.test("fit() refuses blocks that are not their rows, and indices of no class, before the budget pays", () => {
  const { rows } = generatedData(13, { n: 20, d: 2 });
  const good = inBlocks(rows, [8]);
  const indices = Uint8Array.from({ length: 20 }, (_, i) => i % 2);
  const options = { epsilon: 1, lambda: 0.1, normBound: 1 };
  const refuses = (
    given: RowBlocks,
    message: string,
    labels: Labels = { indices },
  ): void => {
    const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
    assertThrows(() => fit(given, labels, { ...options, budget }), RangeError, message);
    fit(rows, Array.from(indices, (place) => 2 * place - 1), { ...options, budget });
  };
  const holed = { ...rows, values: rows.values.slice() };
  holed.values[2 * 9 + 1] = NaN;
  refuses(inBlocks(holed, [8]), "row 2, column 2 is not, counted from row 9");
  refuses({ ...good, rowCount: 21 }, "labels must be one a row");
  refuses(
    { ...good, visit: (each) => good.visit((block, first) => first < 16 && each(block, first)) },
    "row 17 comes next, not 21",
  );
  refuses(
    {
      ...good,
      visit: (each) => good.visit((block, first) => each(block, first === 8 ? 16 : first)),
    },
    "row 9 comes next, not 17",
  );
  refuses({ ...good, columnCount: 3 }, "columns of a block must be");
  refuses({ ...good, rowsAtOnce: 7 }, "rows of a block must be");
  refuses({ ...good, rowsAtOnce: 21 }, "rowsAtOnce must be");
  refuses({ ...good, valueCount: -1 }, "valueCount must be");
  refuses(good, "indices must be below 2", { indices: indices.map((place) => 2 * place) });
  refuses(good, "indices must be below 2", { indices: new Int32Array(20).fill(-1) });
  refuses(good, "must be a Uint8Array or an Int32Array", { indices: [...indices] as never });
});

Deno.test("checkedRows() of blocks looks at them at every visit", () => {
  const { rows } = generatedData(14, { n: 4, d: 1 });
  const mutable = { ...rows, values: rows.values.slice() };
  const checked = checkedRows(inBlocks(mutable, [2]));
  checked.visit(() => {});
  mutable.values[3] = Infinity;
  assertThrows(
    () => checked.visit(() => {}),
    RangeError,
    "row 2, column 1 is not, counted from row 3",
  );
});
