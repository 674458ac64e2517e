import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { basicComposition } from "../../../../lib/dp/accounting/composition/basic_composition.ts";
import { kairouzComposition } from "../../../../lib/dp/accounting/composition/kairouz_composition.ts";
import {
  optimalDelta,
  optimalEpsilon,
} from "../../../../lib/dp/accounting/composition/optimal_composition.ts";
import { bigNumber as big } from "../../../core/numeric/big_number.ts";
import { parameters, slacks } from "../arbitraries.ts";

// Mutant: Σε²/2 in place of the drift times 2, or the smaller root only.
Deno.test("kairouzComposition() is the printed formula when evaluated by hand", () => {
  const parts = [{ epsilon: 0.1 }, { epsilon: 0.2, delta: 1e-3 }];
  for (let i = 0; i < 98; i++) parts.push({ epsilon: 0.1 });
  // Of many kinds, so that it is not the optimal one: each ε is moved by less than is compared.
  const { epsilon, delta } = kairouzComposition(
    parts.map((part, i) => ({ ...part, epsilon: part.epsilon * (1 + i * 2 ** -50) })),
    { slack: 1e-6 },
  );
  // V = 99·0.01 + 0.04 = 1.03; D = 99·0.1·tanh(0.05) + 0.2·tanh(0.1)
  const drift = 9.9 * 0.049958374957880025 + 0.2 * 0.09966799462495582;
  const spread = Math.sqrt(2 * 1.03 * Math.log(1e6));
  assertAlmostEquals(epsilon, drift + spread, 1e-12);
  assertAlmostEquals(delta, 1 - (1 - 1e-6) * (1 - 1e-3), 1e-15);
});

// Mutant: the closed form, 30% more.
Deno.test("kairouzComposition() is optimal where the parts are of few kinds", () => {
  const parts = Array.from({ length: 40 }, (_, i) => ({ epsilon: i % 2 ? 0.1 : 0.3, delta: 1e-9 }));
  const { epsilon, delta } = kairouzComposition(parts, { slack: 1e-6 });
  const groups = [{ epsilon: 0.1, delta: 1e-9, count: 20 }, {
    epsilon: 0.3,
    delta: 1e-9,
    count: 20,
  }];
  assertEquals(epsilon, optimalEpsilon(groups, { delta }));
  // 20·(.1·tanh .05 + .3·tanh .15) + √(2·20·(.01 + .09)·ln 10⁶)
  const closed = 0.99336 + Math.sqrt(4 * Math.log(1e6));
  assert(epsilon < 0.85 * closed, `${epsilon} of ${closed}`);
});

// Mutants: dropping Σε from the minimum; multiplying the δ in place of their complements.
Deno.test("kairouzComposition() is sound beside the exact answer and at most basic composition", () => {
  fc.assert(
    fc.property(fc.array(parameters, { maxLength: 8 }), slacks, (parts, slack) => {
      const { epsilon, delta } = kairouzComposition(parts, { slack });
      // One sums decimals, the other the doubles that may be above them.
      assert(epsilon <= basicComposition(parts).epsilon * (1 + 4 * Number.EPSILON));
      const exact = optimalDelta(parts.map((part) => ({ ...part, count: 1 })), { epsilon });
      assert(exact <= delta * (1 + 1e-10));
    }),
    { seed: 41, numRuns: 60 },
  );
});

Deno.test("kairouzComposition() costs no ε when composed of nothing", () => {
  assertEquals(kairouzComposition([], { slack: 1e-6 }).epsilon, 0);
});

Deno.test("kairouzComposition() gives the same beside parts that cost nothing", () => {
  const parts = Array.from({ length: 40 }, () => ({ epsilon: 0.1, delta: 1e-9 }));
  const free = Array.from({ length: 1000 }, () => ({ epsilon: 0, delta: 0 }));
  assertEquals(
    kairouzComposition([...free, ...parts], { slack: 1e-6 }).epsilon,
    kairouzComposition(parts, { slack: 1e-6 }).epsilon,
  );
});

Deno.test("kairouzComposition() promises nothing more once δ is 1", () => {
  const parts = Array.from({ length: 60 }, () => ({ epsilon: 0.1, delta: 0.9 }));
  assertEquals(kairouzComposition(parts, { slack: 0.9 }).delta, 1);
});

// Mutant: a margin for a few roundings, not for one of each part. 0.9 is added with the same error in each binade.
Deno.test("kairouzComposition() is rounded up for 30,000 parts", () => {
  for (const epsilon of [0.7, 0.9, 1.1, 1.3]) {
    const count = 30_000, parts = Array.from({ length: count }, () => ({ epsilon }));
    const e = big(epsilon), growth = e.exp();
    const drift = growth.minus(1).div(growth.plus(1)).times(e).times(count);
    const spread = e.times(e).times(count).times(-2).times(big(1e-6).ln()).sqrt();
    const total = kairouzComposition(parts, { slack: 1e-6 });
    assert(drift.plus(spread).lte(total.epsilon), `${epsilon}`);
    assert(drift.plus(spread).gte(total.epsilon * (1 - 1e-10)), `${epsilon}`);
  }
});
