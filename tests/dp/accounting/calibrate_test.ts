import { assert, assertEquals, assertThrows } from "@std/assert";
import { openAnnouncedBudget } from "../../../lib/dp/accounting/budget/announced_budget.ts";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import { calibrate, type CalibrateOptions } from "../../../lib/dp/accounting/calibrate.ts";
import { sampledClaim } from "../../../lib/dp/accounting/sampling/sampled_claim.ts";
import { approximate, type Claim, gaussian, pure, renyi, zcdp } from "../../../lib/core/mod.ts";
import { pure as pureOfText } from "../../../lib/core/claims/claim_of_amounts.ts";
import { parameterOf, scaledClaim } from "../../../lib/core/claims/claim_curve.ts";
import { addRemoveOne as relation, replaceOne } from "../../../lib/core/relations/relation.ts";

const target = approximate({ epsilon: 1, delta: 1e-6, relation });

/** Whether an announced sequence of so many releases, by so much more of each claim, keeps a target. */
function accepts({ each, count, rate = 1 }: {
  readonly each: ReturnType<typeof calibrate>["each"];
  readonly count: number;
  readonly rate?: number | undefined;
}, more = 1): boolean {
  const made = scaledClaim(each, parameterOf(each).value * more) as typeof each;
  const parts = rate === 1
    ? [{ claim: made, count }]
    : [{ claim: sampledClaim(made, { rate, count, delta: 1e-6 }) }];
  try {
    openAnnouncedBudget(target, parts);
    return true;
  } catch {
    return false;
  }
}

// Mutants: the sampling left out, which no budget accepts less of; the search ended at its rough bounds; √count left out.
Deno.test("calibrate() finds for (ε, δ) what an announced sequence accepts, and nearly the most of it", () => {
  const cases: readonly CalibrateOptions[] = [
    { find: "sigma" },
    { find: "sigma", count: 100 },
    { find: "sigma", count: 1000, rate: 0.01 },
    { find: "epsilon", count: 100 },
    { find: "epsilon", count: 500, rate: 0.02 },
    { find: "count", sigma: 50 },
    { find: "count", epsilon: 0.5, rate: 0.01 },
  ];
  for (const options of cases) {
    const { each, count, claim, value } = calibrate(target, options), { rate } = options;
    const asked = JSON.stringify(options);
    assert(claim.kind === "approximate" && claim.epsilon <= 1 && claim.epsilon > 0.99, asked);
    assertEquals(claim.delta, 1e-6);
    assert(accepts({ each, count, rate }), asked);
    if (options.find === "count") assert(!accepts({ each, count: count + 1, rate }), asked);
    else assert(!accepts({ each, count, rate }, 1.003), asked);
    const expected = options.find === "count" ? count : 1 / parameterOf(each).value;
    const found = options.find === "epsilon" ? 1 / value : value;
    assert(Math.abs(found / expected - 1) < 1e-12, asked);
  }
});

// 1 + e^ε, by which a distance between laws counts, is infinite there.
Deno.test("calibrate() finds what an announced sequence accepts at the largest ε, too", () => {
  const limit = approximate({ epsilon: 1000, delta: 1e-6, relation });
  const { each } = calibrate(limit, { find: "epsilon", count: 2 });
  openAnnouncedBudget(limit, [{ claim: each, count: 2 }]);
});

// Mutants: costs of doubles added up in doubles; a share of the limit for each.
Deno.test("calibrate() finds for other targets what a budget accepts that often, and once no more", () => {
  const cases: readonly (readonly [Claim, CalibrateOptions])[] = [
    [pure({ epsilon: 1, relation }), { find: "epsilon", count: 10 }],
    [pureOfText({ epsilon: "0.3", relation }), { find: "count", epsilon: 0.1 }],
    [zcdp({ rho: 0.5, relation: replaceOne }), { find: "sigma", count: 7 }],
    [zcdp({ rho: 0.5, relation }), { find: "count", epsilon: 0.3 }],
    [gaussian({ mu: 1, relation }), { find: "sigma", count: 12 }],
    [gaussian({ mu: 1, relation }), { find: "epsilon", count: 4 }],
    [renyi({ order: 8, epsilon: 1, relation }), { find: "count", sigma: 4 }],
    [approximate({ epsilon: 1, delta: 0, relation }), { find: "epsilon", count: 3 }],
  ];
  for (const [limit, options] of cases) {
    const { each, count, claim } = calibrate(limit, options), budget = openBudget(limit);
    for (let i = 0; i < count; i++) budget.spend(each);
    openBudget(limit).spend(claim);
    const asked = JSON.stringify(options);
    if (options.find === "count") assert(!budget.canSpend(each), asked);
    else assert(parameterOf(claim).value > parameterOf(limit).value * (1 - 1e-9), asked);
  }
});

Deno.test("calibrate() on samples of a Rényi target finds what a budget accepts", () => {
  const limit = renyi({ order: 8, epsilon: 1, relation });
  const { each, value } = calibrate(limit, { find: "sigma", count: 1000, rate: 0.01 });
  const sampled = (count: number) => sampledClaim(each, { rate: 0.01, count, delta: 1e-6 });
  assert(openBudget(limit).canSpend(sampled(1000)) && !openBudget(limit).canSpend(sampled(1001)));
  assert(value > 0.98 && value < 0.99);
});

Deno.test("calibrate() refuses what is missing, given beside what is looked for, or out of reach", () => {
  const cases: readonly (readonly [CalibrateOptions, string])[] = [
    [{ find: "sigma", sigma: 1 }, "sigma must be left out"],
    [{ find: "epsilon", sigma: 1 }, "sigma must be left out"],
    [{ find: "count", sigma: 1, count: 2 }, "count must be left out"],
    [{ find: "count" }, "one of sigma and epsilon must be given"],
    [{ find: "count", sigma: 1, epsilon: 1 }, "one of sigma and epsilon must be given"],
    [{ find: "count", sigma: 0.01 }, "target must be within reach"],
    [{ find: "sigma", count: 0.5 }, "count must be an integer"],
    [{ find: "sigma", rate: 1.5 }, "rate must be at most 1"],
    [{ find: "noise" as "sigma" }, "find must be"],
  ];
  for (const [options, message] of cases) {
    assertThrows(() => calibrate(target, options), RangeError, message);
  }
  // Where δ alone is enough, and where no bound goes.
  const sampled = { find: "sigma", count: 3, rate: 0.5 } as const;
  const most = calibrate(approximate({ epsilon: 1, delta: 0.9, relation }), sampled);
  assert(most.claim.kind === "approximate" && most.claim.epsilon < 1e-9);
  const none = approximate({ epsilon: 1, delta: 1e-40, relation });
  assertThrows(() => calibrate(none, sampled), RangeError, "within reach");
  const small = pure({ epsilon: 1, relation });
  assertThrows(() => calibrate(small, { find: "sigma" }), TypeError, "kind pure");
  assertThrows(() => calibrate(small, { find: "count", epsilon: 2 }), RangeError, "within reach");
  const other = pure({ epsilon: 1, relation: replaceOne });
  const tenth = { find: "epsilon", rate: 0.1 } as const;
  assertThrows(() => calibrate(other, tenth), RangeError, "relation must be add-remove-one");
});
