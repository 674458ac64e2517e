import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { featureMatrix, featureRows } from "../../../lib/papers/null_space/feature_matrix.ts";
import { leastSquares } from "../../../lib/papers/null_space/least_squares.ts";
import {
  applyFirstStage,
  linearFirstStage,
} from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { predictorFromJson } from "../../../lib/papers/null_space/predictor_from_json.ts";

function assertClose(actual: ArrayLike<number>, expected: readonly number[]): void {
  assertEquals(actual.length, expected.length);
  expected.forEach((value, i) => assertAlmostEquals(actual[i]!, value, 1e-9));
}

Deno.test("leastSquares() finds the weights and the intercept when the targets are linear", () => {
  const coefficient = fc.integer({ min: -50, max: 50 }).map((value) => value / 8);
  fc.assert(
    fc.property(coefficient, coefficient, coefficient, (first, second, level) => {
      const features = featureMatrix([[0, 1], [2, 5], [1, -3], [4, 4], [-2, 7]]);
      const targets = featureMatrix(
        featureRows(features).map(([x, y]) => [first * x! + second * y! + level]),
      );
      const fit = leastSquares(features, { targets, intercept: true });
      assertClose(fit.weights.values, [first, second]);
      assertClose(fit.bias, [level]);
    }),
    { seed: 1 },
  );
});

Deno.test("leastSquares() leaves residuals orthogonal to the features when the targets are not linear", () => {
  const features = featureMatrix([[1, 2], [2, 1], [3, 5], [0, 1]]);
  const targets = featureMatrix([[1], [0], [4], [9]]);
  const fit = leastSquares(features, { targets, intercept: false });
  const predictions = applyFirstStage(fit, features);
  for (let column = 0; column < 2; column++) {
    let product = 0;
    for (let row = 0; row < 4; row++) {
      product += features.values[2 * row + column]! *
        (targets.values[row]! - predictions.values[row]!);
    }
    assertAlmostEquals(product, 0, 1e-9);
  }
  assertEquals(Array.from(fit.bias), [0]);
});

Deno.test("leastSquares() takes the shortest weights when features depend on one another", () => {
  const features = featureMatrix([[1, 1], [2, 2], [3, 3]]);
  const fit = leastSquares(features, { targets: featureMatrix([[2], [4], [6]]), intercept: false });
  assertClose(fit.weights.values, [1, 1]);
});

Deno.test("leastSquares() refuses when rows differ in number", () => {
  assertThrows(
    () =>
      leastSquares(featureMatrix([[1]]), { targets: featureMatrix([[1], [2]]), intercept: true }),
    RangeError,
    "current value is 1 and 2",
  );
});

Deno.test("nullSpaceCleaner() keeps the projection when the first stage is a PCA of all it projects on", () => {
  const components = featureMatrix([[0.6, 0.8, 0], [0.8, -0.6, 0]]);
  const stage = linearFirstStage(components, { centre: [2, 3, 5] });
  const odd = featureMatrix([[1, 1, 9]]);
  // The two components do not see the third feature: it goes back to its mean.
  assertClose(nullSpaceCleaner(stage).clean(odd, { epsilon: 0 }).values, [1, 1, 5]);
});

Deno.test("predictorFromJson() reads the first layer when the predictor is a network", () => {
  const { stage, confidential } = predictorFromJson({
    kind: "network",
    layers: [{ weights: [[1, -1, 0], [0, 2, 1]], bias: [0.5, -1] }, { weights: [[1, 1]] }],
    confidential: { weights: [[1, 1, 1]] },
  });
  const features = featureMatrix([[3, 1, 1]]);
  assertClose(applyFirstStage(stage, features).values, [2.5, 2]);
  assertClose(confidential!.weights.values, [1, 1, 1]);
  // What a network computes from the first layer on is the same once features are cleaned.
  const cleaned = nullSpaceCleaner(stage).clean(features, { epsilon: 0 });
  assertClose(applyFirstStage(stage, cleaned).values, [2.5, 2]);
  assert(Math.abs(cleaned.values[0]! - 3) > 0.1);
});

Deno.test("predictorFromJson() reads mean and components when the predictor is a PCA", () => {
  const { stage, features } = predictorFromJson({
    kind: "pca",
    components: [[0, 1]],
    mean: [1, 2],
    features: ["a", "b"],
  });
  assertClose(applyFirstStage(stage, featureMatrix([[5, 5]])).values, [3]);
  assertEquals(features, ["a", "b"]);
});

Deno.test("predictorFromJson() names the entry when the description is wrong", () => {
  const cases: [unknown, string][] = [
    [[], "predictor must be an object: current value is an array of 0"],
    [{ kind: "tree" }, 'kind must be "linear", "pca" or "network": current value is "tree"'],
    [{ kind: "linear" }, "weights must be an array of rows"],
    [{ kind: "linear", weights: [[1], [1, 2]] }, "rows of 1 numbers each: current value is 2"],
    [{ kind: "linear", weights: [[1, "2"]] }, "weights[0] must be an array of finite numbers"],
    [{ kind: "linear", weights: [[1]], bias: "x" }, "bias must be an array of finite numbers"],
    [{ kind: "linear", weights: [[1]], features: ["a", "b"] }, "features must be an array of 1"],
    [{ kind: "pca", components: [[1]] }, "mean must be an array of finite numbers"],
    [{ kind: "network", layers: [] }, "layers[0] must be an object"],
    [
      { kind: "linear", weights: [[1]], confidential: { weights: [[1, 2]] } },
      "confidential.weights must be rows of 1 numbers: current value is 2",
    ],
  ];
  for (const [value, message] of cases) {
    assertThrows(() => predictorFromJson(value), TypeError, message);
  }
  assertThrows(
    () => predictorFromJson({ kind: "linear", weights: [[1]], bias: [1, 2] }),
    RangeError,
    "bias must have 1 numbers",
  );
});

Deno.test("linearFirstStage() and featureMatrix() refuse when numbers are not finite", () => {
  assertThrows(() => featureMatrix([[1, NaN]]), RangeError, "value 2 of row 1 must be a finite");
  assertThrows(() => featureMatrix([[1], [1, 2]]), RangeError, "row 2 must have 1 values");
  const weights = featureMatrix([[1]]);
  assertThrows(() => linearFirstStage(weights, { centre: [Infinity] }), RangeError, "finite");
});
