import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { composedDelta, sumAbove } from "../../../lib/accounting/composed_delta.ts";
import { type LossGrid, pessimisticGrid } from "../../../lib/accounting/loss_grid.ts";
import { optimalDelta } from "../../../lib/accounting/optimal_composition.ts";
import { nextDown, nextUp } from "../../../lib/numeric/round_outward.ts";
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

const atom = (first: number, spacing: number): LossGrid => ({
  spacing,
  first,
  masses: Float64Array.of(1),
  infinite: 0,
  relativeError: 0,
});

// A product of doubles that is rounded first is off by half, or is no more than ε. Mutant: index·spacing − ε in doubles.
Deno.test("composedDelta() encloses δ where the only loss is a last digit above ε, or is ε", () => {
  for (const spacing of [0.1, 1 / 3, 0.7, 0.5, 1e-3]) {
    for (const first of [1, 3, 7, 9, 13, 1000]) {
      const near = first * spacing;
      for (const epsilon of [nextDown(nextDown(near)), nextDown(near), near, nextUp(near)]) {
        const excess = big(spacing).times(first).minus(big(epsilon));
        const exact = excess.gt(0) ? big(1).minus(excess.negated().exp()) : big(0);
        for (const count of first % 3 === 0 ? [1, 3] : [1]) {
          const grid = atom(first / count, spacing);
          const { lower, upper } = composedDelta([{ grid, count }], { epsilon });
          assert(exact.gte(big(lower)) && exact.lte(big(upper)), `${lower} ${exact} ${upper}`);
          assert(upper <= lower * (1 + 1e-2), `${lower} ${upper}`);
        }
      }
    }
  }
});

// Mutants: the scale multiplied in afterwards (NaN); a δ that underflows taken for 0.
Deno.test("composedDelta() is no NaN at losses of a billion, and above 0 where δ underflows", () => {
  for (const [first, count] of [[2 ** 30, 1], [1, 2 ** 24]] as const) {
    const { lower, upper } = composedDelta([{ grid: atom(first, 1), count }], { epsilon: 0 });
    assert(lower > 1 - 1e-3 && upper === 1, `${lower} ${upper}`);
  }
  const grid = pessimisticGrid(approximateLoss({ epsilon: 0.1 }).forward, { spacing: 0.1 });
  for (const [epsilon, most] of [[190, 1e-300], [199.95, 1e-300], [201, 0]] as const) {
    const { lower, upper } = composedDelta([{ grid, count: 2000 }], { epsilon });
    assert(lower === 0 && upper <= most && upper > 0 === most > 0, `${epsilon}: ${upper}`);
  }
});

// Mutants: every term and factor of the room; terms whose signs differ counted together.
Deno.test("sumAbove() has room for the law's error at each weight, and for its own roundings", () => {
  const uniform = 2 ** -53;
  for (
    const [start, size, spacing, epsilon, tilt] of [
      [0, 16, 0.25, 0.3, 0.5],
      [-5, 16, 0.25, 0.3, 1e-3],
      [3, 64, 0.125, 1.1, 40],
      [2 ** 20, 16, 0.5, 2, 1e-4],
      [-4, 256, 2, 3.5, 1e-4],
    ] as const
  ) {
    const weights = Array.from({ length: size }, (_, i) => {
      const excess = big(spacing).times(start + i).minus(big(epsilon));
      if (excess.lte(0)) return big(0);
      return excess.times(big(tilt)).negated().exp().times(big(1).minus(excess.negated().exp()));
    });
    const total = weights.reduce((sum, weight) => sum.plus(weight), big(0));
    const widest = Math.max(size * spacing, (start + size - 1) * spacing - epsilon);
    const rounding = uniform * (16 + size + 4 * tilt * widest);
    const law = { start, origin: start, spacing }, at = { epsilon, tilt, logScale: 0 };
    const apart = Float64Array.from({ length: size }, (_, i) => i % 2 === 0 ? 1 : -1);
    const { sum, slack } = sumAbove({ ...law, real: apart, error: 0 }, at);
    const exact = weights.reduce(
      (sum, weight, i) => i % 2 ? sum.minus(weight) : sum.plus(weight),
      big(0),
    );
    assert(exact.minus(big(sum)).abs().lte(big(slack)), `${sum}, not ${exact}`);
    assert(Math.abs(slack / (rounding * total.toNumber()) - 1) < 1e-6, `${slack}`);
    const wide = sumAbove({ ...law, real: new Float64Array(size), error: 1 }, at);
    const raised = big(wide.slack).div(total).minus(big(1)).toNumber();
    assert(wide.sum === 0 && Math.abs(raised / rounding - 1) < 0.2, `${raised}, not ${rounding}`);
    const scaled = sumAbove({ ...law, real: apart, error: 1 }, { ...at, logScale: 3 });
    assert(Math.abs(scaled.sum - Math.exp(3) * sum) <= 1e-12 * Math.abs(scaled.sum) + 1e-14);
    assert(Math.abs(scaled.slack / (Math.exp(3) * wide.slack) - 1) < 1e-12);
  }
});
