import { assert } from "@std/assert";
import { drawShard } from "../../../../../lib/judge/audit/kernel/shards/draw_shard.ts";
import {
  type ShardTask,
  sourceOf,
} from "../../../../../lib/judge/audit/kernel/shards/shard_job.ts";
import {
  ShardLedger,
  type ShardTotals,
} from "../../../../../lib/judge/audit/kernel/shards/shard_ledger.ts";
import {
  guessCountsOf,
  shardedGuesses,
} from "../../../../../lib/judge/audit/kernel/shards/sharded_bound.ts";
import { LeafCounter } from "../../../../../lib/judge/audit/model/prediction/leaf_counter.ts";
import type { SentJob } from "../../../../../lib/judge/audit/sharded_counting.ts";
import type { PairOutputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { functionSubject } from "../../../../../lib/judge/audit/subjects/function_subject.ts";
import type { Source } from "../../../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { LONG } from "../../../../long.ts";
import { guessJob, learnedPredictor } from "./jobs.ts";

// Programs with memory that keep their claim of ε = 1 exactly, call by call, and do with their shards what may bend the counts:
// 400 audits of each, α = .05, seeds fixed beforehand. Up to 34 refutations are due to chance with probability .9989 at a rate of .05;
// in the long run up to 71 of 1,000, with probability .9985.

const ALPHA = 0.05, AUDITS = LONG ? 1000 : 400, MOST = LONG ? 71 : 34;
/** A test that forgets lost counts refutes more. */
const FORGETFUL = 0.142 * AUDITS;
const SIZES = { shards: 8, draws: 48, goal: 40, isFunctionOfSeed: false };
const EPSILON = 1, TRUTH = 1 / (1 + Math.exp(-EPSILON));
const predictor = learnedPredictor(TRUTH, 0.05);

/** What copies of a program do: each answers, and may see the answers of all. */
class Memory {
  calls = 0;
  right = 0;

  /** One answer, which is right as often as the claim allows. */
  answer([row]: readonly number[], source: Source): number {
    const right = source.uniform() < TRUTH;
    this.calls++;
    if (right) this.right++;
    return right ? row! : 1 - row!;
  }

  /** By how many standard deviations the right answers are more than expected. */
  get deviations(): number {
    const spread = Math.sqrt(this.calls * TRUTH * (1 - TRUTH));
    return this.calls < 20 ? 0 : (this.right - this.calls * TRUTH) / spread;
  }
}

type Program = (data: readonly number[], source: Source) => number;

/** Audits of programs: `run` draws the shards of one. Gives how many are refuted by the test, and by one that forgets losses. */
async function refutedOf(
  run: (job: SentJob, ledger: ShardLedger) => Promise<void>,
): Promise<{ refuted: number; forgetful: number; lost: number }> {
  let refuted = 0, forgetful = 0, lost = 0;
  for (let seed = 1; seed <= AUDITS; seed++) {
    const job = guessJob({ ...SIZES, predictor, seed });
    const ledger = new ShardLedger(job);
    await run(job, ledger);
    const { totals } = ledger;
    const toss = new SeededSource(seed).split("toss").uniform();
    const isRefuted = (own: ShardTotals): boolean =>
      shardedGuesses(guessCountsOf(own, { job, claim: EPSILON, alpha: ALPHA, toss })).refutes();
    if (isRefuted(totals)) refuted++;
    if (isRefuted({ ...totals, lost: [] })) forgetful++;
    lost += totals.lost.length;
  }
  return { refuted, forgetful, lost };
}

async function drawn(
  program: Program,
  { job, task, ledger }: { job: SentJob; task: ShardTask; ledger: ShardLedger },
): Promise<void> {
  const counter = new LeafCounter(job.predictor);
  const count = (sides: PairOutputs): Float64Array => counter.count(sides);
  const subject = functionSubject<readonly number[]>(program, {
    name: "program",
    source: sourceOf(job, task).split("subject"),
  });
  ledger.take(await drawShard(subject, { job, task, count, batch: 12 }));
}

// Mutant: the counts of lost attempts are forgotten.
Deno.test("a program that ends its worker when its counts are low is refuted no more often than α", async () => {
  const { refuted, forgetful, lost } = await refutedOf(async (job, ledger) => {
    for (let task = ledger.begin(); task !== undefined; task = ledger.begin()) {
      const memory = new Memory();
      await drawn((data, source) => memory.answer(data, source), {
        job,
        task,
        ledger: {
          take: (result: Parameters<ShardLedger["take"]>[0]) => {
            // It has seen all of its answers by now. A second attempt is the last one.
            if (task!.attempt === 1 && memory.deviations < -0.3) ledger.lose(task!);
            else ledger.take(result);
            return "counted";
          },
        } as unknown as ShardLedger,
      });
    }
  });
  assert(lost > AUDITS, `${lost} attempts were lost`);
  assert(refuted <= MOST, `${refuted} refuted`);
  assert(forgetful > FORGETFUL, `only ${forgetful} are refuted by a test that forgets them`);
});

Deno.test("a program that falls silent when its counts are high is refuted no more often than α", async () => {
  const { refuted } = await refutedOf(async (job, ledger) => {
    for (let task = ledger.begin(); task !== undefined; task = ledger.begin()) {
      const memory = new Memory();
      const program: Program = (data, source) =>
        memory.deviations > 1.2 ? 2 : memory.answer(data, source);
      await drawn(program, { job, task, ledger });
    }
  });
  assert(refuted <= MOST, `${refuted} refuted`);
});

Deno.test("copies that draw at the same time and know each other's answers are refuted no more often than α", async () => {
  const { refuted } = await refutedOf(async (job, ledger) => {
    const memory = new Memory();
    // All fall silent together when together they have many right answers.
    const program: Program = (data, source) =>
      memory.deviations > 1.6 ? 2 : memory.answer(data, source);
    const tasks = Array.from({ length: job.shards }, () => ledger.begin()!);
    await Promise.all(tasks.map((task) => drawn(program, { job, task, ledger })));
  });
  assert(refuted <= MOST, `${refuted} refuted`);
});

Deno.test("a program that hangs when its counts are low until a deadline is refuted no more often than α", async () => {
  const { refuted, forgetful } = await refutedOf(async (job, ledger) => {
    for (let task = ledger.begin(); task !== undefined; task = ledger.begin()) {
      const memory = new Memory();
      await drawn((data, source) => memory.answer(data, source), {
        job,
        task,
        ledger: {
          // Its result comes after the deadline: nobody draws the shard again, and it is tossed for.
          take: (result: Parameters<ShardLedger["take"]>[0]) =>
            memory.deviations < -0.5 ? "not needed" : ledger.take(result),
        } as unknown as ShardLedger,
      });
    }
  });
  assert(refuted <= MOST, `${refuted} refuted`);
  assert(forgetful > FORGETFUL, `only ${forgetful} are refuted by a test that forgets them`);
});

Deno.test("an honest program that breaks its claim is refuted, with a worker lost now and then", async () => {
  const others = new SeededSource(3);
  const { refuted } = await refutedOf(async (job, ledger) => {
    for (let task = ledger.begin(); task !== undefined; task = ledger.begin()) {
      if (task.attempt === 1 && others.uniform() < 0.05) {
        ledger.lose(task);
        continue;
      }
      const program: Program = ([row], source) => source.uniform() < 0.87 ? row! : 1 - row!;
      await drawn(program, { job, task, ledger });
    }
  });
  assert(refuted > 0.9 * AUDITS, `${refuted} of ${AUDITS}`);
});
