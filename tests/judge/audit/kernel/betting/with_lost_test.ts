import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { approximateBet } from "../../../../../lib/judge/audit/kernel/betting/event_bet.ts";
import { evidenceAgainst } from "../../../../../lib/judge/audit/kernel/betting/evidence.ts";
import type { PredictionBatch } from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import { STANDARD_ERRORS } from "../../../../../lib/judge/audit/kernel/betting/shares.ts";
import { BetBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/bet_bound.ts";
import { GuessRate } from "../../../../../lib/judge/audit/kernel/fixed_sample/guess_tally.ts";
import { approximate, type Claim, gaussian, pure } from "../../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../../lib/core/relations/relation.ts";

const LEAVES = 4, leaves = Int32Array.from({ length: LEAVES }, (_, leaf) => leaf);
/** Log odds of "right": on the one side, on both, and none. */
const ODDS = [[2, 0.5, -0.3, -1.7], [3, 2, 1, 0.2], [0, 0, 0, 0], [-4, 4, 0, 1.2]];
const CLAIMS: readonly Claim[] = [
  pure({ epsilon: 1, relation: replaceOne }),
  approximate({ epsilon: 0.3, delta: 0.01, relation: replaceOne }),
  gaussian({ mu: 0.5, relation: replaceOne }),
];
const lost = { left: 2, right: 1 };

/** Draws by leaf and label, of outputs that were predicted so. */
function batchOf(odds: readonly number[], counts: Float64Array): PredictionBatch {
  return {
    counts,
    logOdds: STANDARD_ERRORS.map(() => Float64Array.from(odds)),
    leaves,
    before: new Float64Array(2 * LEAVES).fill(25),
    draws: 0,
  };
}

/** All ways in which the lost draws may have fallen into leaves, or into none. */
function* placings(): Generator<Float64Array> {
  const places = [...leaves, -1];
  for (const a of places) {
    for (const b of places) {
      for (const c of places) {
        const counts = new Float64Array(2 * LEAVES);
        if (a >= 0) counts[2 * a]!++;
        if (b >= 0) counts[2 * b]!++;
        if (c >= 0) counts[2 * c + 1]!++;
        yield counts;
      }
    }
  }
}

// The smallest factor that each bettor's bets could give. Mutants: lost draws dropped; in the leaves of the other side; only those of
// leaves that bet, and not the price of δ.
Deno.test("evidence with lost draws is no larger than with any outputs in their place", () => {
  for (const claim of CLAIMS) {
    for (const odds of ODDS) {
      const withLost = evidenceAgainst(claim, 0.01);
      withLost.add({ ...batchOf(odds, new Float64Array(2 * LEAVES)), lost });
      const logs = [...placings()].map((counts) => {
        const evidence = evidenceAgainst(claim, 0.01);
        evidence.add({ ...batchOf(odds, counts), draws: lost.left + lost.right });
        return evidence.logEValue;
      });
      const least = Math.min(...logs);
      const shown = `${claim.kind}, ${odds}: ${withLost.logEValue} of ${least}`;
      assert(withLost.logEValue <= least + 1e-12, shown);
      // Nothing is lost where nothing was staked, and no more than was.
      if (odds.every((own) => own === 0)) assertAlmostEquals(withLost.logEValue, 0, 1e-12);
      else if (odds.some((own) => own < 0)) assertAlmostEquals(withLost.logEValue, least, 0.35);
    }
  }
});

// Mutants: lost draws dropped from the test at the end; taken for draws that satisfy an excepted event.
Deno.test("the bets at the end with lost draws show no more than with any outputs in their place", () => {
  const claim = approximate({ epsilon: 0.3, delta: 0.01, relation: replaceOne });
  const stakes = {
    onRight: Float64Array.of(0.2, 0.1, 0, 0, 0),
    onLeft: Float64Array.of(0, 0, 0.05, 0.15, 0),
  };
  const bets = [{ bet: approximateBet(stakes, { delta: 0.01 }), share: 1 }];
  const boundOf = (batch: Parameters<BetBound["add"]>[0]): number => {
    const bound = new BetBound(leaves, { bets, claim, alpha: 0.01 });
    bound.add(batch);
    return bound.logWealthAgainst(0.3);
  };
  const none = new Float64Array(2 * LEAVES);
  const withLost = boundOf({ counts: none, draws: 0, lost });
  const least = Math.min(...[...placings()].map((counts) => boundOf({ counts, draws: 3 })));
  assertAlmostEquals(withLost, least, 1e-12);
  assert(withLost < boundOf({ counts: none, draws: 3 }));
});

// Mutants: lost draws make no guess; right ones.
Deno.test("lost draws are wrong guesses, where there is a guess for their side", () => {
  const counts = Float64Array.of(5, 1, 0, 3, 2, 2, 0, 0);
  const count = (guess: readonly number[]): { right: number; made: number } =>
    new GuessRate(Int8Array.from(guess)).count({ counts, leaves, lost });
  assertEquals(count([0, 1, -1, -1]), { right: 8, made: 9 + 3 });
  assertEquals(count([0, -1, -1, -1]), { right: 5, made: 6 + 1 });
});
