import { evidenceAgainst } from "../../lib/judge/audit/kernel/betting/evidence.ts";
import type { Evidence } from "../../lib/judge/audit/kernel/betting/claim_evidence.ts";
import { STANDARD_ERRORS } from "../../lib/judge/audit/kernel/betting/shares.ts";
import type { Claim } from "../../lib/core/claims/claim.ts";
import { firstAbove } from "../../lib/core/numeric/sorted_search.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import type { Laws } from "./limit.ts";

/** The share of α of the bets of a quick audit. */
const BETS_SHARE = 2 / 3;
/** Log odds are cut off here. */
const MOST_ODDS = 30;
/** Sizes of batches and times of restarts, as in an audit. */
const FINE_UNTIL = 64,
  LEAST_BATCH = 32,
  BATCH_SHARE = 1 / 16,
  FIRST_RESTART = 64,
  RESTART_GROWTH = 1.6;

/**
 * Draws until the bets of a quick audit refute a claim where the pair and the odds of every output are known: what is more than the limit is
 * the cost of betting. Bettors that differ in what they have learned all bet the true odds; bets on a shift wait.
 */
export function drawsWithKnownOdds(
  { left, right }: Laws,
  { claim, alpha, seed, maxDraws = 1e7 }: {
    readonly claim: Claim;
    readonly alpha: number;
    readonly seed: number;
    readonly maxDraws?: number;
  },
): number {
  const source = new SeededSource(seed),
    evidence: Evidence = evidenceAgainst(claim, BETS_SHARE * alpha);
  const size = left.length;
  const odds = Float64Array.from({ length: size }, (_, i) => {
    const log = Math.log(right[i]! / left[i]!);
    return Number.isNaN(log) ? 0 : Math.max(-MOST_ODDS, Math.min(MOST_ODDS, log));
  });
  const shared = {
    logOdds: STANDARD_ERRORS.map(() => odds),
    leaves: Int32Array.from({ length: size }, (_, i) => i),
    before: Float64Array.from(
      { length: 2 * size },
      (_, i) => (i % 2 === 0 ? left : right)[i >> 1]!,
    ),
  };
  const [below, belowRight] = [left, right].map(sumsOf) as [Float64Array, Float64Array];
  let draws = 0, restartAt = FIRST_RESTART;
  while (!evidence.refuted && draws < maxDraws) {
    const wanted = BATCH_SHARE * draws;
    const count = draws < FINE_UNTIL
      ? 1
      : wanted < LEAST_BATCH
      ? Math.floor(wanted)
      : Math.floor(wanted / LEAST_BATCH) * LEAST_BATCH;
    const counts = new Float64Array(2 * size);
    for (let k = 0; k < count; k++) {
      const label = source.uint32() & 1, sums = label === 0 ? below : belowRight;
      counts[2 * firstAbove(sums, source.uniform() * sums.at(-1)!) + label]!++;
    }
    draws += count;
    evidence.add({ ...shared, counts, draws: count });
    if (draws < restartAt) continue;
    evidence.restart();
    restartAt = RESTART_GROWTH * draws;
  }
  return evidence.refuted ? draws : Infinity;
}

function sumsOf(law: ArrayLike<number>): Float64Array {
  let sum = 0;
  return Float64Array.from(law, (mass) => sum += mass);
}
