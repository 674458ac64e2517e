import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  type PrivacyFilter,
  privacyFilter,
} from "../../../../lib/dp/accounting/budget/privacy_filter.ts";
import { pureRenyi } from "../../../../lib/dp/accounting/composition/renyi.ts";
import { zcdpEpsilon } from "../../../../lib/dp/accounting/composition/zcdp.ts";
import {
  approximate,
  type Claim,
  deltaAt,
  describeClaim,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { epsilons, parameters } from "../arbitraries.ts";
import { rho, soft, withDelta } from "../filter_claims.ts";

/** Offers claims one after the other and keeps those that were let through. */
function offer(filter: PrivacyFilter, claims: readonly Claim[]): {
  filter: PrivacyFilter;
  taken: Claim[];
} {
  const taken: Claim[] = [];
  let current = filter;
  for (const claim of claims) {
    const after = current.after(claim);
    if (after !== undefined) [current] = [after, taken.push(claim)];
  }
  return { filter: current, taken };
}

const pureClaims = fc.array(epsilons.map((epsilon) => pure({ epsilon, relation })), {
  maxLength: 30,
});

// Mutants: checking the limit before the claim is added; comparing with <.
Deno.test("privacyFilter() lets eight eighths through and nothing more when the limit is pure", () => {
  const eighth = pure({ epsilon: 0.125, relation });
  const { filter, taken } = offer(
    privacyFilter(pure({ epsilon: 1, relation })),
    Array.from({ length: 12 }, () => eighth),
  );
  assertEquals(taken.length, 8);
  assertEquals(describeClaim(filter.remaining), "0-DP");
  assertEquals(filter.after(pure({ epsilon: Number.MIN_VALUE, relation })), undefined);
});

// Mutants: adding ε where squares add up, or squares where ε adds up; ε²/4; rounding a sum down.
Deno.test("privacyFilter() never exceeds its limit whatever is offered", () => {
  const totals: [Claim, (taken: readonly Claim[]) => number, number][] = [
    [pure({ epsilon: 4, relation }), sumOf((epsilon) => epsilon), 4],
    [approximate({ epsilon: 4, delta: 1e-6, relation }), sumOf((epsilon) => epsilon), 4],
    [zcdp({ rho: 2, relation }), sumOf((epsilon) => epsilon * epsilon / 2), 2],
    [
      renyi({ order: 3, epsilon: 2, relation }),
      sumOf((epsilon) => pureRenyi({ epsilon })(3)),
      2,
    ],
  ];
  fc.assert(
    fc.property(pureClaims, (claims) => {
      for (const [limit, total, most] of totals) {
        const { taken, filter } = offer(privacyFilter(limit), claims);
        assert(total(taken) <= most * (1 + 1e-14));
        // And it refused only what would have exceeded it.
        const { remaining } = filter;
        const refused = claims.find((claim) => !taken.includes(claim));
        if (refused !== undefined) assert(total([...taken, refused]) > most * (1 - 1e-14));
        assert(filter.after(remaining) !== undefined);
      }
    }),
    { seed: 121, numRuns: 60 },
  );
});

function sumOf(cost: (epsilon: number) => number): (taken: readonly Claim[]) => number {
  return (taken) =>
    taken.reduce((sum, claim) => sum + (claim.kind === "pure" ? cost(claim.epsilon) : NaN), 0);
}

// Mutants: spending all of δ on the slack and on the claims too; ρ = ε² per claim.
Deno.test("privacyFilter() composes concentratedly when an approximate limit has slack", () => {
  const limit = approximate({ epsilon: 1, delta: 2e-6, relation });
  const each = approximate({ epsilon: 0.01, delta: 1.9e-8, relation });
  const many = Array.from({ length: 500 }, () => each);
  const { taken } = offer(privacyFilter(limit, { slack: 1e-6 }), many);
  assertEquals(taken.length, 52); // δ − slack = 1e-6 is what stops it
  assertEquals(offer(privacyFilter(limit), many).taken.length, 100);
  const noDelta = Array.from({ length: 800 }, () => pure({ epsilon: 0.01, relation }));
  const more = offer(privacyFilter(limit, { slack: 1e-6 }), noDelta).taken.length;
  assert(zcdpEpsilon({ rho: more * 0.00005 }, { delta: 1e-6 }) <= 1);
  assert(zcdpEpsilon({ rho: (more + 1) * 0.00005 }, { delta: 1e-6 }) > 1);
  assert(more > 4 * offer(privacyFilter(limit), noDelta).taken.length);
});

// Mutant: μ = ε for ε-DP.
Deno.test("privacyFilter() counts a pure claim as the least μ when the limit is Gaussian", () => {
  fc.assert(
    fc.property(epsilons, fc.double({ min: 0, max: 4, noNaN: true }), (epsilon, at) => {
      const limit = gaussian({ mu: 10, relation });
      const after = privacyFilter(limit).after(pure({ epsilon, relation }))!.remaining;
      assert(after?.kind === "gaussian");
      const mu = Math.sqrt(100 - after.mu ** 2);
      if (mu < 0.05) return; // too near 0 to subtract
      const allowed = deltaAt(gaussian({ mu: mu * (1 + 1e-9), relation }), at);
      assert(deltaAt(pure({ epsilon, relation }), at) <= allowed * (1 + 1e-6) + 1e-12);
      assertAlmostEquals(deltaAt(gaussian({ mu, relation }), 0), Math.tanh(epsilon / 2), 1e-9);
    }),
    { seed: 122 },
  );
});

Deno.test("privacyFilter() leaves the filter as it was when asked what would come after", () => {
  fc.assert(
    fc.property(parameters, ({ epsilon }) => {
      const filter = privacyFilter(pure({ epsilon: 5, relation }));
      const before = filter.remaining;
      filter.after(pure({ epsilon, relation }));
      assertEquals(filter.remaining, before);
    }),
    { seed: 123 },
  );
});

// Mutants: the least of the shares for the greatest; amounts in place of shares; a claim that does not fit.
Deno.test("cheapest() is the claim that takes the least of what it takes most of, if it fits", () => {
  const strict = approximate({ epsilon: 10, delta: 1e-6, relation });
  const cases: [PrivacyFilter, Claim[], number][] = [
    [privacyFilter(soft), [withDelta(0.1, 5e-7), withDelta(0.2, 2e-7)], 1],
    [privacyFilter(strict), [withDelta(5, 1e-7), withDelta(1, 9e-7)], 0],
    [privacyFilter(soft).after(pure({ epsilon: 0.9, relation }))!, [
      pure({ epsilon: 0.2, relation }),
      withDelta(0.05, 5e-7),
    ], 1],
    // None fits.
    [privacyFilter(soft).after(pure({ epsilon: 0.9, relation }))!, [
      pure({ epsilon: 0.3, relation }),
      pure({ epsilon: 0.2, relation }),
    ], 1],
    // No δ is left to take a share of.
    [privacyFilter(soft, { slack: 1e-6 }), [
      pure({ epsilon: 0.3, relation }),
      pure({ epsilon: 0.2, relation }),
    ], 1],
    // Only the second can be counted.
    [privacyFilter(soft), [rho(0.001), pure({ epsilon: 0.9, relation })], 1],
    // Of equal shares the first.
    [privacyFilter(soft), [pure({ epsilon: 0.1, relation }), withDelta(0.1, 0)], 0],
  ];
  for (const [filter, [claim, ...others], best] of cases) {
    assertEquals(filter.cheapest(claim!, others), [claim, ...others][best]);
  }
  assertThrows(() => privacyFilter(soft).cheapest(rho(1), [rho(2)]), TypeError, "kind zcdp");
});

// Mutants: the advice to give a slack where it would not help, or none where it would.
Deno.test("privacyFilter() asks for a slack only where that would make the claim countable", () => {
  const plain = privacyFilter(soft), order = renyi({ order: 2, epsilon: 0.1, relation });
  for (const claim of [rho(0.1), gaussian({ mu: 0.1, relation })]) {
    assertThrows(() => plain.after(claim), TypeError, "slack must be given");
    assertThrows(
      () => privacyFilter(pure({ epsilon: 1, relation })).after(claim),
      TypeError,
      "pure",
    );
  }
  for (const filter of [plain, privacyFilter(soft, { slack: 1e-7 })]) {
    assertThrows(() => filter.after(order), TypeError, "current kind is renyi");
  }
  for (const limit of [rho(1), gaussian({ mu: 1, relation }), pure({ epsilon: 1, relation })]) {
    for (const claim of [withDelta(0.1, 1e-9), order]) {
      assertThrows(
        () => privacyFilter(limit).after(claim),
        TypeError,
        `a limit of kind ${limit.kind} must be spent on claims that it can count: current kind is ${claim.kind}`,
      );
    }
  }
});

// Mutant: a divergence whose digits cancel, so that any number of small claims is free.
Deno.test("privacyFilter() charges pure claims of 1e-9 when the limit is of Rényi privacy", () => {
  const filter = privacyFilter(renyi({ order: 2, epsilon: 1e-15, relation }));
  const left = filter.after(pure({ epsilon: 1e-9, relation }))!.remaining;
  assert(left?.kind === "renyi");
  assertAlmostEquals(left.epsilon, 1e-15 - 1e-18, 1e-27);
});
