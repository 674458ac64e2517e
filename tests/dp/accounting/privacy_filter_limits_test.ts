import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { privacyFilter } from "../../../lib/dp/accounting/budget/privacy_filter.ts";
import { largestRho } from "../../../lib/dp/accounting/composition/zcdp.ts";
import {
  type Claim,
  deltaAt,
  describeClaim,
  gaussian,
  pure,
  renyi,
} from "../../../lib/core/mod.ts";
import { parameterOf } from "../../../lib/core/claims/claim_curve.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { type BigNumber, bigNumber as big } from "../../core/numeric/big_number.ts";
import { rho, soft, withDelta } from "./filter_claims.ts";

/** A limit, a claim that takes half of each of its amounts, and what is left at first and after one and two. */
const HALVES: readonly [string, Claim, { slack?: number }, Claim, readonly Claim[]][] = [
  ["pure", pure({ epsilon: 1, relation }), {}, pure({ epsilon: 0.5, relation }), [
    pure({ epsilon: 1, relation }),
    pure({ epsilon: 0.5, relation }),
  ]],
  ["approximate", withDelta(1, 0.25), {}, withDelta(0.5, 0.125), [
    withDelta(1, 0.25),
    withDelta(0.5, 0.125),
  ]],
  ["zcdp", rho(1), {}, gaussian({ mu: 1, relation }), [rho(1), rho(0.5)]],
  ["zcdp, of pure claims", rho(1), {}, withDelta(1, 0), [rho(1), rho(0.5)]],
  [
    "renyi",
    renyi({ order: 2, epsilon: 1, relation }),
    {},
    renyi({
      order: 2,
      epsilon: 0.5,
      relation,
    }),
    [renyi({ order: 2, epsilon: 1, relation }), renyi({ order: 2, epsilon: 0.5, relation })],
  ],
];

// Mutants: nothing left reads as nothing or as a claim of 1; the whole limit left reads as nothing; μ²/2 as μ.
for (const [name, limit, options, half, left] of HALVES) {
  Deno.test(`privacyFilter() has the limit, half of it and nothing left when it is ${name}`, () => {
    const fresh = privacyFilter(limit, options), once = fresh.after(half)!;
    assertEquals([fresh.remaining, once.remaining], [...left]);
    const twice = once.after(half)!;
    assertEquals(deltaAt(twice.remaining, 0), 0);
    assertEquals(parameterOf(twice.remaining).value, 0);
    assertEquals(twice.after(half), undefined);
  });
}

Deno.test("privacyFilter() has largestRho() of the slack left when the limit is approximate with slack", () => {
  const most = largestRho({ epsilon: 1, delta: 5e-7 }), slack = 5e-7;
  const fresh = privacyFilter(soft, { slack });
  assertEquals(fresh.remaining, rho(most));
  assertEquals(fresh.after(rho(most / 2))!.remaining, rho(most / 2));
  assertEquals(describeClaim(fresh.after(rho(most))!.remaining), "(0, 5e-7)-DP");
  assertEquals(fresh.after(rho(most * (1 + 1e-15))), undefined);
  // The δ that is left is the limit's without the slack.
  assert(fresh.after(withDelta(0.01, 5e-7)) !== undefined);
  assertEquals(fresh.after(withDelta(0.01, 5.000001e-7)), undefined);
  for (const wrong of [0, -1e-9, NaN]) {
    assertThrows(
      () => privacyFilter(soft, { slack: wrong }),
      RangeError,
      "slack must be in (0, 1)",
    );
  }
  const whole = privacyFilter(soft, { slack: 1e-6 });
  assert(whole.after(pure({ epsilon: 0.01, relation })) !== undefined);
  assertEquals(whole.after(withDelta(0.01, 1e-300)), undefined);
});

// Mutants: the root rounded to nearest, or up.
Deno.test("privacyFilter() affords what it says remains when the limit is Gaussian", () => {
  const mu = fc.double({ min: 0.01, max: 3, noNaN: true });
  fc.assert(
    fc.property(mu, mu, (limit, spent) => {
      const after = privacyFilter(gaussian({ mu: limit, relation }))
        .after(gaussian({ mu: spent, relation }));
      assertEquals(after !== undefined, spent <= limit);
      const remaining = after?.remaining;
      if (remaining === undefined) return;
      assert(remaining.kind === "gaussian" && after!.after(remaining) !== undefined);
      if (limit === spent) return assertEquals(remaining.mu, 0);
      const exact = Math.sqrt((limit - spent) * (limit + spent));
      assertAlmostEquals(remaining.mu, exact, 1e-12 * limit * limit / exact);
    }),
    { seed: 124, numRuns: 300 },
  );
});

/** P(N(0, 1) > x), to some 60 digits while x is below 5. */
function tail(x: BigNumber): BigNumber {
  const square = x.times(x).div(-2);
  let term = x, sum = x;
  for (let k = 1; k < 150; k++) {
    term = term.times(square).div(k);
    sum = sum.plus(term.div(2 * k + 1));
  }
  const pi = big(16).times(atanOfInverse(5)).minus(big(4).times(atanOfInverse(239)));
  return big(0.5).minus(sum.div(pi.times(2).sqrt()));
}

/** Machin 1706. */
function atanOfInverse(x: number): BigNumber {
  let power = big(1).div(x), sum = power;
  for (let k = 1; k < 60; k++) {
    power = power.div(-x * x);
    sum = sum.plus(power.div(2 * k + 1));
  }
  return sum;
}

/** The least μ of a limit that affords the claim. */
function priceOf(claim: Claim): number {
  let low = 0, high = 200;
  for (let i = 0; i < 80; i++) {
    const mu = 0.5 * (low + high);
    if (privacyFilter(gaussian({ mu, relation })).after(claim) === undefined) low = mu;
    else high = mu;
  }
  return high;
}

// The loss of ε-DP at its worst has total variation tanh(ε/2), that of μ-GDP 1 − 2·P(N > μ/2). Mutants: the
// quantile as it is computed, without a margin for its roundings; no end to the range where it is computed.
Deno.test("privacyFilter() prices a pure claim at the μ of its total variation, rounded up", () => {
  for (let i = 1; i <= 40; i++) {
    const epsilon = 0.23 * i, mu = priceOf(pure({ epsilon, relation }));
    const rare = big(1).div(big(1).plus(big(epsilon).exp()));
    assert(tail(big(mu).div(2)).lte(rare), `${epsilon}`);
    assert(tail(big(mu * (1 - 1e-10)).div(2)).gt(rare), `${epsilon}`);
  }
  // P(N > x) is below e^(−x²/2)/2.
  for (const epsilon of [600, 700, 800, 1000]) {
    const mu = priceOf(pure({ epsilon, relation }));
    assert(mu > 0.98 * Math.sqrt(8 * epsilon) && mu <= Math.sqrt(8 * epsilon) * (1 + 1e-11));
  }
});

Deno.test("privacyFilter() of a Gaussian limit has what is left as a claim, and one of 0 when all is spent", () => {
  const limit = gaussian({ mu: 1, relation });
  const half = privacyFilter(limit).after(gaussian({ mu: 0.8, relation }))!;
  // Squares add up: 1 − .64 = .6².
  assertEquals(half.remaining, gaussian({ mu: 0.6, relation }));
  assertEquals(parameterOf(privacyFilter(limit).after(limit)!.remaining).value, 0);
});
