import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  type ExponentialSum,
  multiplySums,
  term,
} from "../../../../lib/judge/exact/enumeration/exponential_sum.ts";
import { FactorProducts } from "../../../../lib/judge/exact/enumeration/factor_products.ts";

const FACTORS: readonly ExponentialSum[] = [
  new Map([[0n, 1n], [1n, 1n]]),
  new Map([[0n, 2n], [3n, 1n]]),
  new Map([[-1n, 1n], [2n, 5n]]),
];
const powers = fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 3 });

/** The number of a product, its factors taken in some order and one at a time. */
function numberOf(products: FactorProducts, own: readonly number[], backwards: boolean): number {
  const places = backwards ? [2, 1, 0] : [0, 1, 2];
  return places.reduce((number, k) => {
    let next = number;
    for (let i = 0; i < own[k]!; i++) next = products.times(next, products.of(FACTORS[k]!, 1));
    return next;
  }, 0);
}

function multipliedOut(own: readonly number[]): ExponentialSum {
  return own.reduce<ExponentialSum>((sum, power, k) => {
    let next = sum;
    for (let i = 0; i < power; i++) next = multiplySums(next, FACTORS[k]!);
    return next;
  }, term(0n, 1n));
}

const entries = (sum: ExponentialSum): string =>
  [...sum].map(([x, c]) => `${x}:${c}`).sort().join(" ");

// Mutants: equal products with two numbers, or different ones with one; powers of the common part that are not the least; a quotient by what does
// not divide.
Deno.test("FactorProducts has one number for each product, its common part and its quotients", () => {
  fc.assert(
    fc.property(powers, powers, powers, (a, b, c) => {
      const products = new FactorProducts();
      const [first, other, third] = [a, b, c].map((own) => numberOf(products, own, false)) as [
        number,
        number,
        number,
      ];
      assertEquals(numberOf(products, a, true), first);
      assertEquals(first === other, a.every((power, k) => power === b[k]));
      const least = a.map((power, k) => Math.min(power, b[k]!, c[k]!));
      const common = products.common([first, other, third]);
      assertEquals(common, numberOf(products, least, true));
      const rest = a.map((power, k) => power - least[k]!);
      assertEquals(entries(products.quotient(first, common)), entries(multipliedOut(rest)));
      if (rest.some((power) => power > 0)) {
        assertThrows(() => products.quotient(common, first), RangeError, "a power is below 0");
      }
    }),
    { seed: 2612, numRuns: 200 },
  );
});

Deno.test("FactorProducts: a power of 0 is no factor, and the product of none is 0", () => {
  const products = new FactorProducts();
  const number = products.of(FACTORS[0]!, 2);
  assertNotEquals(number, 0);
  assertEquals(products.of(FACTORS[1]!, 0), 0);
  assertEquals(products.common([]), 0);
  assertEquals(products.common([number, 0]), 0);
  assertEquals([products.times(0, number), products.times(number, 0)], [number, number]);
  assert(products.quotient(0, 0).get(0n) === 1n);
});
