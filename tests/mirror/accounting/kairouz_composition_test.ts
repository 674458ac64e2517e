import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { basicComposition } from "../../../lib/accounting/basic_composition.ts";
import { kairouzComposition } from "../../../lib/accounting/kairouz_composition.ts";
import { optimalDelta } from "../../../lib/accounting/optimal_composition.ts";
import { parameters, slacks } from "./arbitraries.ts";

// Mutant: Σε²/2 in place of the drift times 2, or the smaller root only.
Deno.test("kairouzComposition() is the printed formula when evaluated by hand", () => {
  const parts = [{ epsilon: 0.1 }, { epsilon: 0.2, delta: 1e-3 }];
  for (let i = 0; i < 98; i++) parts.push({ epsilon: 0.1 });
  const { epsilon, delta } = kairouzComposition(parts, { slack: 1e-6 });
  // V = 99·0.01 + 0.04 = 1.03; D = 99·0.1·tanh(0.05) + 0.2·tanh(0.1)
  const drift = 9.9 * 0.049958374957880025 + 0.2 * 0.09966799462495582;
  const spread = Math.sqrt(2 * 1.03 * Math.log(1e6));
  assertAlmostEquals(epsilon, drift + spread, 1e-12);
  assertAlmostEquals(delta, 1 - (1 - 1e-6) * (1 - 1e-3), 1e-15);
});

// Mutants: dropping Σε from the minimum; multiplying the δ in place of their complements.
Deno.test("kairouzComposition() is sound beside the exact answer and at most basic composition", () => {
  fc.assert(
    fc.property(fc.array(parameters, { maxLength: 8 }), slacks, (parts, slack) => {
      const { epsilon, delta } = kairouzComposition(parts, { slack });
      assert(epsilon <= basicComposition(parts).epsilon);
      const exact = optimalDelta(parts.map((part) => ({ ...part, count: 1 })), { epsilon });
      assert(exact <= delta * (1 + 1e-10));
    }),
    { seed: 41, numRuns: 60 },
  );
});

Deno.test("kairouzComposition() costs no ε when composed of nothing", () => {
  assertEquals(kairouzComposition([], { slack: 1e-6 }).epsilon, 0);
});
