import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { approximate, gaussian, renyi } from "../../../../../lib/core/mod.ts";
import { parameterOf, scaledClaim } from "../../../../../lib/core/claims/claim_curve.ts";
import { replaceOne as relation } from "../../../../../lib/core/relations/relation.ts";
import { parameterOfLaw } from "../../../../../lib/judge/audit/plan/bet_choice/law_parameter.ts";
import type { SharedBet } from "../../../../../lib/judge/audit/kernel/betting/claim_bet.ts";
import type { PredictedLeaves } from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import { boundByBets } from "../../../../../lib/judge/audit/plan/bound_at_end.ts";
import { BetBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/bet_bound.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import {
  ALPHA,
  batchOf,
  betsOfTwo,
  CELLS,
  claims,
  drawn,
  LAW,
  learnedFrom,
  poisson,
  testOfTwo,
  twoLeaves,
} from "./bets.ts";

for (const [claim, least] of claims) {
  const { value } = parameterOf(claim);
  Deno.test(`BetBound of a ${claim.kind} claim of ${value} is seldom above the truth, and near it`, () => {
    const source = new SeededSource(2311).split(`${claim.kind} ${value}`);
    const truth = parameterOfLaw(LAW, claim), bounds: number[] = [];
    assert(Math.abs(truth / value - 1) < 0.04, `cells keep ${truth} of ${value}`);
    const exact = scaledClaim(claim, truth);
    let refuted = 0;
    // A bet is designed for each order of a concentrated claim, which takes long.
    const trials = claim.kind === "zcdp" ? 3 : 12;
    for (let trial = 0; trial < trials; trial++) {
      const draws = 1e6;
      const test = boundByBets(learnedFrom(drawn(source, 4e5)), {
        claim: exact,
        alpha: ALPHA,
        draws,
      });
      assertEquals(test.bound.lowerBound(), 0);
      test.bound.add(batchOf(drawn(source, draws / 2)));
      test.bound.add(batchOf(drawn(source, draws / 2)));
      if (test.bound.refutes()) refuted++;
      assertEquals(test.bound.refutes(), test.bound.lowerBound() >= truth * (1 - 1e-9));
      bounds.push(test.bound.lowerBound() / truth);
    }
    // One false alarm of 12 is expected at most; 5 or more of 12 have probability below 0.001, 2 or more of 3 below 0.01.
    assert(refuted <= (trials === 3 ? 1 : 4), `${refuted} of ${trials} refuted`);
    const median = bounds.sort((a, b) => a - b)[trials >> 1]!;
    assert(median >= least, `median ${median}`);
  });
}

// Mutant: stakes for the least ε that the law keeps, at which nothing can be gained where δ is small.
Deno.test("BetBound comes near the truth of randomised response, however small δ is, and says what it sees", () => {
  const source = new SeededSource(2314), draws = 1e6, rate = 1 / (1 + Math.exp(-1));
  const answers = (n: number): Float64Array =>
    Float64Array.of(rate, 1 - rate, 1 - rate, rate).map((share) =>
      poisson(source, 0.5 * n * share)
    );
  const learnedOf = (counts: Float64Array): PredictedLeaves => {
    const odds = Float64Array.of(0, 1).map((leaf) =>
      Math.log(counts[2 * leaf + 1]! / counts[2 * leaf]!)
    );
    return {
      leaves: Int32Array.of(0, 1),
      counts,
      logOdds: [odds, odds, odds, odds, odds],
    };
  };
  for (const delta of [1e-9, 1e-5, 1e-3, 0.1]) {
    const claim = approximate({ epsilon: Math.log((rate - delta) / (1 - rate)), delta, relation });
    let refuted = 0;
    for (let trial = 0; trial < 10; trial++) {
      const test = boundByBets(learnedOf(answers(2e5)), { claim, alpha: ALPHA, draws });
      test.bound.add(batchOf(answers(draws)));
      if (test.bound.refutes()) refuted++;
      const share = test.bound.lowerBound() / claim.epsilon;
      assert(share > 0.97, `${share} of the truth at δ = ${delta}`);
    }
    assert(refuted <= 4, `${refuted} of 10 refuted at δ = ${delta}`);
  }
});

Deno.test("BetBound shows nothing without draws", () => {
  const claim = renyi({ order: 2, epsilon: 1, relation });
  const test = boundByBets(learnedFrom(new Float64Array(2 * CELLS)), {
    claim,
    alpha: ALPHA,
    draws: 100,
  });
  assertEquals([test.bound.lowerBound(), test.bound.refutes(), test.counted()?.draws], [
    0,
    false,
    0,
  ]);
});

Deno.test("BetBound takes draws in no leaf to be on the side that is worse for its bets", () => {
  const source = new SeededSource(2313), draws = 2e5;
  for (
    const claim of [renyi({ order: 2, epsilon: 0.5, relation }), gaussian({ mu: 0.7, relation })]
  ) {
    const learned = learnedFrom(drawn(source, 4e5)), counts = drawn(source, draws);
    const wealthWith = (excepted: number): number => {
      const test = boundByBets(learned, { claim, alpha: ALPHA, draws });
      const batch = batchOf(counts);
      test.bound.add({ ...batch, draws: batch.draws + excepted });
      return test.bound.logWealthAgainst(parameterOf(claim).value);
    };
    const [none, some, more] = [0, 1000, 2000].map(wealthWith);
    assert(none! > some! && some! > more!);
  }
});

// Mutants: a bet with the whole stake; draws in no leaf all on the left, or all on the right, or ignored; counts exchanged.
Deno.test("BetBound.logWealthAgainst() is the average of the bets by their shares, draw by draw", () => {
  const counts = Float64Array.of(900, 640, 580, 860), inNoLeaf = 7;
  let shared = 0;
  for (const claim of twoLeaves) {
    const bets = betsOfTwo(claim, ALPHA),
      { value } = parameterOf(claim),
      test = testOfTwo(claim, ALPHA);
    if (bets.length > 1) shared++;
    assertAlmostEquals(bets.reduce((sum, { share }) => sum + share, 0), 1, 1e-12);
    test.bound.add({ counts, draws: batchOf(counts).draws + inNoLeaf });
    for (const parameter of [0.8 * value, value, 1.3 * value]) {
      let wealth = 0;
      for (const { bet, share } of bets) {
        const { left, right } = bet.factorsAt(parameter)!;
        // The last cell has the outputs that are in no leaf.
        const worse = Math.min(left[2]!, right[2]!);
        const logs = counts[0]! * Math.log(left[0]!) + counts[1]! * Math.log(right[0]!) +
          counts[2]! * Math.log(left[1]!) + counts[3]! * Math.log(right[1]!) +
          inNoLeaf * Math.log(worse);
        wealth += share * Math.exp(logs);
      }
      assertAlmostEquals(test.bound.logWealthAgainst(parameter), Math.log(wealth), 1e-9);
    }
  }
  assert(shared >= 2, `${shared} with two bets`);
});

// Mutants: a bound that is not rounded down, or rounded up; the bound of the counts before.
Deno.test("BetBound.lowerBound() is rounded down by a relative 1e-12 from where the wealth is 1/α, for all counts so far", () => {
  for (const claim of twoLeaves) {
    const test = testOfTwo(claim, ALPHA), whole = testOfTwo(claim, ALPHA);
    assertEquals([test.bound.lowerBound(), test.bound.refutes()], [0, false]);
    const first = Float64Array.of(900, 640, 580, 860),
      second = Float64Array.of(9, 4, 3, 8).map((n) => 100 * n);
    test.bound.add(batchOf(first));
    const before = test.bound.lowerBound();
    test.bound.add(batchOf(second));
    whole.bound.add(batchOf(first.map((n, i) => n + second[i]!)));
    const bound = test.bound.lowerBound();
    assert(bound > before && before > 0 && bound === whole.bound.lowerBound());
    const goal = Math.log(1 / ALPHA) + 1e-6;
    assert(test.bound.logWealthAgainst(bound * (1 + 0.9e-12)) >= goal, claim.kind);
    assert(test.bound.logWealthAgainst(bound * (1 + 1.1e-12)) < goal, claim.kind);
  }
});

// Mutants: shares that are not looked at; their sum alone, or their signs alone.
Deno.test("BetBound refuses shares that are negative or add up to more than 1", () => {
  const claim = renyi({ order: 2, epsilon: 1, relation });
  const [{ bet }] = betsOfTwo(claim, ALPHA) as [SharedBet];
  const begin = (...shares: number[]): BetBound =>
    new BetBound(Int32Array.of(0, 1), {
      bets: shares.map((share) => ({ bet, share })),
      claim,
      alpha: ALPHA,
    });
  begin(0.7, 0.3);
  for (const shares of [[0.7, 0.4], [1.5, -0.5], [NaN]]) {
    assertThrows(() => begin(...shares), RangeError, "shares of the stake");
  }
});
