import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import golden from "../../../fixtures/core/golden/numeric.json" with { type: "json" };

const rows = [...golden.gaussianDelta, ...golden.gaussianDeltaFar] as [number, number, string][];

// Mutants: a difference of tails where μ is small, whose digits cancel; a δ of 0 where it underflows.
Deno.test("gaussianDelta() has eleven digits for all μ up to 1,000, and is above 0 where δ underflows", () => {
  for (const [mu, epsilon, expected] of rows) {
    const exact = Math.max(Number(expected), Number.MIN_VALUE);
    const computed = gaussianDelta(mu, epsilon), error = Math.abs(computed - exact);
    // Subnormal numbers have fewer digits.
    assert(
      error <= 1e-11 * exact + Number.MIN_VALUE,
      `${mu} ${epsilon}: ${computed}, not ${expected}`,
    );
    assert(computed > 0);
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

Deno.test("gaussianDelta() is 0 for equal laws and at infinite epsilon alone", () => {
  assertEquals([gaussianDelta(0, 0), gaussianDelta(0, 1), gaussianDelta(1, Infinity)], [0, 0, 0]);
  const size = fc.double({ min: -300, max: 300, noNaN: true }).map((power) => 10 ** power);
  fc.assert(
    fc.property(size, fc.oneof(size, fc.constant(0)), (mu, epsilon) => {
      const delta = gaussianDelta(mu, epsilon);
      assert(delta > 0 && delta <= 1, `${mu} ${epsilon}: ${delta}`);
    }),
    { seed: 11, numRuns: 2000 },
  );
});
