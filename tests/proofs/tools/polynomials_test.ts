import { assertEquals, assertThrows } from "@std/assert";
import { monomial, subtractPolynomials, valueAt } from "../../../proofs/tools/polynomials.ts";

Deno.test("differences and values are those of the terms", () => {
  assertEquals(subtractPolynomials([1n, 2n, 3n], [4n, 2n, 3n]), [-3n]);
  assertEquals(subtractPolynomials([], monomial(3, 2)), [0n, 0n, -3n]);
  assertEquals(valueAt([1n, 0n, 2n], -1.5), 5.5);
  // 10¹⁶ + 1 − 10¹⁶ is lost in doubles.
  assertEquals(valueAt([10n ** 16n + 1n, -(10n ** 16n)], 1), 0);
});

Deno.test("monomial() refuses degrees that are no whole numbers", () => {
  for (const degree of [-1, 1.5, NaN, Infinity, 2 ** 53]) {
    assertThrows(() => monomial(1, degree), RangeError, "degree must be a whole number");
  }
  assertEquals(monomial(7, 0), [7n]);
});
