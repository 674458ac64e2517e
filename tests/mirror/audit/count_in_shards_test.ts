import { assert, assertEquals } from "@std/assert";
import { auditInShards } from "../../../lib/audit/audit.ts";
import { learningBudget } from "../../../lib/audit/count_in_shards.ts";
import { GuessRate } from "../../../lib/audit/fixed_sample/guess_tally.ts";
import { LeafCounter } from "../../../lib/audit/prediction/leaf_counter.ts";
import { drawShard } from "../../../lib/audit/shards/draw_shard.ts";
import { sourceOf } from "../../../lib/audit/shards/shard_job.ts";
import type { CountingState, ShardedCounting } from "../../../lib/audit/sharded_counting.ts";
import { mechanismSubject } from "../../../lib/audit/subjects/mechanism_subject.ts";
import { pure } from "../../../lib/core/claim.ts";
import type { Mechanism } from "../../../lib/core/mechanism.ts";
import { pairOf, replaceOne } from "../../../lib/core/relation.ts";
import type { Source } from "../../../lib/core/source.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

/** The answer 2 with this probability on the right dataset, and a hundredth of it on the left one; otherwise 0 or 1, as likely each. */
function rareAnswer(rate: number): Mechanism<number, number> {
  const sampleMany = ([row]: readonly number[], count: number, source: Source): Float64Array => {
    const rare = row === 1 ? rate : rate / 100;
    return Float64Array.from(
      { length: count },
      () => source.uniform() < rare ? 2 : Number(source.uniform() < 0.5),
    );
  };
  return {
    name: "rare answer",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    width: 1,
    sampleMany,
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
  };
}

/** An audit with a given pair, whose shards are drawn one after the other: what was fixed before them, the draws of all, and the bound. */
async function audited(
  mechanism: Mechanism<number, number>,
  { maxDraws, seed }: { maxDraws: number; seed: number },
): Promise<{ state: CountingState; draws: number; made: number; bound: number }> {
  let state: CountingState | undefined, made = 0;
  const counting: ShardedCounting = {
    workers: 1,
    isFunctionOfSeed: true,
    begun: (begun) => {
      state = begun;
      return () => {};
    },
    run: async ({ job, ledger }) => {
      for (let task = ledger.begin(); task !== undefined; task = ledger.begin()) {
        const source = sourceOf(job, task).split("subject");
        const counter = new LeafCounter(job.predictor);
        const subject = mechanismSubject(mechanism, { source });
        ledger.take(
          await drawShard(subject, {
            job,
            task,
            count: (sides) => counter.count(sides),
            batch: 4096,
          }),
        );
      }
      ({ made } = ledger.totals);
    },
  };
  const source = new SeededSource(seed);
  const report = await auditInShards(mechanismSubject(mechanism, { source }), {
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
    effort: "thorough",
    shrink: false,
    maxDraws,
    seed,
    counting,
  });
  return { state: state!, draws: report.draws, made, bound: report.epsilonLowerBound };
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

// Four standard deviations fewer would leave a third of the draws unmade: each of these shards expects some 100 guesses.
Deno.test("a shard ends at the guesses that are expected of its draws, however rare they are", async () => {
  const maxDraws = 1 << 21;
  const { state, draws, made, bound } = await audited(rareAnswer(0.001), { maxDraws, seed: 1 });
  const { job } = state, rate = new GuessRate(job.guess!);
  rate.count(job.learned);
  assert(rate.value < 0.01, `${rate.value}`);
  assertEquals(job.goal, Math.round(job.draws * rate.value));
  assert(made > 0.9 * job.shards * job.goal && made < job.shards * job.goal, `${made}`);
  assert(draws > 0.95 * maxDraws, `${draws}`);
  assert(bound > 3 && bound < Math.log(100), `${bound}`);
});

// Mutants: batches that take more draws than are wanted, as all of them in a short audit.
Deno.test("leaves are counted on further draws, a thirty-second of those to come, once the partition is fixed", async () => {
  for (const maxDraws of [1 << 13, 1 << 16, 1 << 21]) {
    const { state } = await audited(rareAnswer(0.1), { maxDraws, seed: 2 });
    const { job, drawsOn } = state;
    const further = sum(job.learned.counts) - drawsOn.left - drawsOn.right;
    const toCome = job.shards * job.draws + further;
    assert(Math.abs(further - toCome / 32) <= 32 + job.shards, `${further} of ${toCome}`);
  }
});

// Mutants: the same budget for every audit; a share of short audits too; no end to it.
Deno.test("learningBudget() is all of a short audit, a quarter of a longer one, and limited in the longest", () => {
  const drawsOf = (maxDraws: number): number =>
    learningBudget({ maxDraws, maxSeconds: Infinity }).maxDraws;
  assertEquals([1000, 1e8, 1e9].map(drawsOf), [1000, 2.5e7, 2 ** 26]);
  assertEquals(drawsOf(3e7), 2 ** 24);
  assertEquals(drawsOf(Infinity), 2 ** 26);
  const { maxSeconds } = learningBudget({ maxDraws: Infinity, maxSeconds: 10 });
  assertEquals(maxSeconds, 4);
});
