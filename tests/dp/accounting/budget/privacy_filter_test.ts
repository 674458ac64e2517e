import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  type PrivacyFilter,
  privacyFilter,
} from "../../../../lib/dp/accounting/budget/privacy_filter.ts";
import { approximate, type Claim, gaussian, pure, renyi } from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { rho, soft, withDelta } from "../filter_claims.ts";

// What a filter lets through, and what remains of it: privacy_filter_limits_test.ts, budget_test.ts and claims_besides_test.ts.

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
