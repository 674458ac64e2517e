import { assert, assertAlmostEquals } from "@std/assert";
import fc from "fast-check";
import { logGamma, stirlingCorrection } from "../../../lib/core/numeric/log_gamma.ts";
import golden from "../../../fixtures/core/golden/numeric.json" with { type: "json" };

Deno.test("logGamma() has fourteen digits from 1e-8 to 1e10", () => {
  for (const [x, expected] of golden.logGamma as [number, string][]) {
    const exact = Number(expected);
    assert(Math.abs(logGamma(x) - exact) <= 4e-15 * Math.max(1, Math.abs(exact)), `${x}`);
  }
});

Deno.test("logGamma() satisfies Γ(x + 1) = x Γ(x)", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (x) => {
      assertAlmostEquals(logGamma(x + 1) - logGamma(x), Math.log(x), 1e-11);
    }),
    { seed: 7 },
  );
});

Deno.test("stirlingCorrection() lies between the first two partial sums of its series", () => {
  for (const x of [0.5, 1, 3, 14.99, 15, 1e3, 1e10]) {
    const value = stirlingCorrection(x);
    assert(value <= (1 / 12 / x) * (1 + 1e-15), `${x}`);
    assert(value >= (1 / 12 / x - 1 / 360 / x ** 3) * (1 - 1e-15), `${x}`);
  }
});
