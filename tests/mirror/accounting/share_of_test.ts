import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { openBudget } from "../../../lib/accounting/budget.ts";
import { shareOf } from "../../../lib/accounting/share_of.ts";
import { pure } from "../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../lib/core/relation.ts";

// Mutant: amount / parts (1/11 eleven times is more than 1).
Deno.test("shareOf() gives shares that a budget affords, all of them and no more", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 10, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
      (amount, parts) => {
        const budget = openBudget(pure({ epsilon: amount, relation }));
        const share = pure({ epsilon: shareOf(amount, { parts }), relation });
        budget.spendAll(Array.from({ length: parts }, () => share));
        assert(!budget.canSpend(share));
        assert(share.epsilon >= (amount / parts) * (1 - 1e-15));
      },
    ),
    { seed: 151 },
  );
  assert(shareOf(1, { parts: 11 }) < 1 / 11);
  assertEquals(shareOf(1, { parts: 4 }), 0.25);
});

Deno.test("shareOf() throws when there is nothing to share", () => {
  assertThrows(() => shareOf(0, { parts: 2 }), RangeError, "amount must be positive");
  assertThrows(() => shareOf(1, { parts: 0 }), RangeError, "parts must be an integer");
});
