import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { multiplyPolynomials, type Polynomial, signAt } from "../../../lib/exact/polynomial.ts";
import { nonNegativeFrom, rootsAbove } from "../../../lib/exact/sturm.ts";

/** Π (b·t − a) over roots a/b, times a factor without real roots. */
function withRoots(roots: readonly number[], positive: Polynomial): Polynomial {
  return multiplyPolynomials(
    positive,
    ...roots.map((root): Polynomial => [BigInt(-Math.round(root * 4)), 4n]),
  );
}

const quarter = fc.integer({ min: -20, max: 20 }).map((step) => step / 4);

Deno.test("rootsAbove() counts the different positive roots of products of known factors", () => {
  fc.assert(
    fc.property(fc.uniqueArray(quarter, { maxLength: 6 }), (roots) => {
      const nonzero = roots.filter((root) => root !== 0);
      const p = withRoots(nonzero, [3n, 1n, 1n]);
      assertEquals(rootsAbove(p), nonzero.filter((root) => root > 0).length);
    }),
    { seed: 2, numRuns: 300 },
  );
});

Deno.test("nonNegativeFrom() decides products of known factors, double roots and all", () => {
  fc.assert(
    fc.property(fc.array(quarter, { maxLength: 6 }), fc.boolean(), (roots, negative) => {
      const p = withRoots(roots, negative ? [-2n, 0n, -1n] : [2n, 0n, 1n]);
      const { holds, counterexample } = nonNegativeFrom(p, { from: 1n });
      // By signs between and beyond the roots, exactly.
      const points = [...roots, 1, 50].filter((root) => root >= 1).sort((a, b) => a - b);
      const probes = points.flatMap((point, i) => [point, (point + (points[i + 1] ?? 99)) / 2]);
      const expected = probes.every((t) =>
        signAt(p, { numerator: BigInt(Math.round(t * 8)), denominator: 8n }) >= 0
      );
      assertEquals(holds, expected);
      if (counterexample !== undefined) {
        assert(signAt(p, counterexample) < 0);
        assert(counterexample.numerator >= counterexample.denominator);
      }
    }),
    { seed: 3, numRuns: 300 },
  );
});

Deno.test("nonNegativeFrom() accepts the zero polynomial and an even root beyond the start", () => {
  assertEquals(nonNegativeFrom([], { from: 1n }).holds, true);
  assertEquals(nonNegativeFrom([4n, -4n, 1n], { from: 1n }), { holds: true, method: "roots" });
  assertEquals(nonNegativeFrom([-1n, 1n], { from: 1n }).method, "coefficients");
  assertEquals(nonNegativeFrom([-1n, 1n], { from: 0n }).holds, false);
});
