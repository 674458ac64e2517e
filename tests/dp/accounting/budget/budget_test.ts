import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { openBudget } from "../../../../lib/dp/accounting/budget/budget.ts";
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
import { addRemoveOne, replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { nextUp } from "../../../../lib/core/numeric/round_outward.ts";
import { epsilons } from "../arbitraries.ts";

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
  assertEquals([budget.ledger.length, describeClaim(budget.remaining)], [2, "0-DP"]);
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
  assertEquals(affords({}), 200);
  assert(affords({ slack: 1e-6 }) > 1500);
});

// Mutants: doubles added up; what is left rounded to the nearest double, or left undefined.
Deno.test("a budget counts numbers as the decimals that they are written as, and says what is left of them", () => {
  const spent = (limit: number, amounts: readonly number[]): string[] => {
    const budget = openBudget(pure({ epsilon: limit, relation }));
    return amounts.map((epsilon) => {
      budget.spend(pure({ epsilon, relation }));
      return describeClaim(budget.remaining);
    });
  };
  assertEquals(spent(1, [0.2, 0.2, 0.1, 0.2, 0.1, 0.2]), [
    "0.8-DP",
    "0.6-DP",
    "0.5-DP",
    "0.3-DP",
    "0.2-DP",
    "0-DP",
  ]);
  assertEquals(spent(1, Array<number>(10).fill(0.1)).at(-1), "0-DP");
  assertEquals(spent(0.3, [0.1, 0.1, 0.1]), ["0.2-DP", "0.1-DP", "0-DP"]);
  assertThrows(() => spent(1, [0.9, 0.1, 1e-300]), RangeError, "left of the budget, nothing");
  const limits: readonly (readonly [Claim, Claim, string])[] = [
    [zcdp({ rho: 0.3, relation }), zcdp({ rho: 0.1, relation }), "0.2-zCDP"],
    [zcdp({ rho: 0.05, relation }), pure({ epsilon: 0.3, relation }), "0.005-zCDP"],
    [gaussian({ mu: 1, relation }), gaussian({ mu: 0.6, relation }), "0.8-GDP"],
    [
      renyi({ order: 4, epsilon: 0.3, relation }),
      renyi({ order: 4, epsilon: 0.1, relation }),
      "(4, 0.2)-Rényi DP",
    ],
    [
      approximate({ epsilon: 0.3, delta: 3e-6, relation }),
      approximate({ epsilon: 0.1, delta: 1e-6, relation }),
      "(0.2, 0.000002)-DP",
    ],
  ];
  for (const [limit, claim, left] of limits) {
    const budget = openBudget(limit);
    budget.spend(claim);
    assertEquals(describeClaim(budget.remaining), left);
    budget.spend(budget.remaining);
    assertEquals(deltaAt(budget.remaining, 0), 0);
    // A claim of nothing costs nothing.
    budget.spend(budget.remaining);
  }
  const deltaLeft = openBudget(approximate({ epsilon: 1, delta: 1e-6, relation }));
  deltaLeft.spend(pure({ epsilon: 1, relation }));
  assertEquals(describeClaim(deltaLeft.remaining), "(0, 0.000001)-DP");
});

/** The fraction that a decimal says, made here from its digits alone. */
function fractionOf(amount: number): readonly [digits: bigint, places: number] {
  const [digits = "", power = "0"] = String(amount).split("e");
  const [whole, part = ""] = digits.split(".");
  return [BigInt(whole + part), part.length - Number(power)];
}

/** Σ `amounts` less `limit`, times a power of ten. */
function excess(amounts: readonly number[], limit: number): bigint {
  const all = [...amounts, limit].map(fractionOf);
  const most = Math.max(...all.map(([, places]) => places));
  const scaled = all.map(([digits, places]) => digits * 10n ** BigInt(most - places));
  return scaled.slice(0, -1).reduce((sum, each) => sum + each, 0n) - scaled.at(-1)!;
}

const money = fc.oneof(
  fc.integer({ min: 1, max: 400 }).map((cents) => cents / 100),
  fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 12 }))
    .map(([digits, places]) => Number(`${digits}e-${places}`)),
  fc.double({ min: 1e-12, max: 4, noNaN: true }),
  fc.constantFrom(1 / 3, 1 / 7, 0.1, 0.7, 5e-324, 1e-300, 2 ** -53),
);

// Mutants: a sum that is rounded; what is left rounded up; a claim refused that just fits.
Deno.test("a budget takes claims just as long as the sum of their decimals is within its own", () => {
  fc.assert(
    fc.property(money, fc.array(money, { minLength: 1, maxLength: 12 }), (limit, offers) => {
      const budget = openBudget(approximate({ epsilon: limit, delta: 0.5, relation }));
      const taken: number[] = [];
      for (const epsilon of offers) {
        const claim = pure({ epsilon, relation });
        const fits = excess([...taken, epsilon], limit) <= 0n;
        assertEquals(budget.canSpend(claim), fits);
        if (!fits) continue;
        budget.spend(claim);
        taken.push(epsilon);
      }
      const { remaining } = budget;
      assert(remaining.kind === "approximate");
      assert(excess([...taken, remaining.epsilon], limit) <= 0n);
      assert(excess([...taken, nextUp(remaining.epsilon)], limit) > 0n);
    }),
    { seed: 142, numRuns: 500 },
  );
});
