import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { analyticGaussian } from "../../../lib/dp/mechanisms/gaussian.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import { privacyOdometer } from "../../../lib/dp/accounting/budget/privacy_odometer.ts";
import { approximate, type Claim, gaussian, pure, renyi, zcdp } from "../../../lib/core/mod.ts";
import { addRemoveOne, replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { release } from "../../../lib/dp/mechanisms/release.ts";

const choice = exponentialMechanism<number, number>({
  candidates: [0, 1],
  utilities: (rows) => [rows.length, 0],
  epsilon: 1,
  sensitivity: 1,
  monotone: false,
  relation,
});

const number = analyticGaussian<number>({
  query: (rows) => rows[0]!,
  epsilon: 1,
  delta: 1e-6,
  sensitivity: 1,
  granularity: 2 ** -10,
  relation,
});

// Mutants: the claim always; the first that fits; the dearest.
Deno.test("a zCDP budget takes an analytic Gaussian, and an exponential mechanism at ε²/8 (item 12)", () => {
  const budget = openBudget(zcdp({ rho: 0.2, relation }));
  release(choice, [1], { budget });
  assertEquals(budget.ledger, choice.alsoKeeps);
  release(number, [1], { budget });
  assertEquals(budget.ledger[1], number.alsoKeeps![0]);
  assert(budget.ledger[1]!.kind === "zcdp");
});

Deno.test("a budget pays for the claim that takes the least of it (item 12)", () => {
  const slack = 1e-7;
  const limits: [Claim, { slack?: number }, string, string][] = [
    [pure({ epsilon: 2, relation }), {}, "pure", "none"],
    [approximate({ epsilon: 2, delta: 1e-5, relation }), {}, "pure", "approximate"],
    [approximate({ epsilon: 9, delta: 1e-5, relation }), { slack }, "zcdp", "zcdp"],
    [zcdp({ rho: 1, relation }), {}, "zcdp", "zcdp"],
    [gaussian({ mu: 5, relation }), {}, "pure", "none"],
    [renyi({ order: 4, epsilon: 1, relation }), {}, "zcdp", "zcdp"],
  ];
  for (const [limit, options, ofChoice, ofNumber] of limits) {
    for (const [mechanism, kind] of [[choice, ofChoice], [number, ofNumber]] as const) {
      const budget = openBudget(limit, options);
      const { claim, alsoKeeps } = mechanism;
      assertEquals(budget.canSpend(claim, alsoKeeps), kind !== "none", limit.kind);
      if (kind === "none") assertThrows(() => budget.spend(claim, alsoKeeps), TypeError);
      else {
        budget.spend(claim, alsoKeeps);
        assertEquals(budget.ledger.map((form) => form.kind), [kind], limit.kind);
      }
    }
  }
  // One that fits, though another takes less of what it is measured by.
  const tight = openBudget(approximate({ epsilon: 1, delta: 0.5, relation }), {});
  const [free, paid] = [
    pure({ epsilon: 0.9, relation }),
    approximate({ epsilon: 0.1, delta: 0.4, relation }),
  ];
  tight.spend(approximate({ epsilon: 0.05, delta: 0.2, relation }));
  tight.spend(free, [paid]);
  assertEquals(tight.ledger[1], free);
});

Deno.test("an odometer reads the least δ and ρ of the claims that hold at once (item 12)", () => {
  const start = privacyOdometer({ slack: 1e-6, tunedFor: [0.1] });
  const { rho, delta } = start.after(number.claim, number.alsoKeeps);
  assertEquals(delta, 1e-6);
  assert(rho < 0.05 && start.after(number.claim).rho >= 0.5);
  assert(start.after(choice.claim, choice.alsoKeeps).rho < 0.126);
});

Deno.test("claims that hold besides must be claims, and about the same relation (item 12)", () => {
  const { claim } = choice;
  const forged = { kind: "zcdp", rho: -1, relation } as unknown as Claim;
  const other = zcdp({ rho: 1e-9, relation: addRemoveOne });
  for (const limit of [pure({ epsilon: 1, relation }), zcdp({ rho: 1, relation })]) {
    const budget = openBudget(limit);
    assertThrows(() => budget.spend(claim, [forged]), TypeError, "claim must be made by");
    assertThrows(() => budget.spend(claim, [other]), RangeError, "relation must be");
    assertThrows(
      () => release({ ...choice, alsoKeeps: [forged] }, [1], { budget }),
      TypeError,
      "claim must be made by",
    );
    assertEquals(budget.ledger, []);
  }
});

Deno.test("a budget without slack says how to give it when it meets a zCDP or Gaussian claim (item 12)", () => {
  const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
  for (const claim of [zcdp({ rho: 0.01, relation }), gaussian({ mu: 0.1, relation })]) {
    assertThrows(
      () => openBudget(limit).spend(claim),
      TypeError,
      "as in openBudget(limit, { slack })",
    );
    openBudget(limit, { slack: 1e-6 }).spend(claim);
  }
});
