import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { epsilonGrid } from "../../../../../lib/judge/audit/kernel/betting/evidence.ts";
import type { Evidence } from "../../../../../lib/judge/audit/kernel/betting/claim_evidence.ts";
import type {
  PredictionBatch,
  RareBatch,
} from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import { PureEvidence } from "../../../../../lib/judge/audit/kernel/betting/pure_evidence.ts";
import { STANDARD_ERRORS } from "../../../../../lib/judge/audit/kernel/betting/shares.ts";
import { expectationOverLabels, followed, oneLeaf } from "../../batches.ts";

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
    }, { draws: alpha === 0.5 ? 11 : 13, rightProbability: 1 / (1 + Math.exp(-1)) });
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

// A program could fall silent where a rare output would lose the bet.
Deno.test("PureEvidence gives up its bets on rare outputs where outputs are lost", () => {
  const rare = (right: number): RareBatch => ({
    of: 1,
    known: [{ family: 0, seen: { left: 0, right: 5 } }],
    hits: right === 0 ? [] : [{ cell: 0, left: 0, right }],
    draws: right,
  });
  const wealthAfter = (lost: boolean): number => {
    const evidence = coarse(0.05);
    evidence.add({ ...oneLeaf([], { logOdds: 0 }), rare: rare(0) });
    if (lost) {
      evidence.add({ ...oneLeaf([], { logOdds: 0 }), rare: rare(0), lost: { left: 1, right: 0 } });
    }
    evidence.add({ ...oneLeaf([], { logOdds: 0 }), rare: rare(40) });
    return evidence.logEValue;
  };
  assert(wealthAfter(false) > 3, `${wealthAfter(false)}`);
  assert(wealthAfter(true) <= 0, `${wealthAfter(true)}`);
});
