import { assert, assertThrows } from "@std/assert";
import { huberHinge } from "../../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../../../lib/dp/learners/erm/losses/loss.ts";
import { requireLoss } from "../../../../../lib/dp/learners/erm/losses/require_loss.ts";
import { smoothedHinge } from "../../../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";

/** The logistic loss, one margin at a time, but for what is changed. */
function bent(change: Partial<Loss>): Loss {
  const { name, curvatureBound, value, slope, curvature } = logisticLoss;
  return { name, curvatureBound, value, slope, curvature, ...change };
}

/** A loss further along the axis of margins. */
const shifted = (loss: Loss, by: number): Loss =>
  bent({
    curvatureBound: loss.curvatureBound,
    value: (z) => loss.value(z - by),
    slope: (z) => loss.slope(z - by),
    curvature: (z) => loss.curvature(z - by),
  });

function margins(): number[] {
  const seen = new Set<number>();
  requireLoss(bent({
    slope(z): number {
      seen.add(z);
      return logisticLoss.slope(z);
    },
  }));
  return [...seen].sort((a, b) => a - b);
}

Deno.test("requireLoss() looks off every grid: no share of a step is left out", () => {
  const seen = margins();
  const largestGap = (shares: readonly number[]): number => {
    const sorted = shares.map((share) => share - Math.floor(share)).sort((a, b) => a - b);
    return Math.max(...sorted.map((share, k) => share - (sorted[k - 1] ?? sorted.at(-1)! - 1)));
  };
  for (const steps of [1, 8, 10, 64, 100, 512]) {
    const near = seen.filter((z) => z > 0 && z < 16);
    assert(largestGap(near.map((z) => z * steps)) < 0.02, `${steps} steps for 1`);
  }
  for (const steps of [1, 2, 8]) {
    const far = seen.filter((z) => z > 16);
    assert(
      largestGap(far.map((z) => Math.log2(z) * steps)) < 0.02,
      `${steps} steps for a doubling`,
    );
  }
});

let calls = 0;
/** Breaches that are as small as can be, each of one rule alone. By what is wrong, and what the refusal names. */
const broken: Readonly<Record<string, Loss>> = {
  "a curvature below 0 | curvature in [0": bent({
    curvature: (z) => Math.abs(z) > 60 ? -1e-300 : logisticLoss.curvature(z),
  }),
  "a slope above 0 | slope in [-1, 0]": bent({
    slope: (z) => z > 60 ? 1e-300 : logisticLoss.slope(z),
  }),
  "a slope below -1 | slope in [-1, 0]": bent({
    slope: (z) => z < -60 ? -1 - 2 ** -52 : logisticLoss.slope(z),
  }),
  "its bend at a margin of -1,000 | curvature times margin": shifted(logisticLoss, -1000),
  "its bend at a margin of 60 | curvature times margin": shifted(logisticLoss, 60),
  "values that change from call to call | the same when asked again": bent({
    value: (z) => logisticLoss.value(z) * (1 - (calls++ % 2) * 1e-15),
  }),
  "curvatures that change from call to call | the same when asked again": bent({
    curvature: (z) => logisticLoss.curvature(z) * (1 - (calls++ % 2) * 1e-15),
  }),
  "a value that jumps down | slope that of the value": bent({
    value: (z) => logisticLoss.value(z) + (z < 0.3 ? 1e-5 : 0),
  }),
  "a value that jumps up | slope that of the value": bent({
    value: (z) => logisticLoss.value(z) + (z > 0.3 ? 1e-5 : 0),
  }),
  "more curvature than its slope | curvature that of the slope": bent({
    curvature: (z) => logisticLoss.curvature(z) * (z > 2 ? 1.01 : 1),
  }),
  "less curvature than its slope | curvature that of the slope": bent({
    curvature: (z) => logisticLoss.curvature(z) * (z > 2 ? 0.99 : 1),
  }),
};

for (const [title, loss] of Object.entries(broken)) {
  const [what, lacks] = title.split(" | ");
  Deno.test(`requireLoss() refuses a loss with ${what}`, () => {
    assertThrows(() => requireLoss(loss), RangeError, lacks);
  });
}

/** What the logistic loss does to many margins, and what is made of it. */
const together = (change: (slopes: Float64Array, at: Float64Array) => number): Loss => ({
  ...logisticLoss,
  sumAndSlopes(all, target): number {
    const sum = logisticLoss.sumAndSlopes!(all, target);
    return sum * change(target.slopes, all);
  },
});

Deno.test("requireLoss() compares sumAndSlopes with value and slope at every margin", () => {
  const refused: readonly [string, Loss][] = [
    ["like value", together(() => 1 + 1e-8)],
    ["like value", together(() => 1 - 1e-8)],
    ["like value", together(() => 0)],
    ["like slope", together((slopes, at) => (slopes[at.indexOf(0)]! += 1e-12, 1))],
    ["like slope", together((slopes, at) => (slopes[at.indexOf(0)]! -= 1e-12, 1))],
    // Beyond a bound, by less than rounding could do elsewhere.
    ["like slope", together((slopes) => (slopes[slopes.length - 1] = 1e-300, 1))],
    ["like slope", together((slopes) => (slopes[0] = -1 - 2 ** -52, 1))],
  ];
  for (const [lacks, loss] of refused) {
    assertThrows(() => requireLoss(loss), RangeError, `sumAndSlopes ${lacks}`);
  }
  requireLoss({ ...logisticLoss });
  requireLoss(together((slopes, at) => (slopes[at.indexOf(0)]! += 1e-15, 1 + 1e-13)));
});

Deno.test("requireLoss() takes losses that are right but for rounding, however they are written", () => {
  requireLoss(shifted(logisticLoss, 20));
  requireLoss(shifted(logisticLoss, -20));
  // A value of 1e-16 is as good as 0.
  requireLoss(bent({
    value: (z) => z < -700 ? -z : Math.log(1 + Math.exp(-z)),
  }));
  // What is added to a value hides its last digits.
  for (const level of [1e9, -1e9]) {
    requireLoss(bent({ value: (z) => logisticLoss.value(z) + level }));
  }
  // A slope that should be 0 far out.
  requireLoss(bent({
    ...huberHinge(0.5),
    slope: (z) => z > 1.5 ? -1e-16 : huberHinge(0.5).slope(z),
  }));
  // Steep places that only some of the samples see.
  for (let k = 0; k < 20; k++) {
    const steep = shifted(huberHinge(1e-3), k / 20);
    requireLoss(bent({
      curvatureBound: 0.99 * 0.25 + 0.01 * steep.curvatureBound,
      value: (z) => 0.99 * logisticLoss.value(z) + 0.01 * steep.value(z),
      slope: (z) => 0.99 * logisticLoss.slope(z) + 0.01 * steep.slope(z),
      curvature: (z) => 0.99 * logisticLoss.curvature(z) + 0.01 * steep.curvature(z),
    }));
  }
});

// Mutants: halves of an interval without a double between its ends.
Deno.test("requireLoss() ends where the slope goes from -1 to 0 between neighbouring doubles", () => {
  for (const h of [1e-17, 1e-30]) {
    for (const loss of [huberHinge(h), smoothedHinge(h)]) {
      for (const by of [0, 1]) requireLoss(shifted(loss, by));
    }
  }
});

// What doubles may be off by, and what they may not. Mutants: a margin that is wider, narrower, or of another size.
Deno.test("requireLoss() allows for roundings of values and slopes, and for no more", () => {
  const step = 1 / 512;
  /** A line of slope −½ up to 0 and −½ + b·x beyond, whose slope is off by `slopeOff` from 1 on and value by `valueOff`. */
  const of = (slopeOff: number, valueOff: number): Loss => ({
    name: "line",
    curvatureBound: 1,
    value: (margin) => 8 - 0.5 * margin + (margin > 1 ? valueOff : 0),
    slope: (margin) => -0.5 + (margin > 1 ? slopeOff : 0),
    curvature: () => 0,
  });
  const passes = (loss: Loss): boolean => {
    try {
      requireLoss(loss);
      return true;
    } catch {
      return false;
    }
  };
  // The slope may fall by 8 EPSILON, and rise by 8 of them without curvature, 16 in the check of curvature.
  const e = Number.EPSILON;
  assert(passes(of(-7.9 * e, 0)) && !passes(of(-8.6 * e, 0)));
  assert(passes(of(7.9 * e, 0)) && passes(of(15 * e, 0)) && !passes(of(17 * e, 0)));
  // Values of 8 may be off by 1e-13·(1 + 8 + step).
  assert(passes(of(0, 8e-13)) && passes(of(0, -8e-13)));
  assert(!passes(of(0, 1e-12 + step * 1e-13)) && !passes(of(0, -1e-12 - step * 1e-13)));
});
