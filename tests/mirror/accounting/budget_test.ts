import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { openBudget } from "../../../lib/accounting/budget.ts";
import { approximate, type Claim, pure, zcdp } from "../../../lib/core/claim.ts";
import { addRemoveOne, replaceOne as relation } from "../../../lib/core/relation.ts";
import { epsilons } from "./arbitraries.ts";

const half = pure({ epsilon: 0.5, relation });

Deno.test("spend() records in order and shows what is left when the claim fits", () => {
  const budget = openBudget(pure({ epsilon: 1.25, relation }));
  const small = pure({ epsilon: 0.125, relation });
  budget.spend(half);
  budget.spend(small);
  assertEquals(budget.ledger, [half, small]);
  assertEquals(budget.remaining, pure({ epsilon: 0.625, relation }));
  assert(budget.canSpend(half) && !budget.canSpend(pure({ epsilon: 0.7, relation })));
  assertEquals(budget.ledger.length, 2); // asking spends nothing
});

// Mutants: recording before checking; catching the refusal; letting a claim of another kind through free.
Deno.test("spend() leaves everything as it was when it refuses", () => {
  fc.assert(
    fc.property(fc.array(epsilons, { maxLength: 12 }), (offers) => {
      const budget = openBudget(pure({ epsilon: 3, relation }));
      for (const epsilon of offers) {
        const before = [budget.ledger, budget.remaining] as const;
        const claim = pure({ epsilon, relation });
        if (budget.canSpend(claim)) {
          budget.spend(claim);
          assertEquals(budget.ledger.length, before[0].length + 1);
        } else {
          assertThrows(() => budget.spend(claim), RangeError, "Cannot spend");
          assertStrictEquals(budget.ledger, before[0]);
          assertEquals(budget.remaining, before[1]);
        }
      }
      const spent = budget.ledger.reduce(
        (sum, claim) => sum + (claim.kind === "pure" ? claim.epsilon : NaN),
        0,
      );
      assert(spent <= 3 * (1 + 1e-15));
    }),
    { seed: 141 },
  );
});

// Mutant: spending claim by claim.
Deno.test("spendAll() spends on nothing when all together do not fit", () => {
  const budget = openBudget(pure({ epsilon: 1, relation }));
  assertThrows(() => budget.spendAll([half, half, half]), RangeError, "must fit what is left");
  assertEquals(budget.ledger, []);
  budget.spendAll([half, half]);
  assertEquals([budget.ledger.length, budget.remaining], [2, undefined]);
});

Deno.test("spend() throws when the relation or the kind of claim differs", () => {
  const budget = openBudget(pure({ epsilon: 1, relation }));
  const other = pure({ epsilon: 0.1, relation: addRemoveOne });
  assertThrows(() => budget.spend(other), RangeError, "relation must be replace-one");
  assertThrows(() => budget.spend(zcdp({ rho: 0.1, relation })), TypeError, "current kind is zcdp");
  assert(!budget.canSpend(other) && !budget.canSpend(zcdp({ rho: 0.1, relation })));
  assertEquals(budget.ledger, []);
});

Deno.test("openBudget() affords more with slack when there are many small claims", () => {
  const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
  const small = pure({ epsilon: 0.005, relation });
  const affords = (options: { slack?: number }): number => {
    const budget = openBudget(limit, options);
    const claims: Claim[] = [];
    while (budget.canSpend(small) && claims.length < 5000) {
      budget.spend(small);
      claims.push(small);
    }
    return claims.length;
  };
  assertEquals(affords({}), 199); // 200 times the double 0.005 is above 1
  assert(affords({ slack: 1e-6 }) > 1500);
});

// Mutants: the hint for a claim that is too large by more than its rounding, or for amounts near 1 alone.
Deno.test("spend() points to share() only where the rounding of a claim keeps it out", () => {
  for (const limit of [0.5, 1, 4]) {
    for (const [excess, hinted] of [[1e-13, true], [1e-11, false], [0.5, false]] as const) {
      const claim = pure({ epsilon: limit * (1 + excess), relation });
      const budget = openBudget(pure({ epsilon: limit, relation }));
      const error = assertThrows(() => budget.spend(claim), RangeError);
      assertEquals(error.message.includes("share("), hinted, `${limit} ${excess}`);
    }
  }
  const concentrated = openBudget(zcdp({ rho: 1, relation }));
  const error = assertThrows(() => concentrated.spend(pure({ epsilon: 2, relation })), RangeError);
  assert(!error.message.includes("share("));
});
