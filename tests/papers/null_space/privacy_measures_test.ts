import { assert, assertEquals, assertThrows } from "@std/assert";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import {
  type FeatureMatrix,
  featureMatrix,
  featureRows,
} from "../../../lib/papers/null_space/feature_matrix.ts";
import {
  addLaplaceNoise,
  laplaceScaleForUtility,
} from "../../../lib/papers/null_space/laplace_noise.ts";
import { leastSquares } from "../../../lib/papers/null_space/least_squares.ts";
import {
  applyFirstStage,
  linearFirstStage,
} from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { completePrivacy, squaredErrors } from "../../../lib/papers/null_space/privacy_measures.ts";
import { refitAttack } from "../../../lib/papers/null_space/refit_attack.ts";

Deno.test("squaredErrors() sums over the outputs of each row", () => {
  const outputs = featureMatrix([[1, 2], [3, 4]]), reference = featureMatrix([[0, 0], [3, 7]]);
  assertEquals(Array.from(squaredErrors(outputs, { reference })), [5, 9]);
  assertThrows(
    () => squaredErrors(outputs, { reference: featureMatrix([[1, 2]]) }),
    RangeError,
    "2 × 2 and 1 × 2",
  );
});

Deno.test("completePrivacy() counts labels predicted worse than from the mean, without ties", () => {
  const predictions = featureMatrix([[0, 0.5], [1, -4]]), labels = featureMatrix([[1, 1], [1, 1]]);
  // Errors 1, 0.5, 0, 5 against 0.5 for every label: worse, tie, better, worse.
  assertEquals(completePrivacy(predictions, { labels, fromMean: [0.5, 0.5] }), 0.5);
});

Deno.test("addLaplaceNoise() costs the utility asked for when the scale is tuned", () => {
  const stage = linearFirstStage(featureMatrix([[2, -1, 0.5], [1, 3, 0]]));
  const features = featureMatrix(Array.from({ length: 40_000 }, () => [1, 2, 3]));
  const noisy = addLaplaceNoise(new SeededSource(7), { features, stage, epsilon: 0.25 });
  const errors = squaredErrors(applyFirstStage(stage, noisy), {
    reference: applyFirstStage(stage, features),
  });
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const variance = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / errors.length;
  // Five standard errors: a false alarm in about 2 million runs; the seed was fixed beforehand.
  const tolerance = 5 * Math.sqrt(variance / errors.length);
  assert(Math.abs(mean - 0.25) < tolerance, `${mean}`);
  // The mutant that forgets that a Laplace variable has variance 2·scale² is twice as far off.
  assert(tolerance < 0.05);
});

Deno.test("addLaplaceNoise() leaves features alone when no utility may be lost", () => {
  const stage = linearFirstStage(featureMatrix([[1, 1]]));
  const features = featureMatrix([[1, 2]]);
  assertEquals(laplaceScaleForUtility(stage, { epsilon: 0 }), 0);
  const same = addLaplaceNoise(new SeededSource(1), { features, stage, epsilon: 0 });
  assertEquals(featureRows(same), [[1, 2]]);
  assertThrows(() => laplaceScaleForUtility(stage, { epsilon: -1 }), RangeError, "epsilon must be");
});

Deno.test("refitAttack() undoes what cleaning merely shifts, but not what it takes out", () => {
  const rows = Array.from({ length: 60 }, (_, i) => [i % 7, i % 11, i % 5]);
  const features = featureMatrix(rows);
  const desired = linearFirstStage(featureMatrix([[1, 0, 0]]));
  // Two secrets: one that the first feature tells, one that it does not.
  const labels = featureMatrix(rows.map(([a, b]) => [2 * a! + 1, b!]));
  const cleaner = nullSpaceCleaner(desired);
  const adversary = refitAttack(features, {
    labels,
    clean: (given) => cleaner.clean(given, { epsilon: 0 }),
  });
  const predictions = applyFirstStage(adversary, cleaner.clean(features, { epsilon: 0 }));
  const errors = [0, 1].map((column) =>
    Math.max(
      ...featureRows(predictions).map((row, i) =>
        Math.abs(row[column]! - labels.values[2 * i + column]!)
      ),
    )
  );
  assert(errors[0]! < 1e-9);
  assert(errors[1]! > 3);
});

/** A secret that one feature tells, and a second feature that is constant but for a speck in one row. */
function speckled(): { features: FeatureMatrix; labels: FeatureMatrix } {
  const rows = Array.from({ length: 40 }, (_, i) => [i % 4, i === 17 ? 1e-3 : 0]);
  return {
    features: featureMatrix(rows),
    labels: featureMatrix(rows.map(([a], i) => [a! + (i % 3) / 10])),
  };
}

/** How far the adversary goes astray on a row that differs along the second feature. */
function astray(attack: typeof refitAttack): number {
  const { features, labels } = speckled();
  const adversary = attack(features, { labels, clean: (rows) => rows });
  const [prediction] = applyFirstStage(adversary, featureMatrix([[2, 1]])).values;
  return Math.abs(prediction! - 2.1);
}

Deno.test("refitAttack() does not learn from a direction that a single row uses", () => {
  assert(astray(refitAttack) < 0.2);
  // Plain least squares fits that row: its weight goes astray.
  const plain: typeof refitAttack = (features, { labels, clean }) =>
    leastSquares(clean(features), { targets: labels, intercept: true });
  assert(astray(plain) > 10);
});

Deno.test("refitAttack() predicts the mean when the features are constant", () => {
  const adversary = refitAttack(featureMatrix([[1, 2], [1, 2]]), {
    labels: featureMatrix([[0], [4]]),
    clean: (rows) => rows,
  });
  assertEquals(Array.from(applyFirstStage(adversary, featureMatrix([[9, 9]])).values), [2]);
  assertThrows(
    () =>
      refitAttack(featureMatrix([[1]]), { labels: featureMatrix([[1]]), clean: (rows) => rows }),
    RangeError,
    "at least two",
  );
});
