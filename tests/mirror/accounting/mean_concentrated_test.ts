import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  composeMeanConcentrated,
  meanConcentratedEpsilon,
  meanConcentratedOfGaussian,
  meanConcentratedOfPure,
  zcdpOfMeanConcentrated,
} from "../../../lib/accounting/mean_concentrated.ts";
import { advancedComposition } from "../../../lib/accounting/advanced_composition.ts";
import { deltaAt, gaussian } from "../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../lib/core/relation.ts";
import { bigNumber as big } from "../numeric/big_number.ts";
import { epsilons, slacks } from "./arbitraries.ts";

// Mutant: adding spreads in place of their squares.
Deno.test("composeMeanConcentrated() adds means and squares of spreads", () => {
  const { mean, spread } = composeMeanConcentrated([{ mean: 1, spread: 3 }, {
    mean: 2,
    spread: 4,
  }]);
  assertAlmostEquals(mean, 3, 1e-12);
  assertAlmostEquals(spread, 5, 1e-12);
  assertEquals(composeMeanConcentrated([]), { mean: 0, spread: 0 });
  const one = { mean: 0.1, spread: 0.2 };
  assertEquals(composeMeanConcentrated([one]), one);
});

// Mutant: ε(e^ε − 1) for the mean, which is twice too much.
Deno.test("meanConcentratedOfPure() gives a sharper total than advanced composition", () => {
  fc.assert(
    fc.property(epsilons, fc.integer({ min: 1, max: 500 }), slacks, (epsilon, count, delta) => {
      const parts = Array.from({ length: count }, () => meanConcentratedOfPure({ epsilon }));
      const total = meanConcentratedEpsilon(composeMeanConcentrated(parts), { delta });
      const advanced = advancedComposition({ epsilon }, { count, slack: delta }).epsilon;
      assert(total < advanced);
      const halfDrift = 0.5 * count * epsilon * Math.expm1(epsilon);
      assertAlmostEquals(total, advanced - halfDrift, 1e-10 * advanced);
    }),
    { seed: 81, numRuns: 50 },
  );
});

// Mutant: √(ln(1/δ)) without its 2.
Deno.test("meanConcentratedEpsilon() is sound for Gaussian noise, which is exactly concentrated", () => {
  fc.assert(
    fc.property(epsilons, slacks, (mu, delta) => {
      const claim = meanConcentratedOfGaussian({ mu });
      const epsilon = meanConcentratedEpsilon(claim, { delta });
      assert(deltaAt(gaussian({ mu, relation }), epsilon) <= delta);
      assertAlmostEquals(zcdpOfMeanConcentrated(claim), 0.5 * mu * mu, 1e-12);
    }),
    { seed: 82 },
  );
  assertAlmostEquals(zcdpOfMeanConcentrated({ mean: 1, spread: 1 }), 1, 1e-12);
});

Deno.test("meanConcentratedEpsilon() throws when an argument is out of range", () => {
  assertThrows(
    () => meanConcentratedEpsilon({ mean: -1, spread: 1 }, { delta: 0.1 }),
    RangeError,
    "mean must be at least 0",
  );
  assertThrows(
    () => meanConcentratedEpsilon({ mean: 1, spread: 1 }, { delta: 1 }),
    RangeError,
    "delta must be in [0, 1)",
  );
});

// Mutant: room for a few roundings, not for one of each part.
Deno.test("composeMeanConcentrated() is rounded up for 30,000 parts", () => {
  for (const value of [0.7, 0.9, 1.1, 1.3]) {
    const count = 30_000;
    const parts = Array.from({ length: count }, () => ({ mean: value, spread: value }));
    const { mean, spread } = composeMeanConcentrated(parts);
    const sum = big(value).times(count), root = big(value).times(big(count).sqrt());
    assert(sum.lte(mean) && sum.gte(mean * (1 - 1e-10)), `${value}`);
    assert(root.lte(spread) && root.gte(spread * (1 - 1e-10)), `${value}`);
  }
});

// Mutant: any one of the checks left out.
Deno.test("mean-concentrated privacy refuses numbers that no loss has", () => {
  const claim = { mean: 1, spread: 1 };
  for (const value of [-1, NaN, Infinity]) {
    for (const name of ["mean", "spread"]) {
      const wrong = { ...claim, [name]: value };
      for (
        const take of [
          () => composeMeanConcentrated([claim, wrong]),
          () => composeMeanConcentrated([wrong]),
          () => meanConcentratedEpsilon(wrong, { delta: 0.1 }),
          () => zcdpOfMeanConcentrated(wrong),
        ]
      ) assertThrows(take, RangeError, `${name} must be`);
    }
  }
  for (const value of [0, -1, NaN, Infinity]) {
    assertThrows(() => meanConcentratedOfPure({ epsilon: value }), RangeError, "epsilon must be");
    assertThrows(() => meanConcentratedOfGaussian({ mu: value }), RangeError, "mu must be");
  }
  for (const delta of [0, -1, NaN, 1]) {
    assertThrows(() => meanConcentratedEpsilon(claim, { delta }), RangeError, "delta must be");
  }
});

Deno.test("zcdpOfMeanConcentrated() is half the square of the spread where that is above the mean", () => {
  assertAlmostEquals(zcdpOfMeanConcentrated({ mean: 0.1, spread: 1 }), 0.5, 1e-12);
});
