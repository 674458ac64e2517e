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
const margin = fc.double({ min: -50, max: 50, noNaN: true });
const close = fc.double({ min: -3, max: 5, noNaN: true });

for (const loss of losses) {
  Deno.test(`${loss.name} has the slope of its value and the curvature of its slope`, () => {
    const step = 1e-5;
    // Where the second derivative jumps, difference quotients mean nothing.
    const knots = [0.95, 1.05, 0.5, 1.5, -1, 3];
    fc.assert(
      fc.property(close, (z) => {
        fc.pre(knots.every((knot) => Math.abs(z - knot) > 2 * step));
        const slope = (loss.value(z + step) - loss.value(z - step)) / (2 * step);
        const curvature = (loss.slope(z + step) - loss.slope(z - step)) / (2 * step);
        assertAlmostEquals(loss.slope(z), slope, 1e-6);
        assertAlmostEquals(loss.curvature(z), curvature, 1e-6 * (1 + loss.curvatureBound));
      }),
      { seed: 51, numRuns: 500 },
    );
  });

  Deno.test(`${loss.name} is convex and falling, with slope in [-1, 0] and curvature in [0, c]`, () => {
    fc.assert(
      fc.property(margin, margin, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
        const between = share * a + (1 - share) * b;
        const chord = share * loss.value(a) + (1 - share) * loss.value(b);
        assertEquals(loss.value(between) <= chord + 1e-12, true);
        assertEquals(loss.value(a) >= 0, true);
        assertEquals(loss.slope(a) <= 0 && loss.slope(a) >= -1, true);
        assertEquals(loss.curvature(a) >= 0 && loss.curvature(a) <= loss.curvatureBound, true);
        if (a < b) assertEquals(loss.slope(a) <= loss.slope(b) + 1e-15, true);
      }),
      { seed: 52, numRuns: 1000 },
    );
  });

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

Deno.test("huberHinge() and smoothedHinge() lie within h of the hinge, and touch it outside 1 ± h", () => {
  const h = 0.5;
  for (const loss of [huberHinge(h), smoothedHinge(h)]) {
    for (let z = -1; z <= 3; z += 0.01) {
      const hinge = Math.max(0, 1 - z);
      assertEquals(Math.abs(loss.value(z) - hinge) <= h, true);
      if (Math.abs(1 - z) > h) assertEquals(loss.value(z), hinge);
    }
  }
});

Deno.test("the losses take the values of their closed forms", () => {
  assertAlmostEquals(logisticLoss.value(0), Math.LN2, 1e-16);
  assertAlmostEquals(logisticLoss.value(-2), Math.log(1 + Math.exp(2)), 1e-15);
  assertAlmostEquals(huberHinge(0.5).value(1), 0.125, 1e-16);
  assertAlmostEquals(smoothedHinge(0.5).value(1), 3 * 0.5 / 16, 1e-16);
  assertAlmostEquals(smoothedHinge(0.5).value(0.5), 0.5, 1e-15);
});

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
