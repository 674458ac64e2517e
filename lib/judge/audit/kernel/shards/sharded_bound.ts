import { BetBound } from "../fixed_sample/bet_bound.ts";
import type { ReadBound } from "../fixed_sample/fixed_sample_bound.ts";
import { boundOfGuesses, type GuessCounts, isRefutedBy } from "../fixed_sample/guess_counts.ts";
import { natsOfLost } from "./lost_attempts.ts";
import type { ShardJob } from "./shard_job.ts";
import type { ShardTotals } from "./shard_ledger.ts";

/**
 * Returns the level at which counts of shards are read. Where a shard is a function of its seed, every attempt at it gives the same
 * counts, so that an attempt is lost only where the test is read before its end: it shows nothing then.
 */
export function levelOf(
  { isFunctionOfSeed, shards }: ShardJob,
  { alpha, lost }: { readonly alpha: number; readonly lost: ShardTotals["lost"] },
): number {
  if (!isFunctionOfSeed) return alpha * Math.exp(-natsOfLost(lost, shards));
  return lost.length === 0 ? alpha : 0;
}

/** Returns the counts of a test of guesses in shards. */
export function guessCountsOf(
  { made, rightGuesses, lost }: ShardTotals,
  { job, alpha, ...rest }: {
    readonly job: ShardJob;
    /** The claimed ε. */
    readonly claim: number;
    /** The test's own share of α. */
    readonly alpha: number;
    /** A number in (0, 1), drawn uniformly and independently of all guesses. */
    readonly toss: number;
  },
): GuessCounts {
  const level = levelOf(job, { alpha, lost });
  return { goal: job.shards * job.goal, made, right: rightGuesses, alpha: level, ...rest };
}

/** Returns the test that counts right guesses of a pure claim, in shards. */
export function shardedGuesses(counts: GuessCounts): ReadBound {
  if (counts.alpha === 0) return { lowerBound: () => 0, refutes: () => false };
  const bound = boundOfGuesses(counts);
  return { lowerBound: () => bound, refutes: () => isRefutedBy(bound, counts) };
}

/** Returns the test that multiplies bets fixed beforehand, in shards: their factors are functions of the counts of the leaves. */
export function shardedBets(
  { counts, draws, unanswered, lost }: ShardTotals,
  { job, alpha, ...bets }:
    & { readonly job: ShardJob }
    & ConstructorParameters<typeof BetBound>[1],
): BetBound {
  const bound = new BetBound(job.learned.leaves, { ...bets, alpha: levelOf(job, { alpha, lost }) });
  const answered = draws - unanswered.left - unanswered.right;
  bound.add({ counts: counts!, draws: answered, lost: unanswered });
  return bound;
}
