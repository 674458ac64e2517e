import { Sampler } from "../drawing/sampler.ts";
import { GuessRate, GuessTally } from "../fixed_sample/guess_tally.ts";
import { countOf, type PairOutputs } from "../outputs.ts";
import type { Subject } from "../subject.ts";
import { type ShardJob, type ShardResult, type ShardTask, sourceOf } from "./shard_job.ts";

/** The most draws of a batch. */
const MOST = 1 << 15;

/** How an attempt is drawn. */
export interface ShardDrawing {
  readonly job: ShardJob;
  readonly task: ShardTask;
  /** Counts outputs in the leaves of the partition, at `[2 * leaf + label]`, without those that satisfy an excepted event. */
  readonly count: (sides: PairOutputs) => Float64Array;
  /**
   * Draws of every batch; absent where they grow, so that a slow subject can be stopped early: its outputs are not a function of the seed.
   */
  readonly batch?: number;
  /** Whether it is to be stopped, asked between batches. */
  readonly isStopped?: () => boolean;
}

/**
 * Draws an attempt at a shard: batches with coins of their own, until the number of guesses is made, or all draws are. It returns
 * counts alone.
 *
 * @throws {SubjectFailure} when the subject fails.
 */
export async function drawShard(
  subject: Subject,
  { job, task, count, batch, isStopped = () => false }: ShardDrawing,
): Promise<ShardResult> {
  const { leaves } = job.learned;
  const sampler = new Sampler(subject, {
    labels: sourceOf(job, task).split("coins"),
    maxDraws: task.draws,
  });
  const tally = job.guess === undefined ? undefined : tallyOf(job.guess, { job, task });
  const counts = job.guess === undefined ? new Float64Array(job.learned.counts.length) : undefined;
  let left = 0, right = 0, unanswered = { left: 0, right: 0 };
  const isOver = (): boolean => sampler.draws >= task.draws || tally?.made === task.goal;
  while (!isOver() && !isStopped()) {
    const wanted = batch ?? sampler.batchSize(Math.min(MOST, sampler.draws));
    const size = Math.min(wanted, task.draws - sampler.draws, tally?.mostDraws ?? Infinity);
    const sides = await sampler.draw(job.pair, size);
    const { lost = { left: 0, right: 0 } } = sides;
    left += countOf(sides.left) + lost.left;
    right += countOf(sides.right) + lost.right;
    unanswered = { left: unanswered.left + lost.left, right: unanswered.right + lost.right };
    const own = count(sides);
    tally?.add({ counts: own, leaves, lost: sides.lost });
    if (counts !== undefined) { for (let at = 0; at < own.length; at++) counts[at]! += own[at]!; }
  }
  return {
    shard: task.shard,
    attempt: task.attempt,
    drawsAsked: task.draws,
    goal: task.goal,
    draws: sampler.draws,
    left,
    right,
    made: tally?.made ?? 0,
    rightGuesses: tally?.right ?? 0,
    ...(counts && { counts: Array.from(counts) }),
    ...(counts && unanswered.left + unanswered.right > 0 ? { unanswered } : {}),
    ended: isOver(),
  };
}

function tallyOf(
  guess: Int8Array,
  { job, task }: Pick<ShardDrawing, "job" | "task">,
): GuessTally {
  const rate = new GuessRate(guess);
  rate.count(job.learned);
  return new GuessTally(task.goal, rate);
}
