import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { epsilonGrid } from "../../../../lib/audit/betting/epsilon_grid.ts";
import type { Evidence } from "../../../../lib/audit/betting/evidence.ts";
import type { PredictionBatch } from "../../../../lib/audit/betting/prediction_batch.ts";
import { PureEvidence } from "../../../../lib/audit/betting/pure_evidence.ts";
import {
  FROM_FIRST_DRAW,
  LEAF_BETTORS,
  RARE_SHARE,
  SCORE_SHARE,
  STANDARD_ERRORS,
} from "../../../../lib/audit/betting/shares.ts";
import { expectationOverLabels, followed, oneLeaf } from "../batches.ts";

/** The part of the stake that is on leaves where outputs have no score, and the part of that with fixed odds. */
const LEAF_PART = SCORE_SHARE + LEAF_BETTORS.reduce((sum, { share }) => sum + share, 0);
const FIXED_PART = LEAF_BETTORS.reduce(
  (sum, { share, hasFixedOdds }) => hasFixedOdds ? sum + share : sum,
  0,
) / LEAF_PART;

/** Draws with these labels that fall into one leaf with these predicted log odds. */
const batch = (labels: readonly (0 | 1)[], logOdds: number): PredictionBatch =>
  oneLeaf(labels, { logOdds });

function claimOf(epsilon: number, alpha: number): PureEvidence {
  return new PureEvidence({ ...epsilonGrid(epsilon), alpha });
}

/** Evidence about three ε only, 1 the claimed one: it is made a thousand times over. */
function coarse(alpha: number): PureEvidence {
  return new PureEvidence({ grid: Float64Array.of(0.5, 1, 2), claimIndex: 1, alpha });
}

Deno.test("epsilonGrid() holds the claim itself, ascends, and reaches both ends", () => {
  for (const claim of [1e-6, 0.1, 1, 30]) {
    const { grid, claimIndex } = epsilonGrid(claim, { ratio: 1.01, bottom: claim / 8, top: 50 });
    assertEquals(grid[claimIndex], claim);
    assert(grid[0]! <= claim / 8 && grid.at(-1)! >= 50);
    for (let j = 1; j < grid.length; j++) assert(grid[j]! > grid[j - 1]!);
  }
});

// Mutant: the largest wealth so far is no e-value.
Deno.test("PureEvidence.logEValue has an e-value of expectation 1 under the worst true claim", () => {
  const epsilon = 1;
  for (const logOdds of [0.5, 1.5, 4, -3]) {
    const mean = expectationOverLabels((labels) => {
      const evidence: Evidence = coarse(0.05);
      for (const [k, label] of labels.entries()) {
        evidence.add(batch([label], logOdds));
        if (k === 2 || k === 6) evidence.restart();
      }
      return Math.exp(evidence.logEValue);
    }, { draws: 10, rightProbability: 1 / (1 + Math.exp(-Math.sign(logOdds) * epsilon)) });
    assertAlmostEquals(mean, 1, 1e-9, `log odds ${logOdds}`);
  }
});

Deno.test("PureEvidence.refuted has at most probability alpha under the worst true claim", () => {
  for (const alpha of [0.5, 0.2]) {
    const probability = expectationOverLabels((labels) => {
      const evidence = coarse(alpha);
      for (const label of labels) evidence.add(batch([label], 2));
      return evidence.refuted ? 1 : 0;
    }, { draws: 13, rightProbability: 1 / (1 + Math.exp(-1)) });
    assert(probability <= alpha && probability > 0, `${probability} at alpha ${alpha}`);
  }
});

Deno.test("PureEvidence.lowerBound stops at the first ε that is not refuted", () => {
  // Bets at log odds 5 on labels of log odds 3 lose against ε below 3 but win above: were ε tested
  // downwards, or the largest crossed one taken, the bound would be far too high.
  const evidence = claimOf(1, 0.05);
  const rng = labelsAt(0.9526, 4000);
  for (let k = 0; k < rng.length; k += 40) evidence.add(batch(rng.slice(k, k + 40), 3));
  assert(evidence.lowerBound > 2.2 && evidence.lowerBound <= 3, `${evidence.lowerBound}`);
  const { grid } = evidence;
  const place = grid.indexOf(evidence.lowerBound);
  assert(evidence.wealthAt(place + 1) < Math.log(20));
  assert(evidence.refuted);
});

Deno.test("PureEvidence.lowerBound keeps below an ε that is not refuted though larger ones are", () => {
  // One leaf says 0.5 and is wrong, another says 3 and is right: against small ε the first leaf's
  // losses outweigh the second's gains, against ε above 0.5 only the second leaf bets.
  const evidence = claimOf(1, 0.05);
  const counts = Float64Array.of(0, 0, 100_000, 50_000, 0, 200);
  evidence.add({
    counts,
    logOdds: STANDARD_ERRORS.map(() => Float64Array.of(0, 0.5, 3)),
    leaves: Int32Array.of(1, 2),
    before: new Float64Array(6).fill(1),
    draws: 150_200,
  });
  const { claimIndex } = epsilonGrid(1);
  assert(evidence.wealthAt(claimIndex) > Math.log(20), "ε = 1 has crossed on its own");
  assertEquals(evidence.lowerBound, 0);
  assertEquals(evidence.refuted, false);
});

Deno.test("PureEvidence keeps what was refuted at some time though the wealth is lost again", () => {
  const evidence = claimOf(1, 0.05);
  for (let k = 0; k < 60; k++) evidence.add(batch([1], 4));
  assert(evidence.refuted);
  const bound = evidence.lowerBound;
  for (let k = 0; k < 60; k++) evidence.add(batch([0], 4));
  assert(evidence.refuted && evidence.lowerBound === bound);
  assert(evidence.logEValue < Math.log(20), "the e-value is the wealth that is left");
});

// Mutants: no bettor is bold; bold ones bet where nothing is predicted, against it, or the predicted odds.
Deno.test("PureEvidence has bettors who expect twice the claimed odds where a bin is clear", () => {
  const claim = 1, labels = labelsAt(1 / (1 + Math.exp(-2 * claim)), 400);
  const wealth = (logOdds: number): number => {
    const evidence = coarse(0.05);
    evidence.add(batch(labels, logOdds));
    return evidence.logEValue;
  };
  const bet = (odds: number): number =>
    labels.reduce<number>((sum, label) => {
      const sign = label === 1 ? 1 : -1;
      return sum + Math.log1p(Math.exp(-sign * claim)) - Math.log1p(Math.exp(-sign * odds));
    }, 0);
  // A prediction below the claimed odds is no reason to bet for others.
  const won = wealth(0.01);
  // Less the share of the bettors with fixed odds, which is above a seventh of all.
  assert(won > bet(2 * claim) - Math.log(7) && won < bet(2 * claim), `${won}`);
  assertEquals(wealth(0), 0);
  assert(wealth(-0.01) < 0);
});

// Mutants: the share of one number of standard errors added to another's (then it does not bet), its money counted twice.
Deno.test("PureEvidence.logEValue is the average of bettors, of which one follows each number of standard errors", () => {
  /** What is won where the odds with these standard errors alone say anything. */
  const won = (hasOdds: (place: number) => boolean): number => {
    const evidence = coarse(0.05);
    const own = batch([1, 1, 1], 2);
    const logOdds = STANDARD_ERRORS.map((_, k) => Float64Array.of(hasOdds(k) ? 2 : 0));
    evidence.add({ ...own, logOdds });
    return Math.expm1(evidence.logEValue);
  };
  const each = STANDARD_ERRORS.map((_, k) => won((place) => place === k));
  const all = won(() => true);
  // Of a bettor with a twentieth of the money or more.
  for (const own of each) assert(own >= all / 20, `${each}`);
  assertAlmostEquals(each.reduce((a, b) => a + b, 0), all, 1e-9);
});

// Mutants: followers' money counted twice, a bet on one side only.
Deno.test("PureEvidence.logEValue has expectation 1 where outputs follow the data as closely as they may", () => {
  for (const expected of [{ half: 1 }, { asData: 1.5 }, { asSeen: 3 }, { half: -1, asData: 2 }]) {
    const way = expected.half ?? 1;
    const mean = expectationOverLabels((labels) => {
      const evidence = coarse(0.05);
      for (const [k, label] of labels.entries()) {
        evidence.add(followed([label], { ...expected, half: expected.half ?? 0 }));
        if (k === 4) evidence.restart();
      }
      return Math.exp(evidence.logEValue);
    }, { draws: 10, rightProbability: 1 / (1 + Math.exp(-way)) });
    // Who expects the other way loses.
    if (expected.half === -1) assert(mean < 1);
    else assertAlmostEquals(mean, 1, 1e-9);
  }
});

// Mutants: any of the three without money, the bold one at the claimed odds, in one half only, or at odds of its own.
Deno.test("PureEvidence has followers who expect bold odds, those of the data's move, and those seen", () => {
  const epsilon = 1;
  for (const odds of [1.25, 2, 3]) {
    const share = 1 / (1 + Math.exp(-odds)), labels = labelsAt(share, 2000);
    const right = labels.reduce<number>((sum, label) => sum + label, 0);
    const wonAt = (own: number): number =>
      right * (Math.log1p(Math.exp(-epsilon)) - Math.log1p(Math.exp(-own))) +
      (2000 - right) * (Math.log1p(Math.exp(epsilon)) - Math.log1p(Math.exp(own)));
    const won = (expected: Parameters<typeof followed>[1]): number => {
      const evidence = claimOf(epsilon, 0.05);
      evidence.add(followed(labels, expected));
      return evidence.logEValue;
    };
    const swapped = claimOf(epsilon, 0.05);
    swapped.add(followed(labels.map((label) => (1 - label) as 0 | 1), { half: -1 }));
    // Less the share of the money, a fiftieth or more.
    const near = (actual: number, best: number): void =>
      assert(actual < best && actual > best - Math.log(100), `${actual} of ${best} at ${odds}`);
    near(won({ asData: odds }), wonAt(odds));
    near(won({ asSeen: odds }), wonAt(odds));
    if (odds === 2) {
      for (const own of [won({ half: 1 }), swapped.logEValue]) near(own, wonAt(2));
    }
    assert(won({ half: 0 }) === 0);
  }
});

/** Labels of which the given share is right, spread evenly. */
function labelsAt(share: number, count: number): (0 | 1)[] {
  return Array.from(
    { length: count },
    (_, k) => Math.floor((k + 1) * share) > Math.floor(k * share) ? 1 : 0,
  );
}

Deno.test("PureEvidence bets on a score at the odds that it says, and does not gain by it on average where the claim holds", () => {
  const scored = (labels: readonly (0 | 1)[], odds: number): PureEvidence => {
    const evidence = coarse(0.05);
    const { counts, leaves, before } = batch(labels, 0);
    evidence.add({
      ...batch([], 0),
      scored: { counts, leaves, before, odds: Float64Array.of(odds) },
    });
    return evidence;
  };
  const rightProbability = 1 / (1 + Math.exp(-1));
  for (const odds of [-3, 0.5, 2]) {
    const mean = expectationOverLabels(
      (labels) => Math.exp(scored(labels, odds).logEValue),
      { draws: 4, rightProbability },
    );
    assert(mean <= 1 + 1e-12, `${odds}: ${mean}`);
  }
  assert(scored([1, 1, 1], 2).logEValue > 0 && scored([0, 0, 0], 2).logEValue < 0);
});

// Mutants: bettors on a shift, or on a shift and on leaves, who multiply one another's wealth.
Deno.test("PureEvidence.logEValue is the average of bettors on leaves and on a shift: what each wins adds up", () => {
  const labels = [1, 1, 0, 1, 1] as const;
  const won = (
    expected: { half: number; asData?: number; asSeen?: number },
    logOdds: number,
  ): number => {
    const evidence = coarse(0.05);
    evidence.add({ ...batch(labels, logOdds), shifted: followed(labels, expected).shifted });
    return Math.expm1(evidence.logEValue);
  };
  const each = [
    won({ half: 1 }, 0),
    won({ half: 0, asData: 1.5 }, 0),
    won({ half: 0, asSeen: 3 }, 0),
    won({ half: 0 }, 2),
  ];
  for (const gain of each) assert(Math.abs(gain) > 1e-3, `${each}`);
  assertAlmostEquals(
    won({ half: 1, asData: 1.5, asSeen: 3 }, 2),
    each.reduce((a, b) => a + b),
    1e-9,
  );
});

Deno.test("epsilonGrid() reaches 40 or eight times the claim, and stays finite", () => {
  const last = (claim: number): number => epsilonGrid(claim).grid.at(-1)!;
  const step = 1.0025;
  for (const [claim, top] of [[0.1, 40], [5, 40], [10, 80], [2e299, 1e300]] as const) {
    assert(last(claim) >= top * (1 - 1e-9) && last(claim) < top * step, `${claim}`);
  }
  // Beyond that the claim is the last one.
  const { grid, claimIndex } = epsilonGrid(1e305);
  assertEquals([claimIndex, grid.at(-1)], [grid.length - 1, 1e305]);
});

Deno.test("PureEvidence refutes as soon as the wealth is 1/α", () => {
  // α such that ln 1/α is the logarithm of the wealth, to the last bit.
  const exact = Array.from({ length: 60 }, (_, k) => k + 3).map((draws) => {
    const labels = Array.from({ length: draws }, (): 0 | 1 => 1);
    const evidence = coarse(0.05);
    evidence.add(batch(labels, 2));
    return { labels, log: Math.max(evidence.wealthAt(0), 0) };
  }).find(({ log }) => Math.log(1 / Math.exp(-log)) === log && log > 0.1)!;
  const at = (alpha: number): number => {
    const evidence = coarse(alpha);
    evidence.add(batch(exact.labels, 2));
    return evidence.lowerBound;
  };
  assert(at(Math.exp(-exact.log)) >= 0.5);
  assertEquals(at(0.999 * Math.exp(-exact.log)), 0);
});

Deno.test("PureEvidence has bettors with odds of twice the claim, whatever the claim", () => {
  for (const claim of [0.2, 1, 3]) {
    const labels = labelsAt(1 / (1 + Math.exp(-2 * claim)), 50);
    /** What is won where all predictions say these odds. */
    const won = (logOdds: number): number => {
      const evidence = new PureEvidence({
        grid: Float64Array.of(claim),
        claimIndex: 0,
        alpha: 0.05,
      });
      evidence.add(batch(labels, logOdds));
      return Math.expm1(evidence.logEValue);
    };
    const right = labels.reduce<number>((sum, label) => sum + label, 0), wrong = 50 - right;
    const log = right * (Math.log1p(Math.exp(-claim)) - Math.log1p(Math.exp(-2 * claim))) +
      wrong * (Math.log1p(Math.exp(claim)) - Math.log1p(Math.exp(2 * claim)));
    // Odds just above 0: those of fixed odds bet alone, with the part of the stake that is on leaves from the first draw.
    const most = won(2 * claim);
    const share = (1 - RARE_SHARE) * FROM_FIRST_DRAW * LEAF_PART;
    assertAlmostEquals(most, share * Math.expm1(log), 1e-9 * Math.abs(most));
    assertAlmostEquals(won(1e-6), FIXED_PART * most, 1e-9 * Math.abs(most));
  }
});
