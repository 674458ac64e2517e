import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { productError, twoSum, upperHalf } from "../../../lib/core/numeric/error_free.ts";
import {
  add,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../../../lib/core/numeric/rational.ts";

const value = fc.tuple(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.integer({ min: -300, max: 300 }),
).map(([part, power]) => part * 2 ** power);

const isZero = ({ numerator }: Rational): boolean => numerator === 0n;

Deno.test("twoSum() and productError() lose nothing, in fractions", () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [sum, lost] = twoSum(a, b);
      assertEquals(sum, a + b);
      assert(isZero(subtract(add(rational(sum), rational(lost)), add(rational(a), rational(b)))));
      const product = a * b;
      // Half digits of small products underflow.
      if (Math.abs(product) < 1e-250) return;
      const whole = add(rational(product), rational(productError(a, b)));
      assert(isZero(subtract(whole, multiply(rational(a), rational(b)))));
    }),
    { seed: 3201, numRuns: 500 },
  );
});

Deno.test("upperHalf() has at most 26 binary digits, and leaves at most 26", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 1, noNaN: true }), (whole) => {
      const upper = upperHalf(whole), lower = whole - upper;
      assert(Number.isInteger(upper * 2 ** 26) && Number.isInteger(lower * 2 ** 53));
      assert(Math.abs(lower) <= 2 ** -27);
    }),
    { seed: 3202, numRuns: 300 },
  );
});
