import { assertEquals, assertThrows } from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import { type Claim, claimToJSON, describeClaim } from "../../../lib/core/claims/claim.ts";
import { claimFromJSON } from "../../../lib/core/claims/claim_json.ts";
import {
  approximate,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../lib/core/claims/claim_of_amounts.ts";
import {
  addRemoveOne,
  changeEach,
  type Relation,
  replaceOne,
} from "../../../lib/core/relations/relation.ts";

const written = (claim: Claim): unknown => JSON.parse(JSON.stringify(claimToJSON(claim)));

Deno.test("claimFromJSON() reads what claimToJSON() writes, of every kind", () => {
  for (const relation of [replaceOne, addRemoveOne, changeEach({ by: 0.25 })]) {
    for (
      const claim of [
        pure({ epsilon: 0.1, relation }),
        approximate({ epsilon: 1e-300, delta: 0, relation }),
        approximate({ epsilon: 5, delta: 1e-9, relation }),
        zcdp({ rho: 1 / 3, relation }),
        renyi({ order: 1.5, epsilon: 2, relation }),
        gaussian({ mu: 0.7, relation }),
      ]
    ) {
      const read = claimFromJSON(written(claim));
      assertEquals(claimToJSON(read), claimToJSON(claim));
      openBudget(claim).spend(read); // of the same relation
    }
  }
});

// Mutant: the text written as the number, which is the double below it.
Deno.test("claimFromJSON() keeps decimal text exactly: ten times 0.1 is 1", () => {
  const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
  const tenth = written(pure({ epsilon: "0.1", relation: replaceOne }));
  for (let i = 0; i < 10; i++) budget.spend(claimFromJSON(tenth));
  assertEquals(describeClaim(budget.remaining), "0-DP");
});

Deno.test("claimFromJSON() takes a relation of one's own by the name that it is given for", () => {
  const mine: Relation = { name: "mine", description: "", violation: () => undefined };
  const claim = pure({ epsilon: 1, relation: mine });
  assertEquals(claimFromJSON(written(claim), { relation: mine }).relation, mine);
  assertThrows(() => claimFromJSON(written(claim)), RangeError, "relation must be one of");
  const other = { ...written(claim) as object, relation: "replace-one" };
  assertThrows(() => claimFromJSON(other, { relation: mine }), RangeError, "must be mine");
});

// Mutants: no check of fields; a check of numbers that text passes; further fields ignored.
Deno.test("claimFromJSON() refuses what is no claim, and names the field", () => {
  const right = { kind: "pure", epsilon: 1, relation: "replace-one" };
  const cases: [unknown, string][] = [
    [null, "the claim must be an object"],
    [[right], "the claim must be an object"],
    ["0.1-DP", "the claim must be an object"],
    [{ ...right, kind: "toString" }, "kind must be one of pure, approximate"],
    [{ kind: "pure", relation: "replace-one" }, "epsilon must be a number"],
    [{ ...right, epsilon: { valueOf: 1 } }, "epsilon must be a number"],
    [{ ...right, epsilon: -1 }, "epsilon must be positive"],
    [{ ...right, epsilon: "a lot" }, "epsilon must be positive"],
    [{ ...right, delta: 1e-6 }, "delta must be left out"],
    [{ ...right, kind: "approximate", delta: 1 }, "delta must be in [0, 1)"],
    [{ ...right, kind: "renyi", order: "2" }, "order must be a number"],
    [{ ...right, relation: undefined }, "relation must be the name"],
    [{ ...right, relation: "replace" }, "relation must be one of replace-one"],
  ];
  for (const [json, message] of cases) {
    assertThrows(() => claimFromJSON(json), Error, message, JSON.stringify(json));
  }
});
