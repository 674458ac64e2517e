import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { huberHinge } from "../../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../../../lib/dp/learners/erm/losses/loss.ts";
import { smoothedHinge } from "../../../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";

const losses: readonly Loss[] = [
  logisticLoss,
  huberHinge(0.5),
  huberHinge(0.05),
  smoothedHinge(0.5),
  smoothedHinge(2),
];

// Slopes, curvatures and convexity: custom_objects_test.ts, by what is asked of any loss; the formulas: the theorems erm/corollary_11 to 13 and erm/hinge_limit.
for (const loss of losses) {
  Deno.test(`${loss.name} reaches its curvature bound c, so that no smaller c is true`, () => {
    let largest = 0;
    for (let z = -3; z <= 5; z += 1 / 1024) largest = Math.max(largest, loss.curvature(z));
    assertAlmostEquals(largest, loss.curvatureBound, 1e-9);
  });

  Deno.test(`${loss.name} stays finite when the margin is huge`, () => {
    for (const z of [-1e300, -1e5, 1e5, 1e300]) {
      assertEquals(Number.isFinite(loss.value(z)), true);
      assertEquals(loss.curvature(z), 0);
    }
    assertEquals(loss.slope(-1e300), -1);
    assertEquals(loss.slope(1e300) === 0, true);
  });
}

Deno.test("huberHinge() and smoothedHinge() refuse a half-width that is not positive", () => {
  for (const h of [0, -1, NaN, Infinity]) {
    assertThrows(() => huberHinge(h), RangeError, "h must be positive");
    assertThrows(() => smoothedHinge(h), RangeError, "h must be positive");
  }
});

Deno.test("logisticLoss.sumAndSlopes() agrees with value() and slope(), however many margins there are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -800, max: 800, noNaN: true }), { maxLength: 1200, size: "max" }),
      (values) => {
        const margins = Float64Array.from(values), slopes = new Float64Array(values.length);
        const sum = logisticLoss.sumAndSlopes!(margins, { slopes });
        const expected = values.reduce((total, z) => total + logisticLoss.value(z), 0);
        assertAlmostEquals(sum, expected, 1e-12 * (1 + values.length + expected));
        slopes.forEach((slope, i) =>
          assertAlmostEquals(slope, logisticLoss.slope(values[i]!), 1e-15)
        );
      },
    ),
    { seed: 60, numRuns: 100 },
  );
});

// Mutants: no minimum and maximum where rounding passes a bound; the wrong side of a knot.
Deno.test("slopes and curvatures keep their bounds at the knots, to the last bit", () => {
  for (let k = 1; k <= 400; k++) {
    const h = k / 137;
    for (const loss of [huberHinge(h), smoothedHinge(h)]) {
      for (const knot of [1 - h, 1 + h]) {
        for (let bits = -3; bits <= 3; bits++) {
          const margin = knot + bits * 2 ** -53 * Math.max(1, Math.abs(knot));
          const at = `${loss.name} at ${margin}`;
          const slope = loss.slope(margin), curvature = loss.curvature(margin);
          assertEquals(slope >= -1 && slope <= 0, true, at);
          assertEquals(curvature >= 0 && curvature <= loss.curvatureBound, true, at);
          assertEquals(loss.value(margin) >= 0, true, at);
          assertAlmostEquals(slope, knot < 1 ? -1 : 0, 1e-14 * (1 + 1 / h));
          assertAlmostEquals(loss.value(margin), Math.max(0, knot < 1 ? h : 0), 1e-14);
        }
      }
    }
  }
});

Deno.test("losses are named after their half-width", () => {
  assertEquals([huberHinge(0.25).name, smoothedHinge(3).name], [
    "huber-hinge(0.25)",
    "smoothed-hinge(3)",
  ]);
});

// Mutants: a product of more factors than a double holds.
Deno.test("logisticLoss.sumAndSlopes() adds 5,000 margins of 0", () => {
  const slopes = new Float64Array(5000);
  const sum = logisticLoss.sumAndSlopes!(new Float64Array(5000), { slopes });
  assertAlmostEquals(sum, 5000 * Math.LN2, 1e-9);
});
