import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { estimateShift } from "../../../../lib/audit/location_shift/estimate_shift.ts";

const bins = fc.array(
  fc.record({
    slope: fc.double({ min: -3, max: 3, noNaN: true }),
    left: fc.integer({ min: 1, max: 400 }),
    right: fc.integer({ min: 1, max: 400 }),
  }),
  { minLength: 1, maxLength: 8 },
);

function given(own: readonly { slope: number; left: number; right: number }[]): {
  slopes: Float64Array;
  counts: Float64Array;
} {
  return {
    slopes: Float64Array.from(own, ({ slope }) => slope),
    counts: Float64Array.from(own.flatMap(({ left, right }) => [left, right])),
  };
}

/** Log likelihood of the labels, and its curvature by differences. */
function logLikelihood(
  { slopes, counts }: ReturnType<typeof given>,
  distance: number,
): number {
  return slopes.reduce((sum, slope, bin) => {
    const odds = distance * slope;
    return sum - counts[2 * bin]! * Math.log1p(Math.exp(odds)) -
      counts[2 * bin + 1]! * Math.log1p(Math.exp(-odds));
  }, 0);
}

// Mutants: sides exchanged, moves the other way, one step of Newton's for the maximum, the error without the slopes.
Deno.test("estimateShift() maximises the likelihood and has the error of its curvature", () => {
  fc.assert(fc.property(bins, (own) => {
    fc.pre(own.some(({ slope }) => Math.abs(slope) > 0.1));
    const all = given(own);
    const { distance, error } = estimateShift(all);
    const here = logLikelihood(all, distance);
    for (const step of [1e-3, 0.1, 1]) {
      for (const other of [distance + step, Math.max(0, distance - step)]) {
        assert(logLikelihood(all, other) <= here + 1e-6, `${distance}, ${other}`);
      }
    }
    const step = 1e-3;
    const curvature = (2 * here - logLikelihood(all, distance - step) -
      logLikelihood(all, distance + step)) / step ** 2;
    assertAlmostEquals(error ** -2 / curvature, 1, 0.01);
  }));
});

Deno.test("estimateShift() finds the distance whose odds came", () => {
  const slopes = [-2, -0.5, 0, 1], distance = 0.7;
  const odds = slopes.map((slope) => Math.exp(distance * slope));
  const { distance: found } = estimateShift(
    given(slopes.map((slope, k) => ({ slope, left: 100, right: 100 * odds[k]! }))),
  );
  assertAlmostEquals(found, distance, 1e-5);
});

Deno.test("estimateShift() is 0 against the slopes, unknown without any, and finite where sides are apart", () => {
  assertEquals(estimateShift(given([{ slope: 1, left: 30, right: 10 }])).distance, 0);
  assertEquals(estimateShift(given([{ slope: 0, left: 30, right: 10 }])), {
    distance: 0,
    error: Infinity,
  });
  assertEquals(estimateShift(given([])), { distance: 0, error: Infinity });
  const apart = estimateShift(
    given([{ slope: 4, left: 0, right: 10 }, { slope: -4, left: 10, right: 0 }]),
  );
  assert(apart.distance > 2 && Number.isFinite(apart.distance));
});
