import { assert } from "@std/assert";
import fc from "fast-check";
import type { FiniteLosses } from "../../../lib/dp/accounting/loss_distribution/loss_cells.ts";
import type { LossPower } from "../../../lib/dp/accounting/loss_distribution/loss_moment.ts";
import { aliased } from "../../../lib/dp/accounting/loss_distribution/smoothed_delta.ts";

const none: FiniteLosses = { losses: new Float64Array(0), masses: new Float64Array(0) };

/** All sums of losses with their probabilities. */
function sums(losses: readonly [number, number][], count: number): [number, number][] {
  let all: [number, number][] = [[0, 1]];
  for (let run = 0; run < count; run++) {
    all = all.flatMap(([sum, p]) =>
      losses.map(([loss, mass]): [number, number] => [sum + loss, p * mass])
    );
  }
  return all;
}

/**
 * What the sum over a contour of so large a step adds to its integral: (1 − e^−y)⁺ a whole number of periods away, each with the
 * tilt's factor (Poisson's summation formula), without smoothing, which only makes it more.
 */
function added(
  losses: readonly [number, number][],
  { tilt, step, count, epsilon }: Record<"tilt" | "step" | "count" | "epsilon", number>,
): number {
  const period = 2 * Math.PI / step;
  let total = 0;
  for (const [sum, p] of sums(losses, count)) {
    for (let k = -400; k <= 400; k++) {
      const excess = sum - epsilon + k * period;
      if (k !== 0 && excess > 0) total -= p * Math.expm1(-excess) * Math.exp(-k * tilt * period);
    }
  }
  return total;
}

// Mutants of the bound on sums above ε: no peak; a tilt that is not made steeper; one period for two.
Deno.test("aliased() is at least what whole periods add", () => {
  const loss = fc.tuple(
    fc.double({ min: -2, max: 25, noNaN: true }),
    fc.double({ min: 1e-9, max: 1 / 3, noNaN: true }),
  );
  fc.assert(
    fc.property(
      fc.array(loss, { minLength: 1, maxLength: 3 }),
      fc.record({
        tilt: fc.double({ min: 0.05, max: 5, noNaN: true }),
        step: fc.double({ min: 0.3, max: 4, noNaN: true }),
        count: fc.integer({ min: 1, max: 3 }),
        epsilon: fc.double({ min: 0, max: 4, noNaN: true }),
      }),
      (losses, options) => {
        const { tilt, step, count, epsilon } = options;
        const law: FiniteLosses = {
          losses: Float64Array.from(losses, ([value]) => value),
          masses: Float64Array.from(losses, ([, mass]) => mass),
        };
        const parts: LossPower[] = [{ split: { below: none, above: law }, count }];
        const bound = aliased(parts, { tilt, step, points: 1, width: 1e-3 }, epsilon);
        const truth = added(losses, options);
        assert(bound >= truth * (1 - 1e-9), `${bound} < ${truth}`);
      },
    ),
    { seed: 182, numRuns: 2000 },
  );
});
