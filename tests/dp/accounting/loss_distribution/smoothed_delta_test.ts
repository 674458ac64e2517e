import { assert } from "@std/assert";
import fc from "fast-check";
import type { FiniteLosses } from "../../../../lib/dp/accounting/loss_distribution/loss_cells.ts";
import type { LossPower } from "../../../../lib/dp/accounting/loss_distribution/loss_moment.ts";
import { smoothedBounds } from "../../../../lib/dp/accounting/loss_distribution/smoothed_delta.ts";

/** E[(1 − e^(ε − L))⁺; a loss above the edge], by going through all outcomes. */
function enumerated(parts: readonly LossPower[], epsilon: number): number {
  let outcomes = [{
    loss: 0,
    p: 1,
    above: parts.some(({ split }) => split.below.losses.length === 0),
  }];
  for (const { split, count } of parts) {
    for (let run = 0; run < count; run++) {
      outcomes = outcomes.flatMap(({ loss, p, above }) =>
        (["below", "above"] as const).flatMap((side) =>
          [...split[side].losses].map((more, i) => ({
            loss: loss + more,
            p: p * split[side].masses[i]!,
            above: above || side === "above",
          }))
        )
      );
    }
  }
  return outcomes.reduce(
    (sum, { loss, p, above }) =>
      above && loss > epsilon ? sum - p * Math.expm1(epsilon - loss) : sum,
    0,
  );
}

const losses = fc.array(
  fc.tuple(
    fc.double({ min: -2, max: 2, noNaN: true }),
    fc.double({ min: 1e-6, max: 0.3, noNaN: true }),
  ),
  { maxLength: 3 },
).map((pairs): FiniteLosses => ({
  losses: Float64Array.from(pairs, ([loss]) => loss),
  masses: Float64Array.from(pairs, ([, mass]) => mass),
}));
const part = fc.record({
  split: fc.record({ below: losses, above: losses }),
  count: fc.integer({ min: 1, max: 3 }),
}).filter(({ split: { below, above } }) => {
  const masses = [...below.masses, ...above.masses];
  return masses.length > 0 && masses.reduce((sum, mass) => sum + mass, 0) <= 1;
});

// Whatever the contour: too short a period, too few points, far too much smoothing. Mutants: no Chernoff
// bound taken off; no bump taken off, or half of it; a tail of the contour that is forgotten; outcomes below
// the edge counted.
Deno.test("smoothedBounds() encloses the sum over all outcomes on every contour", () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 2 }),
      fc.record({
        tilt: fc.double({ min: 0.05, max: 20, noNaN: true }),
        step: fc.double({ min: 0.02, max: 3, noNaN: true }),
        points: fc.integer({ min: 1, max: 400 }),
        width: fc.double({ min: 1e-3, max: 1, noNaN: true }),
      }),
      fc.double({ min: 0, max: 4, noNaN: true }),
      (parts, contour, epsilon) => {
        const truth = enumerated(parts, epsilon), bounds = smoothedBounds(parts, contour);
        const lower = bounds.lowerAt(epsilon), upper = bounds.upperAt(epsilon);
        const rounding = 1e-13 * truth + 1e-300;
        assert(lower <= truth + rounding, `${lower} > ${truth}`);
        assert(upper >= truth - rounding, `${upper} < ${truth}`);
      },
    ),
    { seed: 181, numRuns: 1000 },
  );
});
