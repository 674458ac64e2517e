import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  atMost,
  dyadicOf,
  dyadicToNumberDown,
  dyadicToNumberUp,
} from "../../../lib/core/numeric/dyadic.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

// Mutants: losing the sign; an implicit leading digit below 2⁻¹⁰²²; an exponent off by one.
Deno.test("dyadicOf() is the fraction that the double is", () => {
  fc.assert(
    fc.property(finite, (value) => {
      const { digits, exponent } = dyadicOf(value);
      const { numerator, denominator } = rational(value);
      assertEquals(digits * denominator, shifted(numerator, -exponent));
      assertEquals(dyadicToNumberUp({ digits, exponent }), value + 0);
      assertEquals(dyadicToNumberDown({ digits, exponent }) + 0, value + 0);
    }),
    {
      seed: 3,
      numRuns: 500,
      examples: [[Number.MIN_VALUE], [-Number.MAX_VALUE], [2 ** -1022], [-0]],
    },
  );
});

function shifted(value: bigint, by: number): bigint {
  return by >= 0 ? value << BigInt(by) : value >> BigInt(-by);
}

// Mutant: rounding to nearest in either direction.
Deno.test("dyadicToNumberUp() and dyadicToNumberDown() are the doubles next to a number between them", () => {
  fc.assert(
    fc.property(finite, finite, (a, b) => {
      const left = dyadicOf(a), right = dyadicOf(b);
      const value = {
        digits: left.digits * right.digits,
        exponent: left.exponent + right.exponent,
      };
      const up = dyadicToNumberUp(value), down = dyadicToNumberDown(value);
      if (Number.isFinite(up)) assert(atMost(value, dyadicOf(up)));
      if (Number.isFinite(down)) assert(atMost(dyadicOf(down), value));
      const nearest = a * b;
      assert(down <= nearest && nearest <= up);
      assert(down === nearest || up === nearest);
    }),
    { seed: 4, numRuns: 500 },
  );
});
