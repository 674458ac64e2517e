import type { ShardJob, ShardResult } from "./shard_job.ts";

/** Returns the reason why a result cannot be one of an attempt at a shard of this job; `undefined` where it can. */
export function resultProblem(result: ShardResult, job: ShardJob): string | undefined {
  const { shard, attempt, draws, drawsAsked, goal, left, right, made, rightGuesses } = result;
  const { counts, unanswered } = result;
  const whole = { shard, attempt, draws, drawsAsked, goal, left, right, made, rightGuesses };
  for (const [name, value] of Object.entries(whole)) {
    if (!Number.isSafeInteger(value) || value < 0) {
      return `${name} must be a whole number: current value is ${value}`;
    }
  }
  if (shard >= job.shards) return `shard must be below ${job.shards}: current value is ${shard}`;
  if (attempt < 1 || (job.isFunctionOfSeed && attempt > 1)) return `there is no attempt ${attempt}`;
  if (drawsAsked > job.draws || goal > job.goal) return "it is of a larger shard";
  if (draws > drawsAsked) return `draws must be at most ${drawsAsked}: current value is ${draws}`;
  if (left + right !== draws) return `draws must be those of both sides: current value is ${draws}`;
  if (rightGuesses > made) {
    return `right guesses must be at most ${made}: current value is ${rightGuesses}`;
  }
  if (made > draws) return `guesses must be at most ${draws}: current value is ${made}`;
  return job.guess === undefined
    ? countsProblem({ left, right, made, counts, unanswered, nodes: job.learned.counts.length }) ??
      (result.ended === (draws === drawsAsked) ? undefined : "it must end at its last draw")
    : guessesProblem({ made, goal, counts, unanswered }) ??
      (result.ended === (draws === drawsAsked || made === goal)
        ? undefined
        : "it must end at its last guess or its last draw");
}

function guessesProblem(
  { made, goal, counts, unanswered }:
    & Pick<ShardResult, "made" | "goal" | "unanswered">
    & { readonly counts: unknown },
): string | undefined {
  if (counts !== undefined || unanswered !== undefined) return "it must have no counts of leaves";
  return made > goal ? `guesses must be at most ${goal}: current value is ${made}` : undefined;
}

function countsProblem(
  { left, right, made, counts, nodes, unanswered = { left: 0, right: 0 } }:
    & Pick<ShardResult, "left" | "right" | "made" | "unanswered">
    & { readonly counts: unknown; readonly nodes: number },
): string | undefined {
  if (made !== 0) return "it must have no guesses";
  if (!Array.isArray(counts) || counts.length !== nodes) return `it must have ${nodes} counts`;
  const sums: [number, number] = [0, 0];
  for (const [at, count] of (counts as readonly number[]).entries()) {
    if (!Number.isSafeInteger(count) || count < 0) {
      return `a count must be a whole number: current value is ${count}`;
    }
    sums[at % 2 as 0 | 1] += count;
  }
  for (const count of [unanswered.left, unanswered.right]) {
    if (!Number.isSafeInteger(count) || count < 0) {
      return `draws without an output must be a whole number: current value is ${count}`;
    }
  }
  return sums[0] + unanswered.left > left || sums[1] + unanswered.right > right
    ? "its counts must be at most its draws"
    : undefined;
}
