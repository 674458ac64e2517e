import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { composedDelta } from "../../../lib/accounting/composed_delta.ts";
import { type LossGrid, pessimisticGrid } from "../../../lib/accounting/loss_grid.ts";
import { optimalDelta } from "../../../lib/accounting/optimal_composition.ts";
import { approximateLoss } from "../../../lib/accounting/privacy_loss.ts";
import type { GridPart } from "../../../lib/accounting/tilted_grid.ts";
import { type BigNumber, bigNumber as big } from "../numeric/big_number.ts";

// Losses far below 1e-4 need a tilt beyond the range that is searched, so that what the transform
// returns is mostly its own rounding error: the bounds must say so. Mutants: no error term; an error
// term without the sum of the weights.
Deno.test("composedDelta() encloses δ when rounding errors are larger than δ", () => {
  for (const [epsilon, count] of [[1e-6, 100], [1e-6, 400], [1e-7, 1000], [1e-8, 300]] as const) {
    const grid = pessimisticGrid(approximateLoss({ epsilon }).forward, { spacing: epsilon });
    for (const fraction of [0.5, 0.7, 0.8, 0.9]) {
      const at = fraction * count * epsilon * (1 + 1e-6);
      const { lower, upper } = composedDelta([{ grid, count }], { epsilon: at });
      const truth = optimalDelta([{ epsilon, count }], { epsilon: at });
      assert(lower <= truth && truth <= upper * (1 + 2e-11), `${lower} ${truth} ${upper}`);
    }
  }
});

// Mutant: a window that forgets what falls outside it. A transform of the largest size holds 2^23
// points; at a million compositions the sum's range is far larger.
Deno.test("composedDelta() encloses δ when the window is far smaller than the range", () => {
  const epsilon = 0.001, count = 1_000_000;
  const grid = pessimisticGrid(approximateLoss({ epsilon }).forward, { spacing: epsilon });
  for (const at of [0.5, 3, 6]) {
    const { lower, upper } = composedDelta([{ grid, count }], { epsilon: at });
    const truth = optimalDelta([{ epsilon, count }], { epsilon: at });
    // The grid's own masses are off by an ulp, a million times over.
    assert(
      lower <= truth * (1 + 1e-8) && truth <= upper * (1 + 1e-8),
      `${lower} ${truth} ${upper}`,
    );
    assert(upper <= lower * (1 + 1e-6), `${lower} ${upper}`);
  }
});

const none: LossGrid = {
  spacing: 0.5,
  first: 0,
  masses: Float64Array.of(0),
  infinite: 0,
  relativeError: 0,
};

// Mutants: either bound rounded to nearest or the wrong way; the infinite losses of one part forgotten.
Deno.test("composedDelta() encloses the probability of an infinite loss, of one part and of two", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.double({ min: -40, max: -0.01, noNaN: true }).map(Math.exp),
          fc.integer({ min: 1, max: 1000 }),
        ),
        { minLength: 1, maxLength: 2 },
      ),
      (pairs) => {
        const parts = pairs.map(([infinite, count]) => ({ grid: { ...none, infinite }, count }));
        const { lower, upper } = composedDelta(parts, { epsilon: 1 });
        const kept = pairs.reduce(
          (product, [infinite, count]) => product.times(big(1).minus(big(infinite)).pow(count)),
          big(1),
        );
        const exact = big(1).minus(kept);
        assert(exact.gte(lower) && exact.lte(upper), `${lower} ${exact.toString()} ${upper}`);
        assert(lower >= 0 && upper <= 1 && upper <= lower * (1 + 1e-14));
      },
    ),
    { seed: 112, numRuns: 400 },
  );
  for (const infinite of [1, 1 + 1e-12]) {
    const { lower, upper } = composedDelta([{ grid: { ...none, infinite }, count: 2 }], {
      epsilon: 1,
    });
    assert(upper === 1 && lower <= 1 && lower > 1 - 1e-12);
  }
  assertEquals(composedDelta([], { epsilon: 0 }), { lower: 0, upper: 0 });
});

/** Σ P(loss)·(1 − e^(ε − loss))⁺ over all outcomes of so many runs, in 80 digits. */
function enumerated(parts: readonly GridPart[], epsilon: number): BigNumber {
  let sums = new Map([[0, big(1)]]);
  for (const { grid: { first, masses }, count } of parts) {
    for (let run = 0; run < count; run++) {
      const next = new Map<number, BigNumber>();
      for (const [at, mass] of sums) {
        masses.forEach((more, i) => {
          const sum = at + first + i;
          next.set(sum, (next.get(sum) ?? big(0)).plus(mass.times(big(more))));
        });
      }
      sums = next;
    }
  }
  const { spacing } = parts[0]!.grid;
  let delta = big(0);
  for (const [at, mass] of sums) {
    const excess = big(spacing).times(at).minus(big(epsilon));
    if (excess.gt(0)) delta = delta.plus(mass.times(big(1).minus(excess.negated().exp())));
  }
  return delta;
}

// Mutants: either bound without room for roundings; sums from another point; ε between two points read at one.
Deno.test("composedDelta() encloses sums over all outcomes in 80 digits, within 1e-9", () => {
  const mass = fc.double({ min: -12, max: 0, noNaN: true }).map(Math.exp);
  const grid = fc.record({
    first: fc.integer({ min: -4, max: 3 }),
    weights: fc.array(mass, { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(grid, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 2 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 6, noNaN: true }),
      (drawn, spacing, at) => {
        const parts = drawn.map(([{ first, weights }, count]): GridPart => {
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          const masses = Float64Array.from(weights, (weight) => weight / total);
          return { grid: { spacing, first, masses, infinite: 0, relativeError: 0 }, count };
        });
        const epsilon = at * spacing, exact = enumerated(parts, epsilon);
        const { lower, upper } = composedDelta(parts, { epsilon });
        assert(exact.gte(lower) && exact.lte(upper), `${lower} ${exact.toString()} ${upper}`);
        assert(upper - lower <= 1e-9 * upper + 1e-300, `${lower} ${upper}`);
      },
    ),
    { seed: 113, numRuns: 150 },
  );
});
