import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import { groupPrivacy } from "../../../lib/dp/accounting/composition/group_privacy.ts";
import { lossOfClaim } from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { privacyFilter } from "../../../lib/dp/accounting/budget/privacy_filter.ts";
import { privacyOdometer } from "../../../lib/dp/accounting/budget/privacy_odometer.ts";
import { renyiOfClaim } from "../../../lib/dp/accounting/composition/renyi.ts";
import { zcdpOfClaim } from "../../../lib/dp/accounting/composition/zcdp.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { type Claim, deltaAt, gaussian, pure, zcdp } from "../../../lib/core/mod.ts";
import {
  addRemoveOne,
  changeEach,
  changeOne,
  pairOf,
  type Relation,
  replaceOne as relation,
} from "../../../lib/core/relations/relation.ts";
import { release } from "../../../lib/dp/mechanisms/release.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { assertPrivate } from "../../../lib/judge/testing/assert_private.ts";

const real = pure({ epsilon: 0.5, relation });
const fields = { kind: "pure", epsilon: 0.5, relation } as const;

/** What is no claim, whatever its fields say. */
const FORGED: readonly [string, unknown][] = [
  ["a spread copy", { ...real }],
  ["a refund", { ...real, epsilon: -5 }],
  ["a literal", fields],
  ["a frozen literal", Object.freeze({ ...fields })],
  ["an approximate refund of δ", { kind: "approximate", epsilon: 0.1, delta: -1, relation }],
  ["a negative ρ", { kind: "zcdp", rho: -1, relation }],
  ["a negative μ", { kind: "gaussian", mu: -1, relation }],
  ["an heir", Object.create(real)],
  ["a proxy", new Proxy(real, {})],
  ["a structured copy", structuredClone({ ...real, relation: undefined })],
  ["nothing", undefined],
  ["null", null],
];

/** All that takes a claim and rests on its numbers. */
const TAKERS: readonly [string, (claim: Claim) => unknown][] = [
  ["Budget.spend", (claim) => openBudget(zcdp({ rho: 9, relation })).spend(claim)],
  ["Budget.spendAll", (claim) => openBudget(zcdp({ rho: 9, relation })).spendAll([claim])],
  ["openBudget", (claim) => openBudget(claim)],
  ["privacyFilter", (claim) => privacyFilter(claim)],
  ["PrivacyFilter.after", (claim) => privacyFilter(zcdp({ rho: 9, relation })).after(claim)],
  [
    "PrivacyOdometer.after",
    (claim) => privacyOdometer({ slack: 0.1, tunedFor: [1] }).after(claim),
  ],
  ["zcdpOfClaim", zcdpOfClaim],
  ["renyiOfClaim", renyiOfClaim],
  ["lossOfClaim", lossOfClaim],
  ["deltaAt", (claim) => deltaAt(claim, 1)],
  ["groupPrivacy", (claim) => groupPrivacy(claim, { size: 2 })],
  [
    "release",
    (claim) =>
      release({ name: "one", claim, sample: () => 1 }, [], { budget: { spend: () => {} } }),
  ],
];

// Mutants: requireClaim() left out of any one of them; a brand that is an enumerable property.
for (const [name, take] of TAKERS) {
  Deno.test(`${name}() refuses what no constructor of claims made (item 7)`, () => {
    take(real);
    for (const [what, claim] of FORGED) {
      assertThrows(() => take(claim as Claim), TypeError, "claim must be made by", what);
    }
  });
}

Deno.test("audit() and assertPrivate() refuse what no constructor of claims made (item 7)", async () => {
  const source = new SeededSource(1);
  const pair = pairOf(relation, { left: [1], right: [0] });
  for (const [what, claim] of FORGED.slice(0, -2)) {
    const subject = functionSubject(() => 1, { name: "one", source, claim: claim as Claim });
    const bare = functionSubject(() => 1, { name: "one", source });
    const options = { pair, seed: 1, maxDraws: 100 };
    for (
      const run of [
        () => audit(subject, options),
        () => audit(bare, { ...options, claim: claim as Claim }),
        () => assertPrivate(bare, { ...options, claim: claim as Claim }),
      ]
    ) {
      const error = await run().then(() => undefined, (refusal: unknown) => refusal);
      assert(error instanceof TypeError && error.message.includes("claim must be made by"), what);
    }
  }
});

// Mutant: fields of a claim that can be changed once it is made.
Deno.test("claims are frozen, and a spread copy does not compile as one (item 7)", () => {
  for (const claim of [real, zcdp({ rho: 1, relation }), gaussian({ mu: 1, relation })]) {
    assert(Object.isFrozen(claim));
    assertThrows(() => Object.assign(claim, { epsilon: 1e-9 }), TypeError);
  }
  // @ts-expect-error: a copy lacks the mark of a claim.
  const copy: Claim = { ...real };
  // @ts-expect-error: so does a literal.
  const literal: Claim = { kind: "pure", epsilon: 1, relation };
  for (const claim of [copy, literal]) assertThrows(() => deltaAt(claim, 1), TypeError);
});

Deno.test("pure() reads its options once, and refuses what is no relation (item 7)", () => {
  let reads = 0;
  const claim = pure({
    get epsilon(): number {
      return ++reads === 1 ? 3 : 1e-9;
    },
    relation,
  });
  assertEquals([claim.epsilon, reads], [3, 1]);
  for (const none of [undefined, null, {}, { name: "replace-one" }]) {
    assertThrows(
      () => pure({ epsilon: 1, relation: none as unknown as Relation }),
      TypeError,
      "relation must",
    );
  }
});

// Mutant: the ledger read before the list of claims, whose iterator may spend.
Deno.test("spendAll() loses no update when reading the claims spends (item 7)", () => {
  const budget = openBudget(pure({ epsilon: 1, relation }));
  const quarter = pure({ epsilon: 0.25, relation });
  const offered = [real];
  offered[Symbol.iterator] = function* (): ArrayIterator<typeof real> {
    if (budget.ledger.length === 0) budget.spend(quarter);
    yield real;
  };
  budget.spendAll(offered);
  assertEquals([budget.ledger, budget.remaining], [[quarter, real], quarter]);
});

Deno.test("spend() loses no update when a claim of getters spends in being read (item 7)", () => {
  const budget = openBudget(pure({ epsilon: 1, relation }));
  const nested = {
    kind: "pure" as const,
    relation,
    get epsilon(): number {
      budget.spend(pure({ epsilon: 0.75, relation }));
      return 0.75;
    },
  };
  assertThrows(() => budget.spend(nested as unknown as Claim), TypeError, "claim must be made by");
  assertEquals(budget.ledger, []);
});

// Mutants: relations compared by name; by identity alone.
Deno.test("budget, filter and odometer take claims about one relation only, known by identity (item 7)", () => {
  const own = (): Relation => ({ name: "replace-one", description: "", violation: () => "never" });
  const first = own();
  const cases: [Relation, Relation, boolean][] = [
    [relation, relation, true],
    [relation, addRemoveOne, false],
    [relation, first, false],
    [relation, { ...relation }, false],
    [first, first, true],
    [first, own(), false],
    [changeEach({ by: 1 }), changeEach({ by: 1 }), true],
    [changeEach({ by: 1 }), changeEach({ by: 2 }), false],
    [changeOne({ by: 0.1 }), changeOne({ by: 0.1 }), true],
    [changeOne({ by: 1 }), changeEach({ by: 1 }), false],
  ];
  for (const [left, right, same] of cases) {
    const limit = pure({ epsilon: 1, relation: left });
    const claim = pure({ epsilon: 0.5, relation: right });
    const takers = [
      (): unknown => openBudget(limit).spend(claim),
      (): unknown => privacyFilter(limit).after(claim),
      (): unknown => privacyOdometer({ slack: 0.1, tunedFor: [1] }).after(limit).after(claim),
    ];
    for (const take of takers) {
      if (same) take();
      else assertThrows(take, RangeError, `relation must be ${left.name}`);
    }
    assertEquals(openBudget(limit).canSpend(claim), same);
  }
  const group = (): Claim => groupPrivacy(real, { size: 2 });
  openBudget(group()).spend(group());
});

Deno.test("shipped relations cannot be changed, and changeEach() is one relation for one bound (item 7)", () => {
  for (const shipped of [relation, addRemoveOne, changeEach({ by: 1 }), changeOne({ by: 1 })]) {
    assertThrows(() => Object.assign(shipped, { violation: () => undefined }), TypeError);
  }
});

Deno.test("the ledger cannot be changed from outside", () => {
  const budget = openBudget(pure({ epsilon: 1, relation }));
  budget.spend(real);
  assertThrows(() => (budget.ledger as Claim[]).pop(), TypeError);
  assertThrows(() => Object.assign(budget, { spend: () => {} }), TypeError);
  assertStrictEquals(budget.ledger[0], real);
});
