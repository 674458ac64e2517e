import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { expEnclosure } from "../../../lib/core/numeric/exp_enclosure.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { bigNumber } from "./big_number.ts";

Deno.test("expEnclosure() holds the double exponential and is narrow", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 80, noNaN: true }), (x) => {
      const { lower, upper } = expEnclosure(rational(x), 200);
      assert(upper > lower && upper - lower <= 4n);
      const middle = Number(lower) / 2 ** 200;
      assert(Math.abs(middle / Math.exp(-x) - 1) < 4e-16);
    }),
    { seed: 2, numRuns: 500 },
  );
});

// Mutants: an upper end that is not rounded up; a square too few.
Deno.test("expEnclosure() holds the exponential, to 80 digits", () => {
  const sizes = fc.double({ min: -40, max: Math.log(130), noNaN: true }).map(Math.exp);
  fc.assert(
    fc.property(sizes, fc.constantFrom(64, 128, 200), (x, precision) => {
      const { lower, upper } = expEnclosure(rational(x), precision);
      const exact = bigNumber(x).neg().exp().times(bigNumber(1n << BigInt(precision)));
      assert(bigNumber(lower).lte(exact) && bigNumber(upper).gte(exact), `${x}: ${exact}`);
    }),
    { seed: 3, numRuns: 500 },
  );
});

Deno.test("expEnclosure() gives the digits of 1/e", () => {
  const { lower, upper } = expEnclosure(rational(1), 160);
  // 0.36787944117144232159552377016146086744581113103176… (OEIS A068985)
  const digits = 36787944117144232159552377016146086744581113103n;
  const scale = 10n ** 47n, one = 1n << 160n;
  assert(lower * scale <= (digits + 1n) * one && upper * scale >= digits * one);
  assert(upper - lower <= 4n);
});

Deno.test("expEnclosure() nests as the precision grows", () => {
  for (const x of [rational(1, 3), rational(7), rational(2 ** 20, 3)]) {
    const coarse = expEnclosure(x, 64), fine = expEnclosure(x, 256);
    assert(coarse.lower << 192n <= fine.lower && coarse.upper << 192n >= fine.upper);
  }
  assertEquals(expEnclosure(rational(1e300), 64), { lower: 0n, upper: 1n });
  assertThrows(() => expEnclosure(rational(-1), 64), RangeError);
});
