import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { betaQuantile } from "../../../lib/core/numeric/beta_quantile.ts";
import { logIncompleteBeta } from "../../../lib/core/numeric/incomplete_beta.ts";

const shape = fc.double({ min: -0.5, max: 6, noNaN: true }).map((power) => 10 ** power);

Deno.test("betaQuantile() inverts logIncompleteBeta() in both tails", () => {
  fc.assert(
    fc.property(shape, shape, fc.double({ min: -100, max: -0.01, noNaN: true }), (a, b, log) => {
      const x = betaQuantile(log, { a, b });
      const y = betaQuantile(log, { a: b, b: a, tail: "upper" });
      if (x > 1e-300 && x < 0.9) {
        assertAlmostEquals(logIncompleteBeta(x, { a, b }).lower, log, 1e-8 * Math.max(1, -log));
        // P(Beta(b, a) ≥ 1 − x) = P(Beta(a, b) ≤ x).
        assert(Math.abs(x + y - 1) < 1e-12);
      }
    }),
    { seed: 5, numRuns: 300 },
  );
});

Deno.test("betaQuantile() has closed forms when a shape is one", () => {
  for (const p of [1e-300, 1e-9, 0.5, 1 - 1e-12]) {
    const x = betaQuantile(Math.log(p), { a: 4, b: 1 });
    assertAlmostEquals(x, p ** 0.25, 1e-12 * p ** 0.25);
  }
  assertEquals(betaQuantile(-Infinity, { a: 2, b: 3 }), 0);
  assertEquals(betaQuantile(0, { a: 2, b: 3 }), 1);
  assertEquals(betaQuantile(-Infinity, { a: 2, b: 3, tail: "upper" }), 1);
});
