import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  largestRho,
  zcdpComposition,
  zcdpDelta,
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "../../../../lib/dp/accounting/composition/zcdp.ts";
import { approximate, deltaAt, gaussian, pure, renyi, zcdp } from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { epsilons, slacks } from "../arbitraries.ts";

// Mutants: ε² or ε²/8 for ε-DP; μ² for μ-GDP.
Deno.test("zcdpOfClaim() is half the square when a claim is pure or Gaussian", () => {
  assertAlmostEquals(zcdpOfClaim(pure({ epsilon: 0.2, relation }))!.rho, 0.02, 1e-16);
  assertAlmostEquals(zcdpOfClaim(gaussian({ mu: 0.2, relation }))!.rho, 0.02, 1e-16);
  assertEquals(zcdpOfClaim(approximate({ epsilon: 1, delta: 1e-9, relation })), undefined);
  assertEquals(zcdpOfClaim(renyi({ order: 2, epsilon: 1, relation })), undefined);
  assertAlmostEquals(zcdpOfBoundedRange({ epsilon: 0.2 }), 0.005, 1e-16);
});

Deno.test("zcdpComposition() adds up exactly, and composing with nothing changes nothing", () => {
  assertEquals(zcdpComposition(Array.from({ length: 10 }, () => ({ rho: 0.1 }))), 1);
  assertEquals(zcdpComposition([]), 0);
  fc.assert(
    fc.property(epsilons, (rho) => assertEquals(zcdpComposition([{ rho }, { rho: 0 }]), rho)),
    { seed: 71 },
  );
});

// Mutant: ρ + √(ρ ln(1/δ)), which Gaussian noise refutes.
Deno.test("zcdpEpsilon() is sound for Gaussian noise and its optimal form is the smaller", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-4, max: 5, noNaN: true }), slacks, (rho, delta) => {
      const optimal = zcdpEpsilon({ rho }, { delta });
      const printed = zcdpEpsilon({ rho }, { delta, conversion: "bun-steinke" });
      assert(optimal <= printed);
      const mu = Math.sqrt(2 * rho);
      assert(deltaAt(gaussian({ mu, relation }), optimal) <= delta);
      assert(zcdpDelta({ rho }, { epsilon: optimal }) <= delta * (1 + 1e-6) || optimal === 0);
      assert(
        zcdpDelta({ rho }, { epsilon: 1 }) <= deltaAt(zcdp({ rho, relation }), 1) * (1 + 1e-9),
      );
    }),
    { seed: 72, numRuns: 40 },
  );
  assertAlmostEquals(
    zcdpEpsilon({ rho: 0.5 }, { delta: 1e-6, conversion: "bun-steinke" }),
    5.756521769756932,
    1e-12,
  );
});

// Mutant: returning the end of the bracket that is too large.
Deno.test("largestRho() is the most that converts to ε", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 20, noNaN: true }), slacks, (epsilon, delta) => {
      const rho = largestRho({ epsilon, delta });
      assert(zcdpEpsilon({ rho }, { delta }) <= epsilon);
      assert(zcdpEpsilon({ rho: rho * (1 + 1e-9) }, { delta }) > epsilon);
    }),
    { seed: 73, numRuns: 15 },
  );
});

// Mutant: a δ of 0 that is no pure claim.
Deno.test("zCDP takes approximate claims whose δ is 0", () => {
  assertEquals(
    zcdpOfClaim(approximate({ epsilon: 0.2, delta: 0, relation })),
    zcdpOfClaim(pure({ epsilon: 0.2, relation })),
  );
});

// Mutant: the best of the orders that are tried, which ends far from the best of all for so small a ρ.
Deno.test("zcdpEpsilon() is at most the printed form for the smallest ρ too", () => {
  for (const rho of [1e-20, 1e-40, 1e-100]) {
    const printed = zcdpEpsilon({ rho }, { delta: 1e-6, conversion: "bun-steinke" });
    assert(zcdpEpsilon({ rho }, { delta: 1e-6 }) <= printed);
    assertAlmostEquals(printed / Math.sqrt(rho), 2 * Math.sqrt(Math.log(1e6)), 1e-9);
  }
});
