import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { LeafCounter } from "../../../../../lib/judge/audit/model/prediction/leaf_counter.ts";
import { drawShard } from "../../../../../lib/judge/audit/kernel/shards/draw_shard.ts";
import {
  type ShardResult,
  type ShardTask,
  sourceOf,
} from "../../../../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { SentJob } from "../../../../../lib/judge/audit/sharded_counting.ts";
import { functionSubject } from "../../../../../lib/judge/audit/subjects/function_subject.ts";
import type { Source } from "../../../../../lib/core/mechanism/source.ts";
import type { Subject } from "../../../../../lib/judge/audit/kernel/subject.ts";
import type { PairOutputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { guessJob, learnedPredictor } from "./jobs.ts";

const predictor = learnedPredictor(0.73, 0.2);
const sizes = { predictor, seed: 5, shards: 4, draws: 4000, goal: 3000 };
const job = guessJob({ ...sizes, isFunctionOfSeed: true });
const { guess: _guess, ...bets } = job;

/** Randomised response that gives a third answer now and then; with what it was asked. */
function drawn(
  own: SentJob,
  task: ShardTask,
  options: { batch?: number; isStopped?: () => boolean } = {},
): { result: Promise<ShardResult>; asked: number[]; answers: number[] } {
  const asked: number[] = [], answers: number[] = [];
  const run = ([row]: readonly number[], source: Source): number => {
    const answer = source.uniform() < 0.2 ? 2 : source.uniform() < 0.73 ? row! : 1 - row!;
    asked.push(row!);
    answers.push(answer);
    return answer;
  };
  const source = sourceOf(own, task).split("subject");
  const subject = functionSubject(run, { name: "f", source });
  const counter = new LeafCounter(own.predictor);
  const result = drawShard(subject, {
    job: own,
    task,
    count: (sides) => counter.count(sides),
    batch: 256,
    ...options,
  });
  return { result, asked, answers };
}

const task: ShardTask = { shard: 2, attempt: 1, draws: 4000, goal: 3000 };

// Mutants: the sides exchanged; wrong guesses counted as right; a shard that goes on after its goal.
Deno.test("drawShard() counts the guesses of its draws, up to their number", async () => {
  const { result, asked, answers } = drawn(job, task), own = await result;
  assertEquals([own.made, own.ended], [3000, true]);
  assertEquals(own.draws, asked.length);
  assertEquals(own.right, asked.filter((row) => row === 1).length);
  assertEquals(own.left + own.right, own.draws);
  const guesses = asked.flatMap((row, at) => answers[at] === 2 ? [] : [row === answers[at]]);
  const right = guesses.filter(Boolean).length;
  // Only guesses beyond the goal, all of the last batch, may be missing, and right ones are left out first.
  assert(guesses.length >= 3000 && guesses.length < 3030, `${guesses.length}`);
  assertEquals(own.rightGuesses, right - (guesses.length - 3000));
});

Deno.test("drawShard() ends at its draws where guesses are few, and counts all leaves for bets", async () => {
  const few = await drawn(job, { ...task, draws: 500 }).result;
  assertEquals([few.draws, few.drawsAsked, few.ended], [500, 500, true]);
  assert(few.made < 450 && few.made > 350, `${few.made}`);
  const { counts, ...own } = await drawn(bets, { ...task, goal: 4000 }).result;
  assertEquals([own.draws, own.made, own.ended], [4000, 0, true]);
  const side = (label: number): number =>
    counts!.reduce((sum, count, at) => at % 2 === label ? sum + count : sum, 0);
  assertEquals([side(0), side(1)], [own.left, own.right]);
});

Deno.test("drawShard() gives what it counted when it is stopped", async () => {
  let batches = 0;
  const own = await drawn(job, task, { isStopped: () => ++batches > 3 }).result;
  assertEquals([own.draws, own.ended], [768, false]);
});

// Mutants: coins of the seed alone; attempts of a program with the coins of the first one.
Deno.test("a shard is a function of the seed and its number, and an attempt of a program of its own number too", async () => {
  const same = await Promise.all([1, 1].map(() => drawn(job, task).result));
  assertEquals(same[0], same[1]);
  const other = await drawn(job, { ...task, shard: 3 }).result;
  assertNotEquals(other.rightGuesses, same[0]!.rightGuesses);
  const program = guessJob({ ...sizes, isFunctionOfSeed: false });
  const word = (own: SentJob, attempt: number): number =>
    sourceOf(own, { ...task, attempt }).split("coins").uint32();
  assertEquals(word(job, 1), word(job, 2));
  assertNotEquals(word(program, 1), word(program, 2));
});

// A program that falls silent must pay for it in shards too. Mutants: lost draws of one side that are not counted, or of the last batch alone.
Deno.test("drawShard() counts outputs that were lost, by side, as draws and as unanswered", async () => {
  const lost = { left: 0, right: 0 }, noise = new SeededSource(77);
  const subject: Subject = {
    name: "silent",
    draw: () => ({ kind: "values", values: [] }),
    drawInOrder(_, { order }): Promise<PairOutputs> {
      const own = { left: 0, right: 0 };
      const sides: [number[], number[]] = [[], []];
      for (const label of order) {
        if (noise.uniform() < (label === 0 ? 0.1 : 0.02)) own[label === 0 ? "left" : "right"]++;
        else sides[label as 0 | 1].push(noise.uniform() < 0.7 ? label : 1 - label);
      }
      lost.left += own.left;
      lost.right += own.right;
      const [left, right] = sides.map((values) => ({ kind: "values", values }) as const);
      return Promise.resolve({ left: left!, right: right!, lost: own });
    },
    close: () => Promise.resolve(),
  };
  const counter = new LeafCounter(bets.predictor);
  const result = await drawShard(subject, {
    job: bets,
    task: { ...task, goal: 4000 },
    count: (sides) => counter.count(sides),
    batch: 256,
  });
  assert(lost.left > 100 && lost.right > 10);
  assertEquals(result.unanswered, lost);
  assertEquals([result.draws, result.left + result.right], [4000, 4000]);
  const answered = result.counts!.reduce((sum, count) => sum + count, 0);
  assertEquals(answered, 4000 - lost.left - lost.right);
});
