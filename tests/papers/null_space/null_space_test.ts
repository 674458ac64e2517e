import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { featureMatrix, featureRows } from "../../../lib/papers/null_space/feature_matrix.ts";
import {
  applyFirstStage,
  type LinearFirstStage,
  linearFirstStage,
} from "../../../lib/papers/null_space/linear_first_stage.ts";
import { type Amplitudes, nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { squaredErrors } from "../../../lib/papers/null_space/privacy_measures.ts";

/** The paper's table: x₁ − x₂ is wanted, x₁ + 2x₂ is not. */
const toy = {
  desired: linearFirstStage(featureMatrix([[1, -1]])),
  confidential: linearFirstStage(featureMatrix([[1, 2]])),
  features: featureMatrix([[3, 1], [4, 2], [5, 1]]),
};

function assertRows(actual: readonly number[][], expected: readonly number[][]): void {
  expected.forEach((row, i) =>
    row.forEach((value, j) => assertAlmostEquals(actual[i]![j]!, value, 1e-12))
  );
}

// That cleaning spends ε exactly, its order and the paper's table are theorems: predictors/theorem_1, order and toy_table.

Deno.test("nullSpaceCleaner() leaves a function of the outputs alone when amplitudes are coordinates", () => {
  // Three features and two outputs: (1, 1, −1) is free, and the twins differ along it.
  const desired = linearFirstStage(featureMatrix([[1, 0, 1], [0, 1, 1]]));
  const confidential = linearFirstStage(featureMatrix([[1, 0, 0], [0, 0, 2]]));
  const twins = featureMatrix([[1, 2, 3], [3, 4, 1]]);
  const gap = (amplitudes: Amplitudes): number => {
    const [left, right] = featureRows(
      nullSpaceCleaner(desired, { confidential, amplitudes }).clean(twins, { epsilon: 4 }),
    );
    return Math.max(...left!.map((value, i) => Math.abs(value - right![i]!)));
  };
  assert(gap("coordinate") < 1e-12);
  // As printed, a = vᵀx looks at the null space again and puts some of it back.
  assert(gap("inner-product") > 0.1);
});

Deno.test("nullSpaceCleaner() leaves nothing when the budget is unlimited and amplitudes are coordinates", () => {
  const { desired, confidential, features } = toy;
  const cleaner = nullSpaceCleaner(desired, { confidential, amplitudes: "coordinate" });
  assertRows(featureRows(cleaner.clean(features, { epsilon: 1e6 })), [[0, 0], [0, 0], [0, 0]]);
  assertRows([Array.from(cleaner.removable(features))], [[4, 4, 16]]);
});

Deno.test("nullSpaceCleaner() spends on the smallest singular value first when B_c is unknown", () => {
  const cleaner = nullSpaceCleaner(linearFirstStage(featureMatrix([[3, 0, 0], [0, 1, 0]])));
  // λ_d is 1 and 9: the second feature costs 2² and goes whole, then 9·a² = 5 is left of the first.
  const [row] = featureRows(cleaner.clean(featureMatrix([[1, 2, 7]]), { epsilon: 9 }));
  assertRows([row!], [[1 - Math.sqrt(5 / 9), 0, 0]]);
});

Deno.test("nullSpaceCleaner() works about the centre of the first stage when it has one", () => {
  const stage: LinearFirstStage = linearFirstStage(featureMatrix([[1, 1]]), { centre: [10, 0] });
  const features = featureMatrix([[13, 1]]);
  const cleaned = nullSpaceCleaner(stage).clean(features, { epsilon: 0 });
  // (3, 1) has the part (2, 2) along (1, 1).
  assertRows(featureRows(cleaned), [[12, 2]]);
  const [error] = squaredErrors(applyFirstStage(stage, cleaned), {
    reference: applyFirstStage(stage, features),
  });
  assert(error! < 1e-20);
});

Deno.test("nullSpaceCleaner() refuses when an argument is out of range", () => {
  const cleaner = nullSpaceCleaner(toy.desired);
  for (const epsilon of [-1, NaN, Infinity]) {
    assertThrows(
      () => cleaner.clean(toy.features, { epsilon }),
      RangeError,
      "Cannot clean features: epsilon must be at least 0 and finite",
    );
  }
  assertThrows(
    () => cleaner.clean(featureMatrix([[1, 2, 3]]), { epsilon: 0 }),
    RangeError,
    "features must have 2 columns",
  );
  const confidential = linearFirstStage(featureMatrix([[1, 2, 3]]));
  assertThrows(
    () => nullSpaceCleaner(toy.desired, { confidential }),
    RangeError,
    "the same number of features",
  );
  assertThrows(
    () => nullSpaceCleaner(linearFirstStage(featureMatrix([[0, 0]]))),
    RangeError,
    "from 1e-100 to 1e+100: current value is 0",
  );
});

Deno.test("nullSpaceCleaner() gives an empty block when there are no rows", () => {
  const cleaned = nullSpaceCleaner(toy.desired).clean(featureMatrix([], { columns: 2 }), {
    epsilon: 1,
  });
  assertEquals([cleaned.rows, cleaned.columns, cleaned.values.length], [0, 2, 0]);
});
