import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { nearFraction } from "../../../../lib/exact/alignment/near_fraction.ts";
import { rational } from "../../../../lib/numeric/rational.ts";

const within = fc.constantFrom(1e-6, 1e-9, 1e-12);

// Mutants: a convergent before or after; the tolerance of another number, or of its sign.
Deno.test("nearFraction() is a fraction that is near enough, and no smaller denominator is as near", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), within, (value, within) => {
      const { numerator, denominator } = nearFraction(value, { within });
      const tolerance = within * Math.max(1e-3, Math.abs(value));
      const error = Math.abs(Number(numerator) / Number(denominator) - value);
      assert(error <= tolerance, `${numerator}/${denominator} for ${value}`);
      // A convergent errs by less than the square of 1/denominator; a smaller denominator errs by more.
      assert(error <= Number(denominator) ** -2 + 1e-15 * Math.abs(value));
      for (let d = 1; d < Math.min(200, Number(denominator)); d++) {
        assert(Math.abs(Math.round(value * d) / d - value) > error, `${d} for ${value}`);
      }
    }),
    { seed: 2618, numRuns: 300 },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: 1, max: 300 }),
      (n, d) => assertEquals(nearFraction(n / d, { within: 1e-9 }), rational(n, BigInt(d))),
    ),
    { seed: 2619, numRuns: 300 },
  );
});

Deno.test("nearFraction() has a tolerance of the size of a number, from a thousandth on", () => {
  const of = (value: number, within: number): [bigint, bigint] => {
    const { numerator, denominator } = nearFraction(value, { within });
    return [numerator, denominator];
  };
  assertEquals(of(0, 1e-6), [0n, 1n]);
  assertEquals(of(1e-10, 1e-6), [0n, 1n]);
  assertEquals(of(1e-9, 1e-6), [0n, 1n]);
  assertEquals(of(1.5e-9, 1e-6), [1n, 666666666n]);
  assertEquals(of(-5.000001, 1e-6), [-5n, 1n]);
  assertEquals(of(5.000006, 1e-6), [833331n, 166666n]);
  // The slowest continued fraction.
  const { numerator, denominator } = nearFraction((1 + Math.sqrt(5)) / 2, { within: 1e-12 });
  assertEquals([numerator, denominator], [1346269n, 832040n]);
});
