import { assert, assertEquals } from "@std/assert";
import { type Claim, gaussian, renyi, zcdp } from "../../../../lib/core/claim.ts";
import { approximate } from "../../../../lib/core/claim.ts";
import { parameterOf, scaledClaim } from "../../../../lib/core/claim_curve.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import { BetBound } from "../../../../lib/audit/fixed_sample/bet_bound.ts";
import { parameterOfLaw } from "../../../../lib/audit/fixed_sample/law_parameter.ts";
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
