import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  addSums,
  multiplySums,
  signOf,
  term,
} from "../../../../lib/judge/exact/enumeration/exponential_sum.ts";
import { expEnclosure } from "../../../../lib/core/numeric/exp_enclosure.ts";

/** Σ c·exp(−x/10), as the enumeration writes it. */
const scale = 10n;
const sum = (terms: Record<string, bigint>) =>
  new Map(Object.entries(terms).map(([x, c]) => [BigInt(x), c]));

// Mutants: an enclosure rounded inward; a sum that cancels taken for positive.
Deno.test("signOf() is exact where doubles cannot tell", () => {
  // 10^40·exp(−1) lies between these two whole numbers.
  const floor = 3678794411714423215955237701614608674458n;
  const e = sum({ "10": 10n ** 40n });
  assertEquals(signOf(addSums(e, term(0n, floor), { factor: -1n }), { scale }), 1);
  assertEquals(signOf(addSums(e, term(0n, floor + 1n), { factor: -1n }), { scale }), -1);
  assertEquals(signOf(term(0n, 0n), { scale }), 0);
  // Far below the least double, and of either sign.
  assertEquals(signOf(sum({ "20000": 1n, "20001": -1n }), { scale }), 1);
  assertEquals(signOf(sum({ "20000": -1n, "20001": 1n }), { scale }), -1);
});

// Mutants: a positive term enclosed from above alone, a negative one from below.
Deno.test("signOf() finds the whole number next to a multiple of an exponential", () => {
  const factor = 10n ** 40n;
  for (let x = 1n; x <= 20n; x++) {
    const { lower } = expEnclosure({ numerator: x, denominator: scale }, 500);
    const floor = factor * lower >> 500n;
    const multiple = term(x, factor);
    assertEquals(signOf(addSums(multiple, term(0n, floor), { factor: -1n }), { scale }), 1);
    assertEquals(signOf(addSums(multiple, term(0n, floor + 1n), { factor: -1n }), { scale }), -1);
    assertEquals(signOf(addSums(term(0n, floor + 1n), multiple, { factor: -1n }), { scale }), 1);
  }
});

// Mutants: exponents multiplied; a term that cancels kept with coefficient 0.
Deno.test("multiplySums() and addSums() collect equal exponents and drop what cancels", () => {
  const one = sum({ "0": 1n, "5": -1n }), other = sum({ "0": 1n, "5": 1n });
  assertEquals(multiplySums(one, other), sum({ "0": 1n, "10": -1n }));
  assertEquals(addSums(one, one, { factor: -1n }).size, 0);
  assertEquals(addSums(term(0n, 1n), one, { exponent: -5n }), sum({ "-5": 1n }));
});

// Mutants: a term enclosed from the other side, whatever its coefficient is: with few bits sums near 0 are common.
Deno.test("signOf() is exact with any number of bits to begin with", () => {
  const coefficient = fc.constantFrom(1, 1, 1, 1, -1, -1, -1, -1, 2, -2, 3, -3);
  const terms = fc.array(fc.tuple(fc.nat({ max: 20 }), coefficient), {
    minLength: 1,
    maxLength: 9,
  });
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 5 }), (terms, firstBits) => {
      let sum = term(0n, 0n), near = 0;
      for (const [x, c] of terms) {
        sum = addSums(sum, term(BigInt(x), BigInt(c)));
        near += c * Math.exp(-x / 10);
      }
      if (sum.size > 0 && Math.abs(near) < 1e-12) return;
      assertEquals(signOf(sum, { scale, firstBits }), sum.size === 0 ? 0 : Math.sign(near));
    }),
    { seed: 2615, numRuns: 4000 },
  );
});
