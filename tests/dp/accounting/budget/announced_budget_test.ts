import { assert, assertEquals, assertThrows } from "@std/assert";
import { openAnnouncedBudget } from "../../../../lib/dp/accounting/budget/announced_budget.ts";
import { openBudget } from "../../../../lib/dp/accounting/budget/budget.ts";
import { sampledClaim } from "../../../../lib/dp/accounting/sampling/sampled_claim.ts";
import {
  approximate,
  type Claim,
  deltaAt,
  describeClaim,
  gaussian,
  pure,
  type PureClaim,
  renyi,
  zcdp,
} from "../../../../lib/core/mod.ts";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { dpSgdClaim, fitDpSgd } from "../../../../lib/dp/learners/sgd/dp_sgd.ts";

const relation = replaceOne;
const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
const each = gaussian({ mu: 0.02, relation });

// Mutants: the filter's price; δ at another ε; one run of each; sequences that do not fit.
Deno.test("openAnnouncedBudget() takes 140 releases of 0.02-GDP under (1, 1e-6), where a filter takes 121", () => {
  assert(deltaAt(gaussian({ mu: 0.02 * Math.sqrt(140), relation }), 1) <= 1e-6);
  assert(deltaAt(gaussian({ mu: 0.02 * Math.sqrt(141), relation }), 1) > 1e-6);
  const budget = openAnnouncedBudget(limit, [{ claim: each, count: 100 }, {
    claim: each,
    count: 40,
  }]);
  for (let run = 0; run < 140; run++) budget.spend(each);
  assertEquals(budget.ledger.length, 140);
  assertThrows(() => budget.spend(each), RangeError, "which ended after 140");
  assertThrows(
    () => openAnnouncedBudget(limit, [{ claim: each, count: 141 }]),
    RangeError,
    "the sequence must fit the limit, (1, 0.000001)-DP",
  );
  const filter = openBudget(limit, { slack: 1e-6 });
  let runs = 0;
  for (; filter.canSpend(each); runs++) filter.spend(each);
  assertEquals(runs, 121);
});

// Mutants: any order; a claim of the same ε that is about another relation, or has other losses; a list that is read again later.
Deno.test("openAnnouncedBudget() refuses whatever is not the next release that was announced", () => {
  const small = pure({ epsilon: 0.1, relation });
  const sampled = sampledClaim(pure({ epsilon: 0.5, relation: addRemoveOne }), {
    rate: 0.1,
    count: 5,
    delta: 1e-7,
  });
  const sequence = [{ claim: small as Claim, count: 1 }, { claim: each as Claim, count: 2 }];
  const budget = openAnnouncedBudget(limit, sequence);
  sequence[0]!.claim = pure({ epsilon: 50, relation });
  sequence.push({ claim: each, count: 1000 });
  for (
    const other of [
      each,
      pure({ epsilon: 0.1 - 1e-9, relation }),
      pure({ epsilon: 50, relation }),
      pure({ epsilon: 0.1, relation: addRemoveOne }),
      approximate({ epsilon: 0.1, delta: 0, relation }),
    ]
  ) {
    assert(!budget.canSpend(other));
    assertThrows(
      () => budget.spend(other),
      RangeError,
      "the next of the announced sequence, 0.1-DP",
    );
    assertThrows(() => budget.spendAll([small, other, small]), RangeError);
  }
  assertThrows(() => budget.spend({ ...small } as unknown as PureClaim), TypeError);
  assertEquals(budget.ledger, []);
  // Another claim that holds of the same output may be the one that was announced.
  budget.spend(pure({ epsilon: 3, relation }), [small]);
  budget.spendAll([each, each]);
  assertEquals(describeClaim(budget.remaining), "(0, 0)-DP");
  assertEquals(budget.ledger, [small, each, each]);
  // The same numbers with other losses: they would compose to more.
  const wide = approximate({ epsilon: 1, delta: 1e-5, relation: addRemoveOne });
  const numbers = approximate({
    epsilon: sampled.epsilon,
    delta: sampled.delta,
    relation: addRemoveOne,
  });
  const careful = openAnnouncedBudget(wide, [{ claim: sampled }]);
  assert(!careful.canSpend(numbers) && careful.canSpend(sampled));
});

Deno.test("openAnnouncedBudget() and sampledClaim() refuse what they cannot compose", () => {
  for (
    const claim of [zcdp({ rho: 0.01, relation }), renyi({ order: 2, epsilon: 0.1, relation })]
  ) {
    assertThrows(
      () => openAnnouncedBudget(limit, [{ claim }]),
      TypeError,
      "must be pure, approximate or",
    );
  }
  assertThrows(
    () => openAnnouncedBudget(limit, [{ claim: each, count: 0 }]),
    RangeError,
    "count must",
  );
  assertThrows(
    () => openAnnouncedBudget(limit, [{ claim: pure({ epsilon: 0.1, relation: addRemoveOne }) }]),
    RangeError,
    "relation must be",
  );
  assertThrows(
    () => openAnnouncedBudget(each as never, []),
    TypeError,
    "limit must be approximate",
  );
  const one = pure({ epsilon: 1, relation: addRemoveOne });
  assertThrows(() => sampledClaim(each, { rate: 0.1, delta: 0.1 }), RangeError, "relation must be");
  for (const rate of [0, 1.1, NaN]) {
    assertThrows(() => sampledClaim(one, { rate, delta: 0.1 }), RangeError, "rate must be");
  }
  assertThrows(() => sampledClaim(one, { rate: 0.1, delta: 0 }), RangeError, "delta must be");
  assertThrows(() => sampledClaim(one, { rate: 0.1, delta: 0.1, count: 0.5 }), RangeError, "count");
  assertThrows(
    () =>
      sampledClaim(zcdp({ rho: 1, relation: addRemoveOne }) as never, { rate: 0.1, delta: 0.1 }),
    TypeError,
    "must be pure or gaussian",
  );
});

const training = { columnCount: 2, steps: 20, rate: 0.1, clip: 1, learningRate: 0.01, delta: 1e-6 };
const rows = Array.from(
  { length: 40 },
  (_, i) => ({ features: [1, i % 2], label: 2 * (i % 2) - 1 }),
);

// Mutants: ε and δ of sampled claims in place of their losses; the share of discrete noise left out is too small to be seen.
Deno.test("openAnnouncedBudget() composes DP-SGD and sampled queries by their losses, where their claims add up to more", () => {
  const sgd = { ...training, epsilon: 0.7 };
  const query = sampledClaim(gaussian({ mu: 1, relation: addRemoveOne }), {
    rate: 0.01,
    count: 100,
    delta: 1e-6,
  });
  const sequence = [{ claim: dpSgdClaim(sgd) }, { claim: query }];
  const sum = sequence.reduce((total, { claim }) => total + claim.epsilon, 0);
  const together = approximate({ epsilon: 0.87 * sum, delta: 2e-6, relation: addRemoveOne });
  const budget = openAnnouncedBudget(together, sequence);
  assert(
    !openBudget(together).canSpend(
      approximate({ epsilon: sum, delta: 2e-6, relation: addRemoveOne }),
    ),
  );
  assertThrows(() => budget.spend(query), RangeError, "the next");
  assertThrows(() => fitDpSgd(rows, { ...sgd, steps: 21, budget }), RangeError, "the next");
  assertEquals(fitDpSgd(rows, { ...sgd, budget }).weights.length, 2);
  budget.spend(query);
  assertEquals(describeClaim(budget.remaining), "(0, 0)-DP");
  const small = approximate({ epsilon: 0.5, delta: 2e-6, relation: addRemoveOne });
  assertThrows(() => openAnnouncedBudget(small, sequence), RangeError, "must fit the limit");
});

// Mutant: no claim besides; ρ of one step.
Deno.test("a zCDP budget pays for DP-SGD by ρ of all steps", () => {
  const options = { ...training, noiseMultiplier: 10 };
  const rho = 20 / 200;
  for (const [share, fits] of [[1.001, true], [0.999, false]] as const) {
    const budget = openBudget(zcdp({ rho: share * rho, relation: addRemoveOne }));
    if (fits) assertEquals(fitDpSgd(rows, { ...options, budget }).weights.length, 2);
    else assertThrows(() => fitDpSgd(rows, { ...options, budget }), RangeError, "must fit");
  }
});
