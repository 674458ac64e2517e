import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { openBudget } from "../../../../lib/dp/accounting/budget/budget.ts";
import { share } from "../../../../lib/dp/accounting/budget/share.ts";
import { describeClaim } from "../../../../lib/core/claims/claim.ts";
import { parameterOf } from "../../../../lib/core/claims/claim_curve.ts";
import { approximate, gaussian, pure, zcdp } from "../../../../lib/core/claims/claim_of_amounts.ts";
import { decimalOf } from "../../../../lib/core/numeric/amount.ts";
import { add, compare, rational } from "../../../../lib/core/numeric/rational.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";

// Mutant: amount / parts (1/11 eleven times is more than 1).
Deno.test("share() gives shares that a budget affords, all of them and no more", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 10, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
      (amount, parts) => {
        const budget = openBudget(pure({ epsilon: amount, relation }));
        const each = pure({ epsilon: share(amount, parts), relation });
        budget.spendAll(Array.from({ length: parts }, () => each));
        assert(!budget.canSpend(each));
        assert(each.epsilon >= (amount / parts) * (1 - 1e-15));
      },
    ),
    { seed: 151 },
  );
  assert(share(1, 11) < 1 / 11);
  assertEquals(share(1, 4), 0.25);
});

const decimals = fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, places]) => `${digits}e-${places}`);

// Mutants: text rounded to the nearest double; a limit that is rounded down.
Deno.test("amounts in decimal text and shares of them fit a limit just where their decimals do", () => {
  fc.assert(
    fc.property(
      fc.array(decimals, { minLength: 1, maxLength: 9 }),
      fc.boolean(),
      (texts, asShares) => {
        const total = texts.map((text) => decimalOf(text)!).reduce(add);
        // The sum as decimal text: all have at most 12 places.
        const digits = total.numerator * 10n ** 12n / total.denominator;
        const budget = openBudget(pure({ epsilon: `${digits}e-12`, relation }));
        const claims = texts.map((text) =>
          pure({ epsilon: asShares ? share(text) : text, relation })
        );
        budget.spendAll(claims);
        for (const [i, { epsilon }] of claims.entries()) {
          assert(compare(rational(epsilon), decimalOf(texts[i]!)!) <= 0, `noise for ${texts[i]}`);
        }
        if (!asShares) assertEquals(describeClaim(budget.remaining), "0-DP");
        const less = openBudget(pure({ epsilon: `${digits - 1n}e-12`, relation }));
        if (digits > 1n && !asShares) assertThrows(() => less.spendAll(claims), RangeError);
      },
    ),
    { seed: 152 },
  );
  const one = pure({ epsilon: 1, relation });
  for (
    const amounts of [["0.1", "0.9"], [share(1, 10), share(9, 10)], Array<string>(10).fill("0.1")]
  ) {
    const budget = openBudget(one);
    for (const epsilon of amounts) budget.spend(pure({ epsilon, relation }));
  }
  assertEquals(
    describeClaim(approximate({ epsilon: "0.30", delta: "1e-6", relation })),
    "(0.30, 1e-6)-DP",
  );
  for (
    const make of [
      (each: string) => zcdp({ rho: each, relation }),
      (each: string) => gaussian({ mu: each, relation }),
    ]
  ) {
    const budget = openBudget(make("0.3"));
    budget.spend(make("0.3"));
    assertEquals(parameterOf(budget.remaining).value, 0);
  }
  for (const text of ["", "x", "-1", "0", "1/3", "0x1", "NaN", "Infinity", " 1"]) {
    assertThrows(() => pure({ epsilon: text, relation }), RangeError, "epsilon must be");
    assertThrows(() => share(text), RangeError, "amount must be");
  }
});
