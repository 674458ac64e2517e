import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Claim } from "../../../lib/core/claims/claim.ts";
import { addRemoveOne } from "../../../lib/core/relations/relation.ts";
import { boundedSum } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { release } from "../../../lib/dp/mechanisms/release.ts";
import { SecureSource } from "../../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const mechanism = boundedSum({
  bounds: { lower: 0, upper: 1 },
  epsilon: 0.5,
  granularity: 2 ** -4,
  relation: addRemoveOne,
});

/** A budget that pays for so many claims, and the ledger of those paid. */
function budgetFor(releases: number): { ledger: Claim[]; spend(claim: Claim): void } {
  const ledger: Claim[] = [];
  return {
    ledger,
    spend(claim: Claim): void {
      if (ledger.length === releases) throw new RangeError("Cannot spend: nothing is left");
      ledger.push(claim);
    },
  };
}

/** A secure source that counts what is drawn from it. */
function countingSource(): { source: SecureSource; drawn: () => number } {
  const source = new SecureSource();
  let calls = 0;
  const { uint32, fillUint32 } = SecureSource.prototype;
  source.uint32 = function (): number {
    calls++;
    return uint32.call(this);
  };
  source.fillUint32 = function (out): void {
    calls++;
    fillUint32.call(this, out);
  };
  return { source, drawn: () => calls };
}

Deno.test("release() spends the claim and draws when the budget pays", () => {
  const budget = budgetFor(2);
  const { source, drawn } = countingSource();
  const output = release(mechanism, [0.5, 1], { budget, source });
  assertEquals(output * 16, Math.round(output * 16));
  assertEquals(budget.ledger, [mechanism.claim]);
  assert(drawn() > 0);
  // Its own secure source when none is given.
  release(mechanism, [0.5, 1], { budget });
  assertEquals(budget.ledger.length, 2);
});

Deno.test("release() draws nothing when the budget refuses", () => {
  const { source, drawn } = countingSource();
  assertThrows(
    () => release(mechanism, [0.5], { budget: budgetFor(0), source }),
    RangeError,
    "nothing is left",
  );
  assertEquals(drawn(), 0);
});

Deno.test("release() spends nothing and draws nothing when the data is bad", () => {
  const budget = budgetFor(1);
  const { source, drawn } = countingSource();
  const error = assertThrows(
    () => release(mechanism, [0.5, NaN, 0.123456], { budget, source }),
    RangeError,
    "rows must be finite numbers",
  );
  assert(!error.message.includes("0.123456"));
  assertEquals(budget.ledger.length, 0);
  assertEquals(drawn(), 0);
});

Deno.test("release() spends before it draws, so that a failing source costs", () => {
  const budget = budgetFor(1);
  const source = new SecureSource();
  source.uint32 = source.fillUint32 = () => {
    assertEquals(budget.ledger.length, 1);
    throw new Error("no randomness");
  };
  assertThrows(() => release(mechanism, [0.5], { budget, source }), Error, "no randomness");
  assertEquals(budget.ledger.length, 1);
});

Deno.test("release() takes no seeded source: neither the compiler nor the call lets it", () => {
  const budget = budgetFor(1);
  assertThrows(
    () =>
      release(mechanism, [0.5], {
        budget,
        // @ts-expect-error: a seeded source is no SecureSource.
        source: new SeededSource(1),
      }),
    TypeError,
    "SecureSource",
  );
  assertEquals(budget.ledger.length, 0);
});

// Whatever the budget looks at itself.
Deno.test("release() takes no claim that no constructor made, before the budget is asked", () => {
  const budget = budgetFor(2);
  const { source, drawn } = countingSource();
  const forged = { ...mechanism.claim } as unknown as Claim;
  for (const forger of [{ ...mechanism, claim: forged }, { ...mechanism, alsoKeeps: [forged] }]) {
    assertThrows(
      () => release(forger, [0.5], { budget, source }),
      TypeError,
      "Cannot release: claim must be made by",
    );
  }
  assertEquals(budget.ledger, []);
  assertEquals(drawn(), 0);
});
