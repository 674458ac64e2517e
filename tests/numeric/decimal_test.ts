import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  addDecimals,
  atMost,
  decimalOf,
  decimalToNumberDown,
  decimalToNumberUp,
  multiplyDecimals,
  subtractDecimals,
  zeroDecimal,
} from "../../lib/numeric/decimal.ts";

const finite = fc.double({ noNaN: true, min: -1e20, max: 1e20 });

// Mutant: summing doubles (0.1 ten times is 0.9999999999999999).
Deno.test("addDecimals() makes 1 of ten tenths", () => {
  let sum = zeroDecimal;
  for (let i = 0; i < 10; i++) sum = addDecimals(sum, decimalOf(0.1));
  assertEquals(decimalToNumberUp(sum), 1);
  assertEquals(decimalToNumberDown(sum), 1);
});

// Mutant: losing the sign or the exponent of numbers printed as 1e-7.
Deno.test("decimalOf() reads back as the same number when printed in any way", () => {
  fc.assert(
    fc.property(finite, (value) => {
      assertEquals(decimalToNumberUp(decimalOf(value)), value + 0);
      assertEquals(decimalToNumberDown(decimalOf(value)) + 0, value + 0);
    }),
    { seed: 3, numRuns: 500 },
  );
  assertEquals(decimalOf(-1.5e-7), { digits: -15n, exponent: -8 });
});

// Mutant: rounding to nearest in either direction.
Deno.test("decimalToNumberUp() and decimalToNumberDown() enclose a sum when it is not a double", () => {
  fc.assert(
    fc.property(finite, finite, (a, b) => {
      const sum = addDecimals(decimalOf(a), decimalOf(b));
      assert(atMost(sum, decimalOf(decimalToNumberUp(sum))));
      assert(atMost(decimalOf(decimalToNumberDown(sum)), sum));
    }),
    { seed: 4, numRuns: 500 },
  );
});

Deno.test("subtractDecimals() and multiplyDecimals() are exact when doubles are not", () => {
  assertEquals(decimalToNumberUp(subtractDecimals(decimalOf(1), decimalOf(0.9))), 0.1);
  assertEquals(decimalToNumberUp(multiplyDecimals(decimalOf(0.1), decimalOf(0.1))), 0.01);
});

Deno.test("decimalOf() throws when the number is not finite", () => {
  for (const value of [NaN, Infinity, -Infinity]) {
    assertThrows(() => decimalOf(value), RangeError, "value must be finite");
  }
});
