import { assert, assertEquals, assertThrows } from "@std/assert";
import { fit } from "../../../../lib/dp/learners/erm/fit.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../../lib/dp/learners/erm/losses/loss.ts";
import {
  type Regulariser,
  smoothElasticNet,
  squaredNorm,
} from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { requireLoss } from "../../../../lib/dp/learners/erm/losses/require_loss.ts";
import { requireRegulariser } from "../../../../lib/dp/learners/erm/losses/require_regulariser.ts";
import { denseRows, type Rows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { smoothedHinge } from "../../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { fitKMeans } from "../../../../lib/papers/sulq/k_means.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";

/** A budget that must not be asked. */
const untouched = {
  spend(): void {
    throw new Error("the budget was asked");
  },
};
const base = { epsilon: 1, lambda: 0.1, normBound: 1, budget: untouched };
const rows = denseRows([[1, 0], [0, 1], [1, 1]]), labels = [1, -1, 1];

const i32 = (...values: number[]): Int32Array<ArrayBuffer> => Int32Array.from(values);
const f64 = (...values: number[]): Float64Array<ArrayBuffer> => Float64Array.from(values);
const sparse = {
  kind: "sparse" as const,
  rowCount: 2,
  columnCount: 3,
  offsets: i32(0, 2, 3),
  columns: i32(0, 2, 1),
  values: f64(1, 1, 1),
};

const broken: Readonly<Record<string, unknown>> = {
  "a column that occurs 100 times in a row": {
    ...sparse,
    rowCount: 2,
    offsets: i32(0, 100, 101),
    columns: new Int32Array(101),
    values: new Float64Array(101).fill(0.1),
  },
  "columns that fall": { ...sparse, columns: i32(2, 0, 1) },
  "a column beyond the last": { ...sparse, columns: i32(0, 3, 1) },
  "a column below the first": { ...sparse, columns: i32(-1, 2, 1) },
  "columns between whole numbers": { ...sparse, columns: [0, 0.5, 1] },
  "offsets that fall": { ...sparse, rowCount: 3, offsets: i32(0, 2, 1, 3) },
  "offsets that begin late": { ...sparse, offsets: i32(1, 2, 3) },
  "offsets that end early": { ...sparse, offsets: i32(0, 1, 2) },
  "offsets that overlap": { ...sparse, offsets: i32(0, 3, 2) },
  "more rows than offsets": { ...sparse, rowCount: 3 },
  "fewer rows than offsets": { ...sparse, rowCount: 1 },
  "fewer columns than values": { ...sparse, columns: i32(0, 2) },
  "a sparse value that is not finite": { ...sparse, values: f64(1, Infinity, 1) },
  "offsets that are texts": { ...sparse, offsets: ["0", "2", "3"] },
  "values that are an array": { ...sparse, values: [1, 1, 1] },
  "fewer dense values than rows": { ...denseRows([[1, 0], [0, 1]]), rowCount: 3 },
  "more dense values than rows": { ...denseRows([[1, 0], [0, 1]]), rowCount: 1 },
  "half a column": { ...denseRows([[1, 0], [0, 1]]), rowCount: 8, columnCount: 0.5 },
  "a dense value that is not finite": { ...denseRows([[1, 0], [0, 1]]), values: f64(1, 0, NaN, 1) },
  "dense values that are an array": { ...denseRows([[1, 0], [0, 1]]), values: [1, 0, 0, 1] },
  "no layout that is known": { ...denseRows([[1, 0], [0, 1]]), kind: "other" },
};

for (const [what, literal] of Object.entries(broken)) {
  Deno.test(`fit() and fitKMeans() refuse rows written by hand with ${what}, before the budget is asked`, () => {
    const given = literal as Rows;
    const { length } = new Array(given.rowCount);
    const signs = Array.from({ length }, (_, i) => i % 2 === 0 ? 1 : -1);
    assertThrows(() => fit(given, signs, base), RangeError, "Cannot read");
    if (given.kind === "sparse") return;
    assertThrows(
      () =>
        fitKMeans(given, {
          clusters: 1,
          rounds: 1,
          rho: 1,
          bounds: { lower: [0, 0], upper: [1, 1] },
          relation: replaceOne,
          budget: untouched,
        }),
      RangeError,
      "Cannot read",
    );
  });
}

Deno.test("fit() takes rows written by hand that are what they say, and reads every field once", () => {
  let asked = 0;
  const twoFaced = {
    ...sparse,
    get columns(): Int32Array<ArrayBuffer> {
      return asked++ === 0 ? sparse.columns : i32(0, 0, 0);
    },
  };
  const model = fit(twoFaced, [1, -1], { ...base, budget: { spend: () => {} } });
  assertEquals(model.weights[0]!.length, 3);
  assertEquals(asked, 1);
});

/** A logistic loss with another slope, and the value and curvature that belong to it or do not. */
function bent(change: Partial<Loss>): Loss {
  const { name, curvatureBound, value, slope, curvature } = logisticLoss;
  return { name, curvatureBound, value, slope, curvature, ...change };
}

/** Whole waves of cos(20z). */
const near = (z: number): boolean => Math.abs(z) < Math.PI;

let calls = 0;
/** By what is wrong with them, and what the refusal names. */
const losses: Readonly<Record<string, Loss>> = {
  "half the curvature bound | curvature in": { ...huberHinge(0.5), curvatureBound: 0.5 },
  "99% of the curvature bound | curvature in": {
    ...smoothedHinge(0.5),
    curvatureBound: 0.99 * 1.5,
  },
  "a kink and a curvature of 0 | slope rising by curvatureBound": bent({
    value: (z) => Math.max(0, 1 - z),
    slope: (z) => z < 1 ? -1 : 0,
    curvature: () => 0,
    curvatureBound: 1e6,
  }),
  "no curvature bound | curvatureBound must be positive": bent({ curvatureBound: NaN }),
  "slopes down to -1.001 | slope in [-1, 0]": bent({
    value: (z) => 1.001 * logisticLoss.value(z),
    slope: (z) => 1.001 * logisticLoss.slope(z),
    curvature: (z) => Math.min(0.25, 1.001 * logisticLoss.curvature(z)),
  }),
  "slopes that rise above 0 | slope in [-1, 0]": bent({
    value: (z) => 0.5 * Math.hypot(1, z),
    slope: (z) => 0.5 * z / Math.hypot(1, z),
    curvature: (z) => 0.5 / Math.hypot(1, z) ** 3,
    curvatureBound: 0.5,
  }),
  "slopes beyond -1 from a margin of -1e9 on | slope in [-1, 0]": bent({
    slope: (z) => z < -1e9 ? -1.5 : logisticLoss.slope(z),
  }),
  "a wave that is not convex | slope rising with": bent({
    value: (z) => 0.5 * logisticLoss.value(z) + (near(z) ? (Math.cos(20 * z) - 1) / 20 ** 3 : 0),
    slope: (z) => 0.5 * logisticLoss.slope(z) - (near(z) ? Math.sin(20 * z) / 400 : 0),
    curvature: (z) =>
      Math.abs(0.5 * logisticLoss.curvature(z) - (near(z) ? Math.cos(20 * z) / 20 : 0)),
  }),
  "a wave of slopes that is 0 at all fractions of 64 | slope": bent({
    slope: (z) =>
      Math.max(-1, Math.min(0, logisticLoss.slope(z) - 0.3 * Math.sin(64 * Math.PI * z))),
  }),
  "a value that is not of its slope | slope that of the value": bent({
    value: (z) => 0.9 * logisticLoss.value(z),
  }),
  "half of its curvature | curvature that of the slope": bent({
    curvature: (z) => 0.5 * logisticLoss.curvature(z),
  }),
  "a curvature of 0 | curvature that of the slope": bent({ curvature: () => 0 }),
  "a slope of another shape between 1 and 1.01 | slope rising": bent({
    slope: (z) => z > 1 && z < 1.01 ? -0.26 : logisticLoss.slope(z),
  }),
  "a value that is not finite far out | value finite": bent({
    value: (z) => Math.log(1 + Math.exp(-z)),
  }),
  "its bend at a margin of a million | curvature times margin": bent({
    value: (z) => logisticLoss.value(z - 1e6),
    slope: (z) => logisticLoss.slope(z - 1e6),
    curvature: (z) => logisticLoss.curvature(z - 1e6),
  }),
  "slopes that change from call to call | the same when asked again": bent({
    slope: (z) => logisticLoss.slope(z) * (calls++ % 2 === 0 ? 1 : 1 - 1e-9),
  }),
  "slopes that are other ones together | sumAndSlopes like slope": {
    ...logisticLoss,
    sumAndSlopes: (margins, { slopes }) => {
      const sum = logisticLoss.sumAndSlopes!(margins, { slopes });
      slopes.forEach((slope, i) => slopes[i] = 1.5 * slope);
      return sum;
    },
  },
  "a sum that is another one together | sumAndSlopes like value": {
    ...logisticLoss,
    sumAndSlopes: (margins, target) => 2 * logisticLoss.sumAndSlopes!(margins, target),
  },
};

for (const [title, loss] of Object.entries(losses)) {
  const [what, lacks] = title.split(" | ");
  Deno.test(`fit() refuses a loss with ${what}, before the budget is asked`, () => {
    const error = assertThrows(() => fit(rows, labels, { ...base, loss }), RangeError, lacks);
    assert(error.message.startsWith("Cannot train: loss"), error.message);
  });
}

Deno.test("requireLoss() takes the losses that are shipped, of all widths from 1e-9 to 1e6", () => {
  requireLoss(logisticLoss);
  for (let power = -9; power <= 6; power++) {
    for (const h of [1, 3.7]) {
      requireLoss(huberHinge(h * 10 ** power));
      requireLoss(smoothedHinge(h * 10 ** power));
    }
  }
});

/** By what is wrong with them, and what the refusal names. */
const regularisers: Readonly<Record<string, Regulariser>> = {
  "half of the convexity | 1-strongly convex": {
    ...squaredNorm,
    value: (weights) => 0.5 * squaredNorm.value(weights),
    addGradient: (weights, { scale, into }) =>
      squaredNorm.addGradient(weights, { scale: 0.5 * scale, into }),
    addHessian: (weights, { scale, into }) =>
      squaredNorm.addHessian(weights, { scale: 0.5 * scale, into }),
    addHessianProduct: (weights, { direction, scale, into }) =>
      squaredNorm.addHessianProduct(weights, { direction, scale: 0.5 * scale, into }),
  },
  "no weight on the first coordinate | 1-strongly convex": {
    ...squaredNorm,
    value: (weights) => squaredNorm.value(weights.subarray(1)),
    addGradient(weights, { scale, into }): void {
      for (let j = 1; j < weights.length; j++) into[j]! += scale * weights[j]!;
    },
  },
  "a gradient that is not of its value | Hessian that of the gradient": {
    ...squaredNorm,
    addGradient: (weights, { scale, into }) =>
      squaredNorm.addGradient(weights, { scale: 1.1 * scale, into }),
  },
  "a Hessian that is not of its gradient | Hessian that of the gradient": {
    ...squaredNorm,
    addHessianProduct: (weights, { direction, scale, into }) =>
      squaredNorm.addHessianProduct(weights, { direction, scale: 2 * scale, into }),
  },
  "a value that is no number | finite value": { ...squaredNorm, value: () => NaN },
  "another matrix than products | Hessian that of its products": {
    ...squaredNorm,
    addHessian: (weights, { scale, into }) =>
      squaredNorm.addHessian(weights, { scale: 2 * scale, into }),
  },
  "a gradient that forgets its scale | gradient that is scaled": {
    ...squaredNorm,
    addGradient: (weights, { into }) => squaredNorm.addGradient(weights, { scale: 1, into }),
  },
};

for (const [title, regulariser] of Object.entries(regularisers)) {
  const [what, lacks] = title.split(" | ");
  Deno.test(`fit() refuses a regulariser with ${what}, before the budget is asked`, () => {
    const error = assertThrows(
      () => fit(rows, labels, { ...base, regulariser }),
      RangeError,
      lacks,
    );
    assert(error.message.startsWith("Cannot train: regulariser"), error.message);
  });
}

Deno.test("requireRegulariser() takes the regularisers that are shipped, in 1 to 200 columns", () => {
  for (const columnCount of [1, 2, 3, 10, 40, 200]) {
    for (const softening of [0, 0.1, 1, 10]) {
      requireRegulariser(smoothElasticNet(softening), { columnCount });
    }
    requireRegulariser({ ...squaredNorm }, { columnCount });
  }
});
