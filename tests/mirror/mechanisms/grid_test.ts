import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { replaceOne } from "../../../lib/core/relation.ts";
import { pure } from "../../../lib/core/claim.ts";
import { integerGaussian } from "../../../lib/mechanisms/gaussian.ts";
import {
  geometric,
  integerLaplace,
  truncatedGeometric,
} from "../../../lib/mechanisms/geometric.ts";
import { gridSensitivity, requireGranularity, toGrid } from "../../../lib/mechanisms/grid.ts";
import { gridInteger } from "../../../lib/mechanisms/grid_mechanism.ts";
import { laplace, vectorLaplace } from "../../../lib/mechanisms/laplace.ts";
import { rational } from "../../../lib/numeric/rational.ts";
import { discreteLaplace } from "../../../lib/random/discrete_laplace.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

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

Deno.test("laplace() refuses grids that are no powers of two or too fine for the noise", () => {
  for (const granularity of [0, -1, 0.1, NaN, Infinity]) {
    assertThrows(() => laplace({ ...options, granularity }), RangeError, "granularity must");
  }
  assertThrows(() => laplace({ ...options, granularity: 2 ** -40 }), RangeError, "at most 2^38");
  for (const sensitivity of [0, -1, NaN, Infinity]) {
    assertThrows(() => laplace({ ...options, sensitivity }), RangeError, "sensitivity must");
  }
  const wrong = vectorLaplace({ ...options, query: () => [1], dimension: 2 });
  assertThrows(() => wrong.check([1]), RangeError, "2 numbers");
});

Deno.test("grids have steps from 2^-900 to 2^900, and sensitivities of at most 2^50 of them", () => {
  for (const granularity of [2 ** -900, 2 ** 900]) requireGranularity("test", granularity);
  for (const granularity of [2 ** -901, 2 ** 901]) {
    assertThrows(() => requireGranularity("test", granularity), RangeError, "granularity must be");
  }
  assertEquals(gridSensitivity("test", { sensitivity: 2 ** 50, granularity: 1 }), 2 ** 50);
  assertThrows(
    () => gridSensitivity("test", { sensitivity: 2 ** 50 + 1, granularity: 1 }),
    RangeError,
    "at most 2^50 steps",
  );
  const vector = { query: () => [0], dimension: 1, relation: replaceOne };
  // Integers are steps of 1.
  const rho = 2 ** 80;
  integerGaussian({ ...vector, rho, sensitivity: 2 ** 50 });
  assertThrows(
    () => integerGaussian({ ...vector, rho, sensitivity: 2 ** 50 + 1 }),
    RangeError,
    "at most 2^50 steps",
  );
  // Vectors may be as short as numbers.
  assertEquals(vectorLaplace({ ...options, ...vector }).grid, laplace(options).grid);
});

Deno.test("integer mechanisms take whole sensitivities alone", () => {
  const whole = { ...options, query: () => 0, bounds: { lower: 0, upper: 5 } };
  const vector = { ...whole, query: () => [0], dimension: 1 };
  for (const sensitivity of [0.5, 1.5, 2 ** 53]) {
    for (
      const make of [
        () => geometric({ ...whole, sensitivity }),
        () => truncatedGeometric({ ...whole, sensitivity }),
        () => integerLaplace({ ...vector, sensitivity }),
      ]
    ) assertThrows(make, RangeError, "sensitivity must be an integer");
  }
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
