import { assert, assertEquals } from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import {
  type PrivacyFilter,
  privacyFilter,
} from "../../../lib/dp/accounting/budget/privacy_filter.ts";
import { approximate, type Claim, describeClaim, gaussian, pure } from "../../../lib/core/mod.ts";
import { addRemoveOne as relation } from "../../../lib/core/relations/relation.ts";

const RELEASES: readonly {
  readonly claim: Claim;
  readonly epsilon: number;
  readonly delta: number;
}[] = [
  { claim: pure({ epsilon: 0.25, relation }), epsilon: 0.25, delta: 0 },
  { claim: pure({ epsilon: 0.6, relation }), epsilon: 0.6, delta: 0 },
  { claim: approximate({ epsilon: 0.3, delta: 0.02, relation }), epsilon: 0.3, delta: 0.02 },
];

/**
 * The most that a reader gains, P(S) − e^ε·Q(S), who chooses each release by what came out before it: the worst that each claim allows (Kairouz, Oh, Viswanath 2015), as long as the filter
 * accepts it.
 */
function mostGained(
  filter: PrivacyFilter,
  { epsilon, loss = 0 }: { epsilon: number; loss?: number },
): number {
  let most = Math.max(0, -Math.expm1(epsilon - loss));
  for (const release of RELEASES) {
    const next = filter.after(release.claim);
    if (next === undefined) continue;
    const { epsilon: own, delta } = release, likely = (1 - delta) / (1 + Math.exp(-own));
    const gained = delta + likely * mostGained(next, { epsilon, loss: loss + own }) +
      (1 - delta - likely) * mostGained(next, { epsilon, loss: loss - own });
    most = Math.max(most, gained);
  }
  return most;
}

// Mutants: twice the sum of ε; the sum of δ not looked at where ε is within; a spend that is within neither sum.
Deno.test("a budget with slack, which keeps to either sum, gives no more than δ to who chooses releases by outputs", () => {
  for (
    const [epsilon, delta, slack] of [[1, 0.1, 0.05], [0.6, 0.05, 0.05], [1.3, 0.06, 0.02]] as const
  ) {
    const limit = approximate({ epsilon, delta, relation });
    const gained = mostGained(privacyFilter(limit, { slack }), { epsilon });
    assert(gained <= delta, `${epsilon}: ${gained} > ${delta}`);
  }
});

Deno.test("a budget with slack takes few large releases by the sum of ε, and many small ones by ρ", () => {
  const limit = approximate({ epsilon: 1, delta: 1e-6, relation }), slack = 5e-7;
  const large = pure({ epsilon: 0.5, relation }), small = pure({ epsilon: 0.01, relation });
  const few = openBudget(limit, { slack });
  few.spendAll([large, large]);
  assert(!few.canSpend(small));
  assertEquals(describeClaim(few.remaining), "(0, 5e-7)-DP");
  const many = openBudget(limit, { slack });
  for (let i = 0; i < 400; i++) many.spend(small);
  assert(!many.canSpend(large));
  // Gaussian noise has no ε to add up.
  const mixed = openBudget(limit, { slack });
  mixed.spend(gaussian({ mu: 0.1, relation }));
  assert(!mixed.canSpend(large) && mixed.canSpend(small));
  const left = openBudget(limit, { slack });
  left.spend(large);
  assertEquals(left.remaining, approximate({ epsilon: 0.5, delta: 5e-7, relation }));
});
