import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { logBinomialLowerTail, logBinomialTail } from "../../../lib/core/numeric/binomial_tail.ts";
import golden from "../../../fixtures/core/golden/numeric.json" with { type: "json" };

Deno.test("logBinomialTail() has ten digits of the probability when counts reach 1e10", () => {
  for (const [k, n, p, expected] of golden.logBinomialTail as [number, number, number, string][]) {
    const log = Number(expected), computed = logBinomialTail(k, n, p);
    // Far tails keep twelve digits of the logarithm; elsewhere the probability has ten.
    const tolerance = Math.max(1e-10, 1e-12 * Math.abs(log));
    assert(Math.abs(computed - log) <= tolerance, `${k} of ${n}, p=${p}: ${computed}, ${log}`);
  }
});

Deno.test("logBinomialTail() is the sum of the masses when the count is small", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.double({ min: 0.1, max: 0.9, noNaN: true }),
      fc.nat(300),
      (n, p, start) => {
        const k = start % (n + 1);
        let mass = (1 - p) ** n, lower = 0, upper = 0, total = 0;
        for (let j = 0; j <= n; j++) {
          if (j >= k) upper += mass;
          if (j <= k) lower += mass;
          total += mass;
          mass *= ((n - j) * p) / ((j + 1) * (1 - p));
        }
        // Divided by the total, the rounding of 1 − p in the first mass drops out.
        upper /= total;
        lower /= total;
        assertAlmostEquals(Math.exp(logBinomialTail(k, n, p)), upper, 1e-12 + 1e-11 * upper);
        assertAlmostEquals(Math.exp(logBinomialLowerTail(k, n, p)), lower, 1e-12 + 1e-11 * lower);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

Deno.test("logBinomialTail() and the lower tail add up to one, and a tail shrinks as k grows", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 1e-9, max: 1, maxExcluded: true, noNaN: true }),
      fc.nat(10_000),
      (n, p, start) => {
        const k = start % (n + 1);
        const upper = logBinomialTail(k, n, p), lower = logBinomialLowerTail(k - 1, n, p);
        assertAlmostEquals(Math.exp(upper) + Math.exp(lower), 1, 1e-11);
        assert(logBinomialTail(k + 1, n, p) <= upper);
      },
    ),
    { seed: 2, numRuns: 300 },
  );
});

Deno.test("logBinomialTail() is exact at the ends", () => {
  assertEquals(logBinomialTail(0, 5, 0.3), 0);
  assertEquals(logBinomialTail(6, 5, 0.3), -Infinity);
  assertEquals(logBinomialTail(1, 5, 0), -Infinity);
  assertEquals(logBinomialTail(5, 5, 1), 0);
  assertEquals(logBinomialLowerTail(-1, 5, 0.3), -Infinity);
  assertEquals(logBinomialLowerTail(5, 5, 0.3), 0);
  assertEquals(logBinomialLowerTail(4, 5, 1), -Infinity);
});
