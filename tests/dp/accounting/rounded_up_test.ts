import { assert } from "@std/assert";
import fc from "fast-check";
import {
  advancedComposition,
  advancedEpsilonOfEach,
} from "../../../lib/dp/accounting/composition/advanced_composition.ts";
import { groupPrivacy } from "../../../lib/dp/accounting/composition/group_privacy.ts";
import { kairouzComposition } from "../../../lib/dp/accounting/composition/kairouz_composition.ts";
import { optimalDelta } from "../../../lib/dp/accounting/composition/optimal_composition.ts";
import { subsampledParameters } from "../../../lib/dp/accounting/sampling/subsampling.ts";
import {
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "../../../lib/dp/accounting/composition/zcdp.ts";
import { approximate, gaussian, pure, zcdp } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { bigNumber as big } from "../../core/numeric/big_number.ts";
import {
  assertAbove,
  counts,
  deltas,
  epsilons,
  exp,
  log,
  options,
  rates,
  scale,
  sqrt,
} from "./rounded_up_cases.ts";

/**
 * Closed forms beside 80 digits: what is claimed is at least the exact number, and above it by no more than a
 * stated share. Mutants: a result rounded to nearest; any term, factor or constant of a form.
 */

Deno.test("subsampledParameters() is ln(1 + rate·(e^ε − 1)) rounded up", () => {
  fc.assert(
    fc.property(epsilons, rates, (epsilon, rate) => {
      const sampled = subsampledParameters({ epsilon }, { rate });
      const exact = log(big(1).plus(big(rate).times(exp(big(epsilon)).minus(1))));
      // Beyond the exact value, but never beyond ε itself.
      if (sampled.epsilon < epsilon) assertAbove(sampled.epsilon, exact, 1e-13);
    }),
    options,
  );
});

Deno.test("groupPrivacy() multiplies ε and μ by the size, ρ by its square, sums δ, rounded up", () => {
  const relation = replaceOne;
  fc.assert(
    fc.property(scale(1e-6, 2), fc.integer({ min: 2, max: 9 }), (value, size) => {
      const group = <K extends { kind: string }>(claim: K): K =>
        groupPrivacy(claim as never, { size }) as never;
      assertAbove(group(pure({ epsilon: value, relation })).epsilon, big(value).times(size), 1e-13);
      assertAbove(group(gaussian({ mu: value, relation })).mu, big(value).times(size), 1e-13);
      assertAbove(group(zcdp({ rho: value, relation })).rho, big(value).times(size ** 2), 1e-13);
      const delta = 1e-12, parts = group(approximate({ epsilon: value, delta, relation }));
      assertAbove(parts.epsilon, big(value).times(size), 1e-13);
      let sum = big(0);
      for (let k = 0; k < size; k++) sum = sum.plus(exp(big(value).times(k)));
      assertAbove(parts.delta, sum.times(big(delta)), 1e-12);
    }),
    options,
  );
});

Deno.test("advancedComposition() is its closed forms rounded up, and kairouzComposition() at most its own and no less than what is optimal", () => {
  fc.assert(
    fc.property(epsilons, deltas, deltas, counts, (epsilon, delta, slack, count) => {
      const e = big(epsilon), root = sqrt(big(-2).times(count).times(log(big(slack)))).times(e);
      for (const form of ["dwork-roth", "tanh"] as const) {
        const total = advancedComposition({ epsilon, delta }, { count, slack, form });
        const growth = exp(e),
          drift = form === "tanh" ? growth.minus(1).div(growth.plus(1)) : growth.minus(1);
        assertAbove(total.epsilon, root.plus(drift.times(e).times(count)), 1e-13);
        const sum = big(delta).times(count).plus(big(slack));
        if (total.delta < 1) assertAbove(total.delta, sum, 1e-13);
        else assert(sum.gte(1 - 1e-13));
      }
      const parts = Array.from({ length: count }, () => ({ epsilon, delta }));
      const total = kairouzComposition(parts, { slack });
      const kept = log(big(1).minus(delta)).times(count).plus(log(big(1).minus(slack)));
      if (total.delta < 1) assertAbove(total.delta, big(1).minus(exp(kept)), 1e-11);
      const growth = exp(e), squares = e.times(e).times(count);
      const drift = growth.minus(1).div(growth.plus(1)).times(e).times(count);
      const other = sqrt(
        squares.times(2).times(log(exp(big(1)).plus(sqrt(squares).div(big(slack))))),
      );
      const spread = root.lt(other) ? root : other, basic = e.times(count);
      const exact = drift.plus(spread).lt(basic) ? drift.plus(spread) : basic;
      // The optimal ε is less; 30,000 parts, of which it is not computed, are beside the test of this function.
      assert(exact.times(1 + 1e-11).gte(total.epsilon));
      const least = optimalDelta([{ epsilon, delta, count }], { epsilon: total.epsilon });
      assert(least <= total.delta * (1 + 1e-10));
    }),
    { ...options, numRuns: 60 },
  );
});

Deno.test("advancedEpsilonOfEach() shares a loss that composes to no more", () => {
  fc.assert(
    fc.property(epsilons, scale(1e-15, 1e-3), counts, (epsilon, slack, count) => {
      const each = big(advancedEpsilonOfEach({ epsilon, count, slack }));
      const root = sqrt(big(-2).times(count).times(log(big(slack))));
      const total = root.times(each).plus(exp(each).minus(1).times(each).times(count));
      assert(total.lte(big(epsilon)) && total.gte(epsilon * (1 - 1e-12)));
    }),
    options,
  );
});

Deno.test("zCDP of claims, of bounded ranges and at a δ are their closed forms rounded up", () => {
  const relation = replaceOne;
  fc.assert(
    fc.property(epsilons, deltas, (value, delta) => {
      const v = big(value), square = v.times(v);
      assertAbove(zcdpOfClaim(pure({ epsilon: value, relation }))!.rho, square.div(2), 1e-15);
      assertAbove(zcdpOfClaim(gaussian({ mu: value, relation }))!.rho, square.div(2), 1e-15);
      assertAbove(zcdpOfBoundedRange({ epsilon: value }), square.div(8), 1e-15);
      const simple = v.plus(sqrt(v.times(log(big(delta))).negated()).times(2));
      const conversion = "bun-steinke";
      assertAbove(zcdpEpsilon({ rho: value }, { delta, conversion }), simple, 1e-13);
      assert(zcdpEpsilon({ rho: value }, { delta }) <= simple.toNumber() * (1 + 1e-13));
    }),
    // Where the next double is not enough.
    { ...options, examples: [[4.8210607381322435, 0.01], [3.615665314382269e-5, 1e-6]] },
  );
});

// Mutants: no margin for the rounding of size·ε, which e^(size·ε) multiplies.
Deno.test("groupPrivacy() rounds δ up for every size and ε", () => {
  const relation = replaceOne;
  fc.assert(
    fc.property(
      scale(1e-6, 0.7),
      scale(1e-300, 1e-280),
      fc.integer({ min: 2, max: 900 }),
      (epsilon, delta, size) => {
        const group = groupPrivacy(approximate({ epsilon, delta, relation }), { size });
        const e = big(epsilon), growth = exp(e.times(size)).minus(1).div(exp(e).minus(1));
        if (group.kind === "approximate") {
          assertAbove(
            group.delta,
            growth.times(big(delta)),
            2e-14 * (1 + size * epsilon),
          );
        }
      },
    ),
    { ...options, numRuns: 400 },
  );
});
