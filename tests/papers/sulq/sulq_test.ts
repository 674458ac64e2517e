import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { openSulq, sampleSulq } from "../../../lib/papers/sulq/sulq_database.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { unlimited } from "../../dp/learners/unlimited.ts";

const options = { variance: 4, queries: 2, relation: replaceOne };
const free = { ...options, budget: unlimited };

Deno.test("sulqNoise() has a grid that divides 1 and the deviation that was asked for", () => {
  fc.assert(
    fc.property(fc.double({ min: -40, max: 54, noNaN: true }), (exponent) => {
      const { stepsPerUnit } = sulqNoise({ variance: 2 ** exponent });
      assert(
        Number.isInteger(Math.log2(stepsPerUnit)) && stepsPerUnit >= 1024 &&
          stepsPerUnit <= 2 ** 30,
      );
    }),
    { seed: 601, numRuns: 200 },
  );
  const { stepsPerUnit, noise } = sulqNoise({ variance: 9 });
  const draws = noise.fill(new SeededSource(602), new Float64Array(100_000));
  const variance = draws.reduce((sum, x) => sum + (x / stepsPerUnit) ** 2, 0) / draws.length;
  // The mean of 100,000 squares has deviation 9·√(2/100,000) = 0.04: 5 of them, false alarm 6e-7.
  assertAlmostEquals(variance, 9, 0.2);
});

Deno.test("sampleSulq() answers the sum of contributions brought into [0, 1]", () => {
  const data = [0.25, 0.5, 3, -7, NaN];
  const exact = { ...options, variance: 2 ** -30, data };
  const database = sampleSulq(new SeededSource(603), { ...exact, queries: 2 });
  assertAlmostEquals(database.ask((row) => row), 1.75, 1e-3);
  const failing = (row: number): number => {
    if (row === 3) throw new Error("a row that cannot be read");
    return 1;
  };
  assertAlmostEquals(database.ask(failing), 4, 1e-3);
});

Deno.test("openSulq() refuses the query after the last one, whatever became of the others", () => {
  const database = openSulq([1, 2, 3], free);
  assertEquals(database.remaining, 2);
  database.ask(() => 1);
  database.ask(() => 1);
  assertEquals(database.remaining, 0);
  assertThrows(() => database.ask(() => 1), RangeError, "queries must be at most 2");
});

Deno.test("sulqNoise() takes variances from 2^-40 to 2^54, on a grid of 2^28 steps a deviation between 2^10 and 2^30 a unit", () => {
  for (
    const [variance, stepBits] of [
      [2 ** -40, 30],
      [0.2, 30],
      [1, 28],
      [3.9, 28],
      [4, 27],
      [100, 25],
      [2 ** 36, 10],
      [2 ** 54, 10],
    ] as const
  ) {
    assertEquals(sulqNoise({ variance }).stepsPerUnit, 2 ** stepBits);
  }
  for (
    const variance of [
      2 ** -40 * (1 - 2 ** -53),
      2 ** 54 * (1 + 2 ** -52),
      1e300,
      1e-300,
      0,
      -1,
      NaN,
      "4",
    ]
  ) {
    assertThrows(
      () => sulqNoise({ variance: variance as number }),
      RangeError,
      "Cannot make SuLQ noise: variance must be",
    );
  }
});

Deno.test("answers are within the noise of the truth as often as the normal law says", () => {
  const data = Array.from({ length: 500 }, (_, i) => i % 2);
  const database = sampleSulq(new SeededSource(608), { ...options, queries: 4000, data });
  let within = 0;
  for (let i = 0; i < 4000; i++) within += Math.abs(database.ask((row) => row) - 250) <= 4 ? 1 : 0;
  // Two deviations hold 95.45%: of 4000, 3818 with deviation 13.2; five of them, false alarm 6e-7.
  assert(Math.abs(within - 3818) <= 66, `${within} answers are within two deviations`);
});
