import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  addPolynomials,
  derivative,
  multiplyPolynomials,
  type Polynomial,
  polynomial,
  shifted,
  signAt,
} from "../../../lib/judge/exact/polynomial.ts";

const small = fc.array(fc.bigInt({ min: -9n, max: 9n }), { maxLength: 5 }).map(polynomial);

function at(of: Polynomial, t: bigint): bigint {
  return of.reduceRight((sum, coefficient) => sum * t + coefficient, 0n);
}

Deno.test("sums, products, derivatives and shifts agree with evaluation at whole numbers", () => {
  fc.assert(
    fc.property(small, small, fc.bigInt({ min: -5n, max: 5n }), (p, q, t) => {
      assertEquals(at(addPolynomials(p, q), t), at(p, t) + at(q, t));
      assertEquals(at(multiplyPolynomials(p, q), t), at(p, t) * at(q, t));
      assertEquals(at(shifted(p, { by: 2n }), t), at(p, t + 2n));
      // The product rule.
      assertEquals(
        derivative(multiplyPolynomials(p, q)),
        addPolynomials(
          multiplyPolynomials(derivative(p), q),
          multiplyPolynomials(p, derivative(q)),
        ),
      );
    }),
    { seed: 1, numRuns: 300 },
  );
});

Deno.test("polynomial() drops leading zeros and no others", () => {
  assertEquals(polynomial([0n, 1n, 0n, 0n]), [0n, 1n]);
  assertEquals(polynomial([0n]), []);
});

Deno.test("signAt() is exact where doubles are not", () => {
  // 10¹⁶ + 1 − 10¹⁶ is lost in doubles.
  const p = [10n ** 16n + 1n, -(10n ** 16n)];
  assertEquals(signAt(p, { numerator: 1n, denominator: 1n }), 1);
  assertEquals(signAt([-1n, 3n], { numerator: 1n, denominator: 3n }), 0);
});

Deno.test("sums of nothing, and products with nothing, are empty", () => {
  assertEquals(addPolynomials(), []);
  assertEquals(multiplyPolynomials(), [1n]);
  for (const p of [[], [3n], [1n, 2n]]) {
    assertEquals(multiplyPolynomials(p, []), []);
    assertEquals(multiplyPolynomials([], p), []);
  }
  assertEquals(polynomial([]), []);
});
