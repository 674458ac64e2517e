import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { lowestBitExponent } from "../../../../../lib/judge/audit/model/encoding/lowest_bit_exponent.ts";

/** The exponent of the lowest set bit, by whole numbers of any size. */
function exactExponent(x: number): number {
  let exponent = 0, y = Math.abs(x);
  // Doubling is exact, subnormals included: only numbers below 2^53 have a fraction.
  while (!Number.isInteger(y)) {
    y *= 2;
    exponent--;
  }
  let whole = BigInt(y);
  while (whole % 2n === 0n) {
    whole /= 2n;
    exponent++;
  }
  return exponent;
}

Deno.test("lowestBitExponent() agrees with exact arithmetic on doubles of every size", () => {
  const view = new DataView(new ArrayBuffer(8));
  const anyBits = fc.tuple(fc.nat(0x7fffffff), fc.nat(0xffffffff), fc.nat(63)).map(
    ([high, low, zeros]) => {
      view.setUint32(0, high);
      view.setUint32(4, low);
      // Clear some of the lowest bits, so that all places occur.
      const kept = (view.getBigUint64(0) >> BigInt(zeros % 53)) << BigInt(zeros % 53);
      view.setBigUint64(0, kept);
      return view.getFloat64(0);
    },
  ).filter((x) => Number.isFinite(x) && x !== 0);
  fc.assert(
    fc.property(anyBits, fc.boolean(), (x, negative) => {
      assertEquals(lowestBitExponent(negative ? -x : x), exactExponent(x), `of ${x}`);
    }),
    { seed: 7, numRuns: 3000 },
  );
  for (
    const [x, exponent] of [
      [1, 0],
      [0.5, -1],
      [3, 0],
      [12, 2],
      [0.1, -55],
      [2 ** 1023, 1023],
      [Number.MIN_VALUE, -1074],
      [3 * Number.MIN_VALUE, -1074],
      [2 ** -1022, -1022],
      [2 ** -1022 + 2 ** -1074, -1074],
      [2 ** 31, 31],
      [2 ** 32 + 1, 0],
      [Number.MAX_VALUE, 971],
    ] as const
  ) {
    assertEquals(lowestBitExponent(x), exponent, `of ${x}`);
    assertEquals(exactExponent(x), exponent);
  }
});

Deno.test("lowestBitExponent() is above every other exponent for zero, NaN where x is not finite", () => {
  for (const zero of [0, -0]) assert(lowestBitExponent(zero) > 1100);
  for (const x of [NaN, Infinity, -Infinity]) assertEquals(lowestBitExponent(x), NaN);
});
