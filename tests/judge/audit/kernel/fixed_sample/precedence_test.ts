import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  precedenceLowerBound,
  precedenceTest,
} from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence.ts";
import {
  precedenceCounts,
  precedenceRanks,
} from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence_counts.ts";
import {
  precedenceStatistic,
  rankWeights,
} from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence_null.ts";
import { tradeOff } from "../../../../../lib/core/claims/trade_off/trade_off.ts";
import { approximate, type Claim, gaussian, pure } from "../../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../../lib/core/relations/relation.ts";
import {
  logBinomialLowerTail,
  logBinomialTail,
} from "../../../../../lib/core/numeric/binomial_tail.ts";
import {
  clopperPearsonLower,
  clopperPearsonUpper,
} from "../../../../../lib/core/numeric/clopper_pearson.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { ALPHA, type Draw, laplace, normal, refutes, type Test } from "./precedence_cases.ts";
import { longTest } from "../../../../long.ts";

/** Scores of the two sides where both are 1 or 0 with the given chances, ties broken by the test. */
function coins(p: number, q: number): Draw {
  return (source, n) => {
    const side = (chance: number): Float64Array =>
      Float64Array.from({ length: n }, () => source.uniform() < chance ? 1 : 0);
    return { left: side(p), right: side(q) };
  };
}

/** Randomised response attains every point of its claim's trade-off function. */
function randomisedResponse(epsilon: number): Draw {
  return coins(1 / (1 + Math.exp(-epsilon)), 1 / (1 + Math.exp(epsilon)));
}

/** In how many of `runs` seeded repetitions the test refutes. */
function refutations(
  draw: Draw,
  { name, n, runs, test }: { name: string; n: number; runs: number; test: Test },
): number {
  const root = new SeededSource("precedence").split(name);
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const source = root.split(run);
    if (test(draw(source.split("draws"), n), source.split("test"))) count++;
  }
  return count;
}

/** The least count that a binomial of chance 0.05 passes with chance below 1e-4: the false-alarm rate. */
function tolerated(runs: number): number {
  let count = 0;
  while (logBinomialTail(count, runs, ALPHA) > Math.log(1e-4)) count++;
  return count;
}

const epsilon1 = pure({ epsilon: 1, relation });

longTest("precedenceTest() keeps its level where the claim is exhausted", () => {
  const runs = 120, most = tolerated(runs);
  const cases: [string, Draw, Test][] = [
    ["randomised response", randomisedResponse(1), refutes(epsilon1)],
    ["Laplace", laplace(1), refutes(epsilon1)],
    ["Gaussian", normal(0.5), refutes(gaussian({ mu: 0.5, relation }))],
  ];
  for (const [name, draw, test] of cases) {
    const count = refutations(draw, { name, n: 100, runs, test });
    assert(count < most, `${name}: ${count} of ${runs}`);
  }
});

/** The ranks' p-values without the joint calibration: their smallest is no p-value. */
const uncalibrated: Test = ({ left, right }, source) => {
  const sorted = { scores: left.slice().sort(), others: right.slice().sort() };
  const ranks = precedenceRanks(left.length);
  const weights = ranks.map((rank) => rankWeights(rank, left.length));
  const statistic = precedenceStatistic(weights, {
    allowed: tradeOff(epsilon1),
    others: right.length,
  });
  return statistic(precedenceCounts(sorted, { ranks, source })) <= Math.log(ALPHA);
};

/** The best of many outputs by Clopper–Pearson bounds, with no correction for their number. */
const bestOutput: Test = ({ left, right }) => {
  const hits = (scores: Float64Array, output: number): number =>
    scores.reduce((count, score) => count + (score === output ? 1 : 0), 0);
  return [...new Set(left)].some((output) => {
    const p = clopperPearsonLower({
      successes: hits(left, output),
      trials: left.length,
      alpha: ALPHA,
    });
    const q = clopperPearsonUpper({
      successes: hits(right, output),
      trials: right.length,
      alpha: ALPHA,
    });
    return p > Math.E * q;
  });
};

/**
 * Dvoretzky–Kiefer–Wolfowitz bands of half the level each, with min where max belongs: their width
 * ignores the level. The claim is that both sides have one law.
 */
const narrowBands: Test = ({ left, right }) => {
  const margin = (n: number): number => Math.sqrt(Math.log(Math.min(2, 2 / ALPHA)) / (2 * n));
  const above = (scores: Float64Array, threshold: number): number =>
    scores.reduce((count, score) => count + (score >= threshold ? 1 : 0), 0) / scores.length;
  return left.some((threshold) =>
    above(left, threshold) - margin(left.length) > above(right, threshold) + margin(right.length)
  );
};

Deno.test("precedenceTest()'s mutants without calibration fail the same check of the level", () => {
  const runs = 150, most = tolerated(runs);
  // Each answer in one of 40 ways: as many sets at which the claim is exhausted.
  const manyWays: Draw = (source, n) => {
    const { left, right } = randomisedResponse(1)(source, n);
    const way = (x: number): number => 40 * x + source.uint32() % 40;
    return { left: left.map(way), right: right.map(way) };
  };
  const mutants: [string, number, Draw, Test][] = [
    ["uncalibrated", 100, randomisedResponse(1), uncalibrated],
    ["best output", 1500, manyWays, bestOutput],
    ["narrow bands", 100, normal(0), narrowBands],
  ];
  for (const [name, n, draw, test] of mutants) {
    const count = refutations(draw, { name, n, runs, test });
    assert(count >= most, `${name} survives: ${count} of ${runs}`);
  }
});

Deno.test("precedenceTest() has the power that its theory predicts", () => {
  const runs = 60;
  const half = pure({ epsilon: 0.5, relation });
  const gauss = approximate({ epsilon: 1, delta: 1e-3, relation });
  // [name, law, runs a side, claim, expected power]
  const cases: [string, Draw, number, Claim, number][] = [
    ["Laplace 100", laplace(1), 100, half, 0.62],
    ["Laplace 200", laplace(1), 200, half, 0.91],
    ["Gaussian 400", normal(1), 400, gauss, 0.9],
  ];
  for (const [name, draw, n, claim, power] of cases) {
    const count = refutations(draw, { name, n, runs, test: refutes(claim, { replicates: 199 }) });
    // A test of this power falls so low with chance below 1e-3.
    const unlikely = logBinomialLowerTail(count, runs, power) < Math.log(1e-3);
    assert(!unlikely, `${name}: ${count} of ${runs}`);
  }
});

Deno.test("precedenceTest() is the same for the same source, and tests both directions", () => {
  const scores = laplace(3)(new SeededSource(1), 100);
  const claim = pure({ epsilon: 0.2, relation });
  const run = (): number => precedenceTest(scores, { claim, source: new SeededSource(2) }).pValue;
  assertEquals(run(), run());
  assertEquals(run(), 2 / 2000);
  // Rare on the left: only thresholds from the right sample see it.
  const rare = coins(1, 0.9)(new SeededSource(3), 300);
  const { pValue, ranks } = precedenceTest(rare, { claim, source: new SeededSource(4) });
  assert(ranks.right < 0.01 && ranks.right < ranks.left, `${ranks.left} ${ranks.right}`);
  assertEquals(pValue, 2 * ranks.right);
});

Deno.test("precedenceTest() and precedenceLowerBound() refuse options and scores out of bounds", () => {
  const source = new SeededSource(8);
  const scores = { left: new Float64Array(3), right: new Float64Array(3) };
  const none = { left: new Float64Array(0), right: new Float64Array(3) };
  const nan = { left: Float64Array.of(1), right: Float64Array.of(NaN) };
  const options = { claim: epsilon1, source };
  assertThrows(() => precedenceTest(none, options), RangeError, "left must hold at least one");
  assertThrows(() => precedenceTest(nan, options), RangeError, "right has a NaN");
  assertThrows(
    () => precedenceTest(scores, { ...options, replicates: 3 }),
    RangeError,
    "replicates must be",
  );
  const family = (epsilon: number): Claim => pure({ epsilon, relation });
  assertThrows(
    () => precedenceLowerBound(scores, { family, source, grid: [1], alpha: 0 }),
    RangeError,
    "alpha must be",
  );
  assertThrows(
    () => precedenceLowerBound(scores, { family, source, alpha: 0.1, grid: [2, 1] }),
    RangeError,
    "grid must be",
  );
  assertThrows(
    () => precedenceLowerBound(scores, { family, source, grid: [1], alpha: 1e-4 }),
    RangeError,
    "replicates must be",
  );
});

Deno.test("precedenceTest() takes each direction at half of the level", () => {
  const claim = approximate({ epsilon: 0.3, delta: 1e-3, relation });
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const draw = laplace(seed / 4)(new SeededSource(seed), 150);
    // Exchanged and negated the other direction is the better one.
    const scores = seed % 2 === 0 ? draw : {
      left: draw.right.map((x) => Math.round(-2 * x)),
      right: draw.left.map((x) => Math.round(-2 * x)),
    };
    const { pValue, ranks } = precedenceTest(scores, {
      claim,
      source: new SeededSource(50 + seed),
      replicates: 99,
    });
    assertEquals(pValue, Math.min(1, 2 * Math.min(ranks.left, ranks.right)));
  }
  const same = { left: new Float64Array(30), right: new Float64Array(30) };
  assertEquals(precedenceTest(same, { claim, source: new SeededSource(1) }).pValue, 1);
});
