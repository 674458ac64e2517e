import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { pure } from "../../../lib/core/mod.ts";
import {
  computedSensitivity,
  gridSensitivity,
  toGrid,
  toWholeGrid,
} from "../../../lib/dp/mechanisms/grid.ts";
import { gridInteger } from "../../../lib/dp/mechanisms/grid_mechanism.ts";
import { laplace, vectorLaplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { add, compare, rational } from "../../../lib/core/numeric/rational.ts";
import { discreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const options = {
  query: (rows: readonly number[]) => rows[0]!,
  epsilon: 1,
  sensitivity: 1,
  granularity: 2 ** -5,
  relation: replaceOne,
};

Deno.test("gridSensitivity() bounds what rounding does to any two values, and is reached", () => {
  const granularity = 1;
  let reached = false;
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 20, noNaN: true }),
      (value, sensitivity) => {
        // The rounding of value + sensitivity itself may go beyond: measure the distance made.
        const other = value + sensitivity;
        const steps = gridSensitivity("test", { sensitivity: other - value, granularity });
        const moved = toGrid("test", other, granularity) - toGrid("test", value, granularity);
        assert(moved <= steps);
        reached ||= moved === steps && !Number.isInteger(sensitivity);
      },
    ),
    { seed: 81, numRuns: 2000 },
  );
  assert(reached);
  assertEquals(gridSensitivity("test", { sensitivity: 2.5, granularity: 1, dimension: 3 }), 5);
});

Deno.test("toGrid() brings far values to the bound and refuses what is not finite", () => {
  assertEquals(toGrid("test", 1e300, 2 ** -20), 2 ** 51);
  assertEquals(toGrid("test", -1e300, 2 ** -20), -(2 ** 51));
  assert(Object.is(toGrid("test", -0.1, 1), 0));
  for (const bad of [NaN, Infinity, -Infinity]) {
    assertThrows(() => toGrid("test", bad, 1), RangeError, "finite number");
  }
});

// Mutant: numbers below −2^51 that stay doubles, so that sums of them are rounded.
Deno.test("toWholeGrid() has an exact integer for every number, on both sides of 0", () => {
  for (const sign of [1, -1]) {
    assertEquals(toWholeGrid("test", sign * 2 ** 51, 1), sign * 2 ** 51);
    assertEquals(toWholeGrid("test", sign * 2 ** 60, 1), BigInt(sign) << 60n);
    assertEquals(toWholeGrid("test", sign * 1e300, 2 ** -900), BigInt(sign) << 1023n);
  }
});

// Mutant: a sum that is rounded to the nearest double.
Deno.test("computedSensitivity() is no less than the sensitivity with both errors, exactly", () => {
  const number = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(number, number, (sensitivity, queryError) => {
      const computed = computedSensitivity("test", { sensitivity, queryError });
      const exact = add(rational(sensitivity), add(rational(queryError), rational(queryError)));
      assert(compare(rational(computed), exact) >= 0);
      assert(computed <= (sensitivity + 2 * queryError) * (1 + 2 ** -50));
    }),
    { seed: 83, numRuns: 500 },
  );
});

Deno.test("laplace() releases multiples of its granularity only, whatever the value", () => {
  const mechanism = laplace(options);
  for (const value of [0, 0.1, Math.PI, 1e9 + 1 / 3]) {
    for (const output of mechanism.sampleMany!([value], 1000, new SeededSource(82))) {
      assert(Number.isInteger(output * 32));
    }
  }
});

Deno.test("laplace() scales its noise to the raised sensitivity", () => {
  assertEquals(laplace(options).grid, {
    granularity: 2 ** -5,
    sensitivityInSteps: 32,
    scaleInSteps: 32,
  });
  assertEquals(laplace({ ...options, sensitivity: 1.001 }).grid.sensitivityInSteps, 33);
  const vector = vectorLaplace({ ...options, query: () => [0, 0, 0], dimension: 3, epsilon: 2 });
  assertEquals(vector.grid.sensitivityInSteps, 34);
  assertEquals(vector.grid.scaleInSteps, 17);
});

// Mutants: -0 from bounds; a fraction of a step that meets a sum of big integers.
Deno.test("gridInteger() adds noise to sums beyond all doubles, in blocks and densities", () => {
  const noise = discreteLaplace({ scale: rational(2) });
  const mechanism = gridInteger<number>({
    name: "far",
    claim: pure({ epsilon: 0.5, relation: replaceOne }),
    grid: { granularity: 0.5, sensitivityInSteps: 1, scaleInSteps: 2 },
    noise,
    center: () => 2n ** 60n,
  });
  const block = mechanism.sampleMany!([], 500, new SeededSource(83));
  const drawn = noise.fill(new SeededSource(83), new Float64Array(500));
  block.forEach((output, i) => assertEquals(output, Number(2n ** 60n + BigInt(drawn[i]!)) / 2));
  assertEquals(mechanism.logDensity!(2 ** 59, []), noise.logProbability(0));
  assertEquals(mechanism.logDensity!(0.25, []), -Infinity);
});
