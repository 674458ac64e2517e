import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  bitLength,
  divide,
  floor,
  multiply,
  negated,
  rational,
  subtract,
  toNumber,
} from "../../../lib/core/numeric/rational.ts";

Deno.test("rational() holds every double exactly", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
      assertEquals(toNumber(rational(x)), x === 0 ? 0 : x);
    }),
    { seed: 1, numRuns: 2000 },
  );
});

Deno.test("rational() reduces and keeps the denominator positive", () => {
  assertEquals(rational(6, -4), { numerator: -3n, denominator: 2n });
  assertEquals(rational(0, 5), { numerator: 0n, denominator: 1n });
  assertEquals(rational(0.1), { numerator: 3602879701896397n, denominator: 2n ** 55n });
});

Deno.test("multiply(), divide() and subtract() are exact", () => {
  assertEquals(multiply(rational(2, 3), rational(3, 4)), rational(1, 2));
  assertEquals(divide(rational(2, 3), rational(-4, 3)), rational(-1, 2));
  assertEquals(subtract(rational(1, 2), rational(1, 3)), rational(1, 6));
  assertEquals(negated(rational(2, 3)), rational(-2, 3));
  assertEquals(bitLength(-8n), 4);
});

// Mutant: towards 0.
Deno.test("floor() is the largest whole number that is not above", () => {
  const cases = [[3, 1n], [-3, -2n], [4, 2n], [-4, -2n], [0, 0n], [-1, -1n]] as const;
  for (const [halves, whole] of cases) assertEquals(floor(rational(halves, 2)), whole);
});

Deno.test("rational() refuses what is no fraction", () => {
  assertThrows(() => rational(NaN), RangeError, "finite");
  assertThrows(() => rational(1, 0), RangeError, "denominator");
  assertThrows(() => divide(rational(1), rational(0)), RangeError, "denominator");
});
