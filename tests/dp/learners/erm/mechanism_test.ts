import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { ermMechanism, type LabelledRow } from "../../../../lib/dp/learners/erm/mechanism.ts";
import { objectivePerturbationLogDensity } from "../../../../lib/dp/learners/erm/noise/log_density.ts";
import { prepareRows } from "../../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { calibrationOf, objectiveOf } from "../../../../lib/dp/learners/erm/training_options.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const options = { epsilon: 1, lambda: 1, normBound: 1, columnCount: 1, loss: huberHinge(0.5) };

/** The worst pair in one dimension: a row and its opposite label. */
function opposite(n: number): { left: LabelledRow[]; right: LabelledRow[] } {
  const zeros = Array.from({ length: n - 1 }, () => ({ features: [0], label: 1 }));
  return {
    left: [{ features: [1], label: 1 }, ...zeros],
    right: [{ features: [1], label: -1 }, ...zeros],
  };
}

Deno.test("ermMechanism() samples the law whose density it states", () => {
  const { left } = opposite(2);
  for (const perturbation of ["output", "objective"] as const) {
    const mechanism = ermMechanism({ ...options, perturbation });
    const count = 40_000;
    const drawn = mechanism.sampleMany!(left, count, new SeededSource(90));
    // The share below 0 and below 1, against the integral of the density; |z| ≤ 4.5, false alarm
    // 7e-6 each, and 2e-3 for the second noise and the grid.
    for (const threshold of [0, 1]) {
      let expected = 0;
      for (let f = -30 + 0.005; f < threshold; f += 0.01) {
        expected += 0.01 * Math.exp(mechanism.logDensity!([f], left));
      }
      const below = drawn.filter((f) => f < threshold).length / count;
      assertAlmostEquals(
        below,
        expected,
        2e-3 + 4.5 * Math.sqrt(expected * (1 - expected) / count),
      );
    }
  }
});

Deno.test("ermMechanism().sample() agrees with sampleMany() draw for draw", () => {
  const mechanism = ermMechanism({ ...options, columnCount: 2, intercept: 0.5 });
  const data = [{ features: [0.5, 0.1], label: 1 }, { features: [-0.4, 2], label: -1 }];
  assertEquals(mechanism.width, 3);
  assertEquals(
    mechanism.sample(data, new SeededSource(91)),
    Array.from(mechanism.sampleMany!(data, 1, new SeededSource(91))),
  );
});

Deno.test("ermMechanism() is stated for the relation of its claim, and its pairs are pairs", () => {
  const mechanism = ermMechanism(options);
  assertEquals(mechanism.claim.relation, replaceOne);
  const pair = pairOf(replaceOne, opposite(3));
  const ratio = (f: number): number =>
    Math.abs(
      mechanism.logDensity!([f], pair.left as LabelledRow[]) -
        mechanism.logDensity!([f], pair.right as LabelledRow[]),
    );
  let worst = 0;
  for (let f = -5; f <= 5; f += 0.01) worst = Math.max(worst, ratio(f));
  assert(worst <= 1 && worst > 0.5);
});

Deno.test("ermMechanism() counts the intercept in the norm; leaving it out loses more than ε", () => {
  // Two columns after the intercept is appended; the worst pair is a row and its opposite label.
  const setting = { ...options, lambda: 0.5, intercept: 1, columnCount: 1 };
  const whole = ermMechanism(setting);
  const data = opposite(1);
  const objective = {
    ...objectiveOf(setting),
    lambda: setting.lambda,
    calibration: calibrationOf({ epsilon: 1, lambda: 0.5, normBound: 1, loss: options.loss }, {
      rowCount: 1,
    }),
  };
  /** The same learner with noise for rows of norm 1, though the intercept makes them √2. */
  const forgetful = (weights: number[], rows: readonly LabelledRow[]): number =>
    objectivePerturbationLogDensity(Float64Array.from(weights), {
      ...objective,
      rows: prepareRows(denseRows(rows.map((row) => row.features)), setting),
      signs: Float64Array.from(rows, (row) => row.label),
    });
  const worst = (
    logDensity: (weights: number[], rows: readonly LabelledRow[]) => number,
  ): number => {
    let largest = 0;
    for (let f = -6; f <= 6; f += 0.05) {
      for (const slant of [0, 0.5, 1]) {
        const weights = [f, slant * f];
        largest = Math.max(
          largest,
          Math.abs(logDensity(weights, data.left) - logDensity(weights, data.right)),
        );
      }
    }
    return largest;
  };
  assert(worst((weights, rows) => whole.logDensity!(weights, rows)) <= 1);
  assert(worst(forgetful) > 1.05);
});
