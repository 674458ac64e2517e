import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type PrivacyFilter, privacyFilter } from "../../../lib/accounting/privacy_filter.ts";
import { pureRenyi } from "../../../lib/accounting/renyi.ts";
import { largestRho, zcdpEpsilon } from "../../../lib/accounting/zcdp.ts";
import {
  approximate,
  type Claim,
  deltaAt,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../lib/core/relation.ts";
import { type BigNumber, bigNumber as big } from "../numeric/big_number.ts";
import { epsilons, parameters } from "./arbitraries.ts";

/** Offers claims one after the other and keeps those that were let through. */
function offer(filter: PrivacyFilter, claims: readonly Claim[]): {
  filter: PrivacyFilter;
  taken: Claim[];
} {
  const taken: Claim[] = [];
  let current = filter;
  for (const claim of claims) {
    const after = current.after(claim);
    if (after !== undefined) [current] = [after, taken.push(claim)];
  }
  return { filter: current, taken };
}

const pureClaims = fc.array(epsilons.map((epsilon) => pure({ epsilon, relation })), {
  maxLength: 30,
});

// Mutants: checking the limit before the claim is added; comparing with <.
Deno.test("privacyFilter() lets eight eighths through and nothing more when the limit is pure", () => {
  const eighth = pure({ epsilon: 0.125, relation });
  const { filter, taken } = offer(
    privacyFilter(pure({ epsilon: 1, relation })),
    Array.from({ length: 12 }, () => eighth),
  );
  assertEquals(taken.length, 8);
  assertEquals(filter.remaining, undefined);
  assertEquals(filter.after(pure({ epsilon: Number.MIN_VALUE, relation })), undefined);
});

// Mutants: adding ε where squares add up, or squares where ε adds up; ε²/4; rounding a sum down.
Deno.test("privacyFilter() never exceeds its limit whatever is offered", () => {
  const totals: [Claim, (taken: readonly Claim[]) => number, number][] = [
    [pure({ epsilon: 4, relation }), sumOf((epsilon) => epsilon), 4],
    [approximate({ epsilon: 4, delta: 1e-6, relation }), sumOf((epsilon) => epsilon), 4],
    [zcdp({ rho: 2, relation }), sumOf((epsilon) => epsilon * epsilon / 2), 2],
    [
      renyi({ order: 3, epsilon: 2, relation }),
      sumOf((epsilon) => pureRenyi({ epsilon })(3)),
      2,
    ],
  ];
  fc.assert(
    fc.property(pureClaims, (claims) => {
      for (const [limit, total, most] of totals) {
        const { taken, filter } = offer(privacyFilter(limit), claims);
        assert(total(taken) <= most * (1 + 1e-14));
        // And it refused only what would have exceeded it.
        const { remaining } = filter;
        const refused = claims.find((claim) => !taken.includes(claim));
        if (refused !== undefined && remaining === undefined) continue;
        if (refused !== undefined) assert(total([...taken, refused]) > most);
        if (remaining !== undefined) assert(filter.after(remaining) !== undefined);
      }
    }),
    { seed: 121, numRuns: 60 },
  );
});

function sumOf(cost: (epsilon: number) => number): (taken: readonly Claim[]) => number {
  return (taken) =>
    taken.reduce((sum, claim) => sum + (claim.kind === "pure" ? cost(claim.epsilon) : NaN), 0);
}

// Mutants: spending all of δ on the slack and on the claims too; ρ = ε² per claim.
Deno.test("privacyFilter() composes concentratedly when an approximate limit has slack", () => {
  const limit = approximate({ epsilon: 1, delta: 2e-6, relation });
  const each = approximate({ epsilon: 0.01, delta: 1.9e-8, relation });
  const many = Array.from({ length: 500 }, () => each);
  const { taken } = offer(privacyFilter(limit, { slack: 1e-6 }), many);
  assertEquals(taken.length, 52); // δ − slack = 1e-6 is what stops it
  assertEquals(offer(privacyFilter(limit), many).taken.length, 99); // 100 times the double 0.01 is above 1
  const noDelta = Array.from({ length: 800 }, () => pure({ epsilon: 0.01, relation }));
  const more = offer(privacyFilter(limit, { slack: 1e-6 }), noDelta).taken.length;
  assert(zcdpEpsilon({ rho: more * 0.00005 }, { delta: 1e-6 }) <= 1);
  assert(zcdpEpsilon({ rho: (more + 1) * 0.00005 }, { delta: 1e-6 }) > 1);
  assert(more > 4 * offer(privacyFilter(limit), noDelta).taken.length);
});

// Mutant: μ = ε for ε-DP.
Deno.test("privacyFilter() counts a pure claim as the least μ when the limit is Gaussian", () => {
  fc.assert(
    fc.property(epsilons, fc.double({ min: 0, max: 4, noNaN: true }), (epsilon, at) => {
      const limit = gaussian({ mu: 10, relation });
      const after = privacyFilter(limit).after(pure({ epsilon, relation }))!.remaining;
      assert(after?.kind === "gaussian");
      const mu = Math.sqrt(100 - after.mu ** 2);
      if (mu < 0.05) return; // too near 0 to subtract
      const allowed = deltaAt(gaussian({ mu: mu * (1 + 1e-9), relation }), at);
      assert(deltaAt(pure({ epsilon, relation }), at) <= allowed * (1 + 1e-6) + 1e-12);
      assertAlmostEquals(deltaAt(gaussian({ mu, relation }), 0), Math.tanh(epsilon / 2), 1e-9);
    }),
    { seed: 122 },
  );
});

Deno.test("privacyFilter() leaves the filter as it was when asked what would come after", () => {
  fc.assert(
    fc.property(parameters, ({ epsilon }) => {
      const filter = privacyFilter(pure({ epsilon: 5, relation }));
      const before = filter.remaining;
      filter.after(pure({ epsilon, relation }));
      assertEquals(filter.remaining, before);
    }),
    { seed: 123 },
  );
});

Deno.test("privacyFilter() throws when a claim or the slack cannot be counted", () => {
  const limit = pure({ epsilon: 1, relation });
  for (
    const claim of [
      zcdp({ rho: 0.1, relation }),
      approximate({ epsilon: 0.1, delta: 0.1, relation }),
    ]
  ) {
    assertThrows(() => privacyFilter(limit).after(claim), TypeError, "current kind is");
  }
  const order = renyi({ order: 2, epsilon: 0.1, relation });
  assertThrows(() => privacyFilter(zcdp({ rho: 1, relation })).after(order), TypeError);
  const strict = privacyFilter(renyi({ order: 4, epsilon: 1, relation }));
  assertThrows(() => strict.after(order), TypeError);
  assert(strict.after(renyi({ order: 8, epsilon: 0.1, relation })) !== undefined);
  assertThrows(() => privacyFilter(limit, { slack: 0.1 }), RangeError, "slack must be left out");
  const soft = approximate({ epsilon: 1, delta: 1e-6, relation });
  assertThrows(() => privacyFilter(soft, { slack: 1e-5 }), RangeError, "slack must be at most");
});

const soft = approximate({ epsilon: 1, delta: 1e-6, relation });
const rho = (value: number): Claim => zcdp({ rho: value, relation });
const withDelta = (epsilon: number, delta: number): Claim =>
  approximate({ epsilon, delta, relation });

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

// Mutants: nothing left reads as a claim of 0 or of 1; the whole limit left reads as nothing; μ²/2 as μ.
for (const [name, limit, options, half, left] of HALVES) {
  Deno.test(`privacyFilter() has the limit, half of it and nothing left when it is ${name}`, () => {
    const fresh = privacyFilter(limit, options), once = fresh.after(half)!;
    assertEquals([fresh.remaining, once.remaining], [...left]);
    const twice = once.after(half)!;
    assertEquals(twice.remaining, undefined);
    assertEquals(twice.after(half), undefined);
  });
}

Deno.test("privacyFilter() has largestRho() of the slack left when the limit is approximate with slack", () => {
  const most = largestRho({ epsilon: 1, delta: 5e-7 }), slack = 5e-7;
  const fresh = privacyFilter(soft, { slack });
  assertEquals(fresh.remaining, rho(most));
  assertEquals(fresh.after(rho(most / 2))!.remaining, rho(most / 2));
  assertEquals(fresh.after(rho(most))!.remaining, undefined);
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
// quantile as it is computed, without room for its roundings; no end to the range where it is computed.
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

// Mutants: the least of the shares for the greatest; amounts in place of shares; a claim that does not fit.
Deno.test("cheapest() is the claim that takes the least of what it takes most of, if it fits", () => {
  const strict = approximate({ epsilon: 10, delta: 1e-6, relation });
  const cases: [PrivacyFilter, Claim[], number][] = [
    [privacyFilter(soft), [withDelta(0.1, 5e-7), withDelta(0.2, 2e-7)], 1],
    [privacyFilter(strict), [withDelta(5, 1e-7), withDelta(1, 9e-7)], 0],
    [privacyFilter(soft).after(pure({ epsilon: 0.9, relation }))!, [
      pure({ epsilon: 0.2, relation }),
      withDelta(0.05, 5e-7),
    ], 1],
    // None fits.
    [privacyFilter(soft).after(pure({ epsilon: 0.9, relation }))!, [
      pure({ epsilon: 0.3, relation }),
      pure({ epsilon: 0.2, relation }),
    ], 1],
    // No δ is left to take a share of.
    [privacyFilter(soft, { slack: 1e-6 }), [
      pure({ epsilon: 0.3, relation }),
      pure({ epsilon: 0.2, relation }),
    ], 1],
    // Only the second can be counted.
    [privacyFilter(soft), [rho(0.001), pure({ epsilon: 0.9, relation })], 1],
    // Of equal shares the first.
    [privacyFilter(soft), [pure({ epsilon: 0.1, relation }), withDelta(0.1, 0)], 0],
  ];
  for (const [filter, [claim, ...others], best] of cases) {
    assertEquals(filter.cheapest(claim!, others), [claim, ...others][best]);
  }
  assertThrows(() => privacyFilter(soft).cheapest(rho(1), [rho(2)]), TypeError, "kind zcdp");
});

// Mutants: the advice to give a slack where it would not help, or none where it would.
Deno.test("privacyFilter() asks for a slack only where that would make the claim countable", () => {
  const plain = privacyFilter(soft), order = renyi({ order: 2, epsilon: 0.1, relation });
  for (const claim of [rho(0.1), gaussian({ mu: 0.1, relation })]) {
    assertThrows(() => plain.after(claim), TypeError, "slack must be given");
    assertThrows(
      () => privacyFilter(pure({ epsilon: 1, relation })).after(claim),
      TypeError,
      "pure",
    );
  }
  for (const filter of [plain, privacyFilter(soft, { slack: 1e-7 })]) {
    assertThrows(() => filter.after(order), TypeError, "current kind is renyi");
  }
  for (const limit of [rho(1), gaussian({ mu: 1, relation }), pure({ epsilon: 1, relation })]) {
    for (const claim of [withDelta(0.1, 1e-9), order]) {
      assertThrows(
        () => privacyFilter(limit).after(claim),
        TypeError,
        `a limit of kind ${limit.kind} must be spent on claims that it can count: current kind is ${claim.kind}`,
      );
    }
  }
});

// Mutant: a divergence whose digits cancel, so that any number of small claims is free.
Deno.test("privacyFilter() charges pure claims of 1e-9 when the limit is of Rényi privacy", () => {
  const filter = privacyFilter(renyi({ order: 2, epsilon: 1e-15, relation }));
  const left = filter.after(pure({ epsilon: 1e-9, relation }))!.remaining;
  assert(left?.kind === "renyi");
  assertAlmostEquals(left.epsilon, 1e-15 - 1e-18, 1e-27);
});

Deno.test("privacyFilter() of a Gaussian limit has what is left as a claim, and none when all is spent", () => {
  const limit = gaussian({ mu: 1, relation });
  const half = privacyFilter(limit).after(gaussian({ mu: 0.8, relation }))!;
  assert(half.remaining?.kind === "gaussian");
  // Squares add up: 1 − .64 = .6².
  assertAlmostEquals(half.remaining.mu, 0.6, 1e-12);
  assert(half.remaining.mu < 0.6);
  assertEquals(privacyFilter(limit).after(limit)!.remaining, undefined);
});
