import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { gaussianDelta } from "../../../lib/numeric/gaussian_delta.ts";
import golden from "../../../fixtures/golden/numeric.json" with { type: "json" };

Deno.test("gaussianDelta() has eleven digits where the difference of tails does not cancel", () => {
  for (const [mu, epsilon, expected] of golden.gaussianDelta as [number, number, string][]) {
    const exact = Number(expected), computed = gaussianDelta(mu, epsilon);
    // The two tails agree to about μ²: relative to δ the rounding of their logarithms grows with it.
    const first = 0.5 * (epsilon / mu) ** 2;
    const tolerance = 1e-12 * exact * Math.max(1, first / mu);
    assert(
      Math.abs(computed - exact) <= tolerance + 1e-300,
      `${mu} ${epsilon}: ${computed} ${exact}`,
    );
  }
});

Deno.test("gaussianDelta() lies in [0, 1], falls in epsilon and grows in mu", () => {
  const mu = fc.double({ min: 0.01, max: 20, noNaN: true });
  const epsilon = fc.double({ min: 0, max: 50, noNaN: true });
  fc.assert(
    fc.property(mu, epsilon, fc.double({ min: 0.01, max: 1, noNaN: true }), (m, e, step) => {
      const delta = gaussianDelta(m, e);
      assert(delta >= 0 && delta <= 1);
      const slack = 1 + 1e-9;
      assert(gaussianDelta(m, e + step) <= delta * slack);
      assert(gaussianDelta(m + step, e) * slack >= delta);
    }),
    { seed: 10, numRuns: 500 },
  );
});

Deno.test("gaussianDelta() is zero, not NaN, when epsilon is far beyond reach", () => {
  assertEquals(gaussianDelta(0.01, 1e6), 0);
  assertEquals(gaussianDelta(1, Infinity), 0);
});
