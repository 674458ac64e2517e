import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { qnorm } from "lib-r-math.js";
import {
  logNormalTail,
  normalTail,
  normalTailQuantile,
} from "../../../lib/core/numeric/normal_tail.ts";
import golden from "../../../fixtures/core/golden/numeric.json" with { type: "json" };

Deno.test("logNormalTail() has thirteen digits of the probability in both tails", () => {
  for (const [x, expected] of golden.logNormalTail as [number, string][]) {
    const exact = Number(expected);
    // For large x the logarithm is of size x²/2: there its own digits count.
    assert(
      Math.abs(logNormalTail(x) - exact) <=
        1e-13 * Math.max(Math.min(1, -exact), Math.abs(exact) / 100),
      `${x}: ${logNormalTail(x)} ${exact}`,
    );
  }
});

Deno.test("logNormalTail() falls strictly, and takes infinities and NaN", () => {
  assertEquals(logNormalTail(Infinity), -Infinity);
  assertEquals(logNormalTail(-Infinity), 0);
  assertEquals(logNormalTail(NaN), NaN);
  const x = fc.double({ min: -8, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(x, fc.double({ min: 1e-3, max: 1, noNaN: true }), (at, step) => {
      assert(logNormalTail(at + step) < logNormalTail(at));
    }),
    { seed: 8 },
  );
});

Deno.test("normalTail() of x and of −x add up to one", () => {
  fc.assert(
    fc.property(fc.double({ min: -10, max: 10, noNaN: true }), (x) => {
      assertAlmostEquals(normalTail(x) + normalTail(-x), 1, 1e-14);
    }),
    { seed: 9 },
  );
});

Deno.test("normalTailQuantile() agrees with R, and inverts normalTail()", () => {
  for (
    const p of [1e-300, 1e-100, 1e-15, 1e-6, 0.01, 0.09, 0.11, 0.3, 0.5, 0.7, 0.999, 1 - 1e-12]
  ) {
    const exact = qnorm(p, 0, 1, false);
    assertAlmostEquals(normalTailQuantile(p), exact, 1e-11 * Math.max(1, Math.abs(exact)));
  }
  for (const p of [0, 1, -1, NaN]) {
    assertThrows(() => normalTailQuantile(p), RangeError, "p must be");
  }
});
