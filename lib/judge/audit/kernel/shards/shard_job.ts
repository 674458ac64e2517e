import type { Source } from "../../../../core/mechanism/source.ts";
import { SeededSource } from "../../../../core/random/seeded_source.ts";
import type { PredictionBatch } from "../betting/prediction_batch.ts";
import type { PairData, SideCounts } from "../subject.ts";

/** Task of the shards of an audit: fixed before the first of them begins. Plain values, that another machine can be sent. */
export interface ShardJob {
  /** The seed of the audit. */
  readonly seed: number;
  readonly pair: PairData;
  /** The leaves of the partition, and the draws that were learned from in each, at `[2 * leaf + label]`. */
  readonly learned: Pick<PredictionBatch, "counts" | "leaves">;
  /** The side to guess in each leaf, −1 where no guess is made; absent where bets need the counts of all leaves. */
  readonly guess?: Int8Array;
  /** The number of shards. */
  readonly shards: number;
  /** The most draws of a shard. */
  readonly draws: number;
  /** The guesses at which a shard ends; its draws where none are made. */
  readonly goal: number;
  /**
   * Whether a shard that is drawn again gives the same outputs: it is a function of its seed. Nothing is chosen then where one of
   * two results is taken.
   */
  readonly isFunctionOfSeed: boolean;
}

/** Draws to be made: an attempt at a shard, or at what stopped attempts left of it. */
export interface ShardTask {
  /** The number of the shard, from 0. */
  readonly shard: number;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The most draws. */
  readonly draws: number;
  /** The guesses at which it ends. */
  readonly goal: number;
}

/** Counts of an attempt at a shard. */
export interface ShardResult extends Pick<ShardTask, "shard" | "attempt" | "goal"> {
  /** The most draws that it was asked for. */
  readonly drawsAsked: number;
  /** Draws made. */
  readonly draws: number;
  /** Draws on the left dataset, lost ones among them. */
  readonly left: number;
  /** Draws on the right one. */
  readonly right: number;
  /** Guesses made. */
  readonly made: number;
  /** Right ones among these. */
  readonly rightGuesses: number;
  /** Draws at `[2 * node + label]` without excepted ones, where bets need them. */
  readonly counts?: readonly number[];
  /** Draws whose outputs did not come, where bets need them. Absent where there are none. */
  readonly unanswered?: SideCounts | undefined;
  /** Whether it came to its end; otherwise it was stopped. */
  readonly ended: boolean;
}

/**
 * Returns the source of an attempt: of its coins, and of the randomness that a subject is given. Where outputs are a function of it,
 * every attempt at a shard has the same; elsewhere each has its own, so that a program cannot have seen the coins before.
 */
export function sourceOf({ seed, isFunctionOfSeed }: ShardJob, task: ShardTask): Source {
  const own = isFunctionOfSeed ? `${task.shard}` : `${task.shard}, attempt ${task.attempt}`;
  return new SeededSource(seed).split("shards").split(own);
}

/** The draws of a shard, where there are enough; the fewest shards, and the most. */
const SHARD_DRAWS = 1 << 18, FEWEST_SHARDS = 8, MOST_SHARDS = 100_000;

/**
 * Above this many draws in all, shards grow with the square root of the draws: each costs the thread or the queue that hands it
 * out a message and its answer, and each must be small beside the share of one worker. 2·10⁹ draws make 1,398 shards, 10¹² make
 * 31,250.
 */
const GROWING_DRAWS = 1 << 26;

/** Divides draws into shards of equal size, whatever the number of workers. */
export function shardSizes(draws: number): { readonly shards: number; readonly draws: number } {
  const size = SHARD_DRAWS * Math.sqrt(Math.max(1, draws / GROWING_DRAWS));
  const wanted = Math.ceil(draws / size);
  const shards = Math.min(Math.max(FEWEST_SHARDS, wanted), MOST_SHARDS, Math.max(1, draws));
  return { shards, draws: Math.max(1, Math.floor(draws / shards)) };
}
