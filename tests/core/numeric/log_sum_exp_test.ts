import { assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { logAddExp, logSumExp } from "../../../lib/core/numeric/log_sum_exp.ts";

Deno.test("logSumExp() sums without overflow or underflow", () => {
  assertAlmostEquals(logSumExp([-1000, -1000]), -1000 + Math.LN2, 1e-12);
  assertAlmostEquals(logSumExp(Float64Array.of(1000, 999)), 1000 + Math.log1p(Math.exp(-1)), 1e-12);
});

Deno.test("logSumExp() takes empty sums, infinities and NaN as they are", () => {
  assertEquals(logSumExp([]), -Infinity);
  assertEquals(logSumExp([-Infinity, -Infinity]), -Infinity);
  assertEquals(logSumExp([Infinity, 0]), Infinity);
  assertEquals(logSumExp([NaN, 0]), NaN);
  assertEquals(logAddExp(-Infinity, -Infinity), -Infinity);
  assertEquals(logAddExp(-Infinity, 3), 3);
});

Deno.test("logAddExp() is logSumExp() of two", () => {
  const log = fc.double({ min: -700, max: 700, noNaN: true });
  fc.assert(
    fc.property(log, log, (a, b) => {
      assertAlmostEquals(
        logAddExp(a, b),
        logSumExp([a, b]),
        1e-12 * Math.max(1, Math.abs(a), Math.abs(b)),
      );
    }),
    { seed: 6 },
  );
});
