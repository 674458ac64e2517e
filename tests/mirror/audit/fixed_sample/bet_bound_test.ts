import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { type Claim, gaussian, renyi, zcdp } from "../../../../lib/core/claim.ts";
import { approximate } from "../../../../lib/core/claim.ts";
import { parameterOf, scaledClaim } from "../../../../lib/core/claim_curve.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import { BetBound } from "../../../../lib/audit/fixed_sample/bet_bound.ts";
import { growthUnder } from "../../../../lib/audit/fixed_sample/bet_prospect.ts";
import { chooseBets, type SharedBet } from "../../../../lib/audit/fixed_sample/choose_bets.ts";
import { parameterOfLaw } from "../../../../lib/audit/fixed_sample/law_parameter.ts";
import { lawOf, predictedShares } from "../../../../lib/audit/fixed_sample/predicted_law.ts";
import { gaussianDelta } from "../../../../lib/numeric/gaussian_delta.ts";
import { normalTail } from "../../../../lib/numeric/normal_tail.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const CELLS = 48, ALPHA = 0.05;

/** Probabilities of cells of N(mean, 1). */
function normalCells(mean: number): number[] {
  const edges = Array.from({ length: CELLS - 1 }, (_, i) => -4.2 + (9.4 * (i + 1)) / CELLS);
  const below = [0, ...edges.map((edge) => normalTail(mean - edge)), 1];
  return Array.from({ length: CELLS }, (_, i) => below[i + 1]! - below[i]!);
}

const LAW = { left: Float64Array.from(normalCells(0)), right: Float64Array.from(normalCells(1)) };

/** A Poisson number: a rounded normal one where that is close. */
function poisson(source: SeededSource, mean: number): number {
  if (mean > 60) {
    const normal = Math.sqrt(-2 * Math.log(source.uniform())) *
      Math.cos(2 * Math.PI * source.uniform());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = -1, log = 0;
  while (log > -mean) {
    log += Math.log(source.uniform());
    count++;
  }
  return count;
}

/** Counts of about as many draws of the law, at `[2 * leaf + label]`. */
function drawn(source: SeededSource, draws: number): Float64Array {
  const counts = new Float64Array(2 * CELLS);
  for (let i = 0; i < CELLS; i++) {
    counts[2 * i] = poisson(source, 0.5 * draws * LAW.left[i]!);
    counts[2 * i + 1] = poisson(source, 0.5 * draws * LAW.right[i]!);
  }
  return counts;
}

function batchOf(counts: Float64Array): Parameters<BetBound["add"]>[0] {
  return { counts, draws: counts.reduce((sum, count) => sum + count, 0) };
}

const leaves = Int32Array.from({ length: CELLS }, (_, i) => i);

function learnedFrom(counts: Float64Array): ConstructorParameters<typeof BetBound>[0] {
  const odds = Float64Array.from(
    leaves,
    (leaf) => Math.log((counts[2 * leaf + 1]! + 0.5) / (counts[2 * leaf]! + 0.5)),
  );
  return { leaves, counts, logOdds: [odds, odds, odds, odds, odds] };
}

const claims: readonly (readonly [claim: Claim, least: number])[] = [
  [renyi({ order: 2, epsilon: 1, relation }), 0.94],
  [zcdp({ rho: 0.5, relation }), 0.96],
  [approximate({ epsilon: 0.5, delta: gaussianDelta(1, 0.5), relation }), 0.94],
  [approximate({ epsilon: 2, delta: gaussianDelta(1, 2), relation }), 0.94],
  [gaussian({ mu: 1, relation }), 0.97],
];

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
      const test = new BetBound(learnedFrom(drawn(source, 4e5)), {
        claim: exact,
        alpha: ALPHA,
        draws,
      });
      assertEquals(test.lowerBound(), 0);
      test.add(batchOf(drawn(source, draws / 2)));
      test.add(batchOf(drawn(source, draws / 2)));
      if (test.refutes()) refuted++;
      assertEquals(test.refutes(), test.lowerBound() >= truth * (1 - 1e-9));
      bounds.push(test.lowerBound() / truth);
    }
    // One false alarm of 12 is expected at most; 5 or more of 12 have probability below 0.001, 2 or more of 3 below 0.01.
    assert(refuted <= (trials === 3 ? 1 : 4), `${refuted} of ${trials} refuted`);
    const median = bounds.sort((a, b) => a - b)[trials >> 1]!;
    assert(median >= least, `median ${median}`);
  });

  if (claim.kind === "zcdp") continue;
  Deno.test(`BetBound.detectable() of a ${claim.kind} claim of ${value} is a violation that is refuted about as often as said`, () => {
    const source = new SeededSource(2312).split(`${claim.kind} ${value}`);
    const learned = learnedFrom(drawn(source, 4e5)), draws = 2e5;
    const truth = parameterOfLaw(LAW, claim);
    // The claim that is the farthest below the truth with this law just detectable, by halving.
    let low = 0.3 * truth, high = truth;
    const detectableOf = (parameter: number): number => {
      const test = new BetBound(learned, {
        claim: scaledClaim(claim, parameter),
        alpha: ALPHA,
        draws,
      });
      test.add(batchOf(drawn(source, draws)));
      return test.detectable(0.9)!;
    };
    for (let step = 0; step < 6; step++) {
      const middle = (low + high) / 2;
      if (detectableOf(middle) < truth) low = middle;
      else high = middle;
    }
    let refuted = 0;
    for (let trial = 0; trial < 20; trial++) {
      const test = new BetBound(learned, { claim: scaledClaim(claim, low), alpha: ALPHA, draws });
      test.add(batchOf(drawn(source, draws)));
      if (test.refutes()) refuted++;
    }
    // 18 are expected; the estimate may be off by a few.
    assert(refuted >= 13, `${refuted} of 20 refuted at ${low / truth} of the truth`);
    assert(low < 0.99 * truth && low > 0.6 * truth, `${low / truth}`);
  });
}

// Mutant: stakes for the least ε that the law keeps, at which nothing can be gained where δ is small.
Deno.test("BetBound comes near the truth of randomised response, however small δ is, and says what it sees", () => {
  const source = new SeededSource(2314), draws = 1e6, rate = 1 / (1 + Math.exp(-1));
  const answers = (n: number): Float64Array =>
    Float64Array.of(rate, 1 - rate, 1 - rate, rate).map((share) =>
      poisson(source, 0.5 * n * share)
    );
  const learnedOf = (counts: Float64Array): ConstructorParameters<typeof BetBound>[0] => {
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
      const test = new BetBound(learnedOf(answers(2e5)), { claim, alpha: ALPHA, draws });
      test.add(batchOf(answers(draws)));
      if (test.refutes()) refuted++;
      const share = test.lowerBound() / claim.epsilon, seen = test.detectable(0.9)!;
      assert(share > 0.97, `${share} of the truth at δ = ${delta}`);
      assert(seen > claim.epsilon && seen < 1.03 * claim.epsilon, `${seen} at δ = ${delta}`);
    }
    assert(refuted <= 4, `${refuted} of 10 refuted at δ = ${delta}`);
  }
});

Deno.test("BetBound shows nothing without draws", () => {
  const claim = renyi({ order: 2, epsilon: 1, relation });
  const test = new BetBound(learnedFrom(new Float64Array(2 * CELLS)), {
    claim,
    alpha: ALPHA,
    draws: 100,
  });
  assertEquals([test.lowerBound(), test.refutes(), test.detectable(0.9)], [0, false, null]);
});

Deno.test("BetBound takes draws in no leaf to be on the side that is worse for its bets", () => {
  const source = new SeededSource(2313), draws = 2e5;
  for (
    const claim of [renyi({ order: 2, epsilon: 0.5, relation }), gaussian({ mu: 0.7, relation })]
  ) {
    const learned = learnedFrom(drawn(source, 4e5)), counts = drawn(source, draws);
    const wealthWith = (excepted: number): number => {
      const test = new BetBound(learned, { claim, alpha: ALPHA, draws });
      const batch = batchOf(counts);
      test.add({ ...batch, draws: batch.draws + excepted });
      return test.logWealthAgainst(parameterOf(claim).value);
    };
    const [none, some, more] = [0, 1000, 2000].map(wealthWith);
    assert(none! > some! && some! > more!);
  }
});

/** Two leaves, learned from so many draws a label; and a claim for which two bets share the stake, or one. */
const TWO = learnedOfTwo([700, 500, 450, 620]);
const twoLeaves: readonly Claim[] = [
  approximate({ epsilon: 0.5, delta: 0.01, relation }),
  gaussian({ mu: 0.5, relation }),
  zcdp({ rho: 0.05, relation }),
  renyi({ order: 3, epsilon: 0.2, relation }),
];
const testOfTwo = (claim: Claim, alpha: number): BetBound =>
  new BetBound(TWO, { claim, alpha, draws: 4000 });
const betsOfTwo = (claim: Claim, alpha: number): SharedBet[] =>
  chooseBets(predictedShares(TWO), { claim, draws: 4000, nats: Math.log(1 / alpha) + 1e-6 });

function learnedOfTwo(counts: readonly number[]): ConstructorParameters<typeof BetBound>[0] {
  const odds = Float64Array.of(0, 1).map((leaf) =>
    Math.log(counts[2 * leaf + 1]! / counts[2 * leaf]!)
  );
  return {
    leaves: Int32Array.of(0, 1),
    counts: Float64Array.from(counts),
    logOdds: [odds, odds, odds, odds, odds],
  };
}

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
    test.add({ counts, draws: batchOf(counts).draws + inNoLeaf });
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
      assertAlmostEquals(test.logWealthAgainst(parameter), Math.log(wealth), 1e-9);
    }
  }
  assert(shared >= 2, `${shared} with two bets`);
});

// Mutants: the left factor alone of draws in no leaf, or the right one alone.
Deno.test("BetBound takes each draw in no leaf to have the label of the smaller factor, where a bet has one direction", () => {
  const claim = renyi({ order: 4, epsilon: 0.3, relation });
  const smaller = { left: 0, right: 0 };
  for (
    const counts of [[5000, 4900, 20, 400], [4900, 5000, 400, 20], [400, 20, 4900, 5000], [
      20,
      400,
      5000,
      4900,
    ]]
  ) {
    const learned = learnedOfTwo(counts);
    const settings = { claim, draws: 20_000, nats: Math.log(1 / ALPHA) + 1e-6 };
    const bets = chooseBets(predictedShares(learned), settings);
    const test = new BetBound(learned, { claim, alpha: ALPHA, draws: 20_000 });
    test.add({ counts: new Float64Array(4), draws: 3 });
    let wealth = 0;
    for (const { bet, share } of bets) {
      const { left, right } = bet.factorsAt(0.3)!;
      if (left[2]! < right[2]!) smaller.left++;
      if (right[2]! < left[2]!) smaller.right++;
      wealth += share * Math.min(left[2]!, right[2]!) ** 3;
    }
    assertAlmostEquals(test.logWealthAgainst(0.3), Math.log(wealth), 1e-12);
  }
  assert(smaller.left > 0 && smaller.right > 0, JSON.stringify(smaller));
});

// Mutants: no margin; a wealth just below the goal refutes.
Deno.test("BetBound.refutes() where the wealth is 1/α, and a millionth of a nat more", () => {
  const claim = approximate({ epsilon: 0.3, delta: 0.01, relation });
  const counts = Float64Array.of(900, 640, 580, 860);
  const made = (alpha: number): BetBound => {
    const test = testOfTwo(claim, alpha);
    test.add(batchOf(counts));
    return test;
  };
  let low = 1e-9, high = 0.9;
  assert(made(high).refutes() && !made(low).refutes());
  for (let step = 0; step < 60; step++) {
    const middle = Math.sqrt(low * high);
    if (made(middle).refutes()) high = middle;
    else low = middle;
  }
  assertAlmostEquals(made(high).logWealthAgainst(0.3) - Math.log(1 / high), 1e-6, 1e-9);
});

// Mutants: a bound that is not rounded down, or rounded up; the bound of the counts before.
Deno.test("BetBound.lowerBound() is rounded down by a relative 1e-12 from where the wealth is 1/α, for all counts so far", () => {
  for (const claim of twoLeaves) {
    const test = testOfTwo(claim, ALPHA), whole = testOfTwo(claim, ALPHA);
    assertEquals([test.lowerBound(), test.refutes()], [0, false]);
    const first = Float64Array.of(900, 640, 580, 860),
      second = Float64Array.of(9, 4, 3, 8).map((n) => 100 * n);
    test.add(batchOf(first));
    const before = test.lowerBound();
    test.add(batchOf(second));
    whole.add(batchOf(first.map((n, i) => n + second[i]!)));
    const bound = test.lowerBound();
    assert(bound > before && before > 0 && bound === whole.lowerBound());
    const goal = Math.log(1 / ALPHA) + 1e-6;
    assert(test.logWealthAgainst(bound * (1 + 0.9e-12)) >= goal, claim.kind);
    assert(test.logWealthAgainst(bound * (1 + 1.1e-12)) < goal, claim.kind);
  }
});

// Mutant: a finite number where nothing could be seen.
Deno.test("BetBound.detectable() is infinite where no law of the learned shape would have been refuted", () => {
  for (const claim of twoLeaves) {
    const test = testOfTwo(claim, ALPHA);
    test.add(batchOf(Float64Array.of(1, 0, 0, 1)));
    assertEquals(test.detectable(0.9), Infinity);
  }
});

// Mutants: a bet with the whole stake; another number of deviations; the law's size rounded.
Deno.test("BetBound.detectable() is the size at which the expected wealth is so many deviations above the goal", () => {
  for (const claim of twoLeaves) {
    const test = testOfTwo(claim, ALPHA), { value } = parameterOf(claim), draws = 4000;
    test.add(batchOf(Float64Array.of(1000, 1000, 1000, 1000)));
    for (const [power, deviations] of [[0.9, 1.2815515655], [0.5, 0]] as const) {
      const seen = test.detectable(power)!, predicted = predictedShares(TWO);
      let low = 0, high = 100;
      for (let step = 0; step < 60; step++) {
        const middle = (low + high) / 2;
        if (parameterOfLaw(lawOf(predicted, middle), claim) < seen) low = middle;
        else high = middle;
      }
      const law = lawOf(predicted, high), goal = Math.log(1 / ALPHA) + 1e-6;
      const above = betsOfTwo(claim, ALPHA).map(({ bet, share }) => {
        const { mean, variance } = growthUnder(bet, law, value)!;
        return (draws * mean - (goal - Math.log(share))) / Math.sqrt(draws * variance);
      });
      assertAlmostEquals(Math.max(...above), deviations, 1e-6);
    }
  }
});
