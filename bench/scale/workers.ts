import { drawInThreads } from "../../cli/shards/thread_pool.ts";
import { KnownCopies } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { chooseGuesses } from "../../lib/judge/audit/plan/bet_choice/choose_guesses.ts";
import { serializePredictor } from "../../lib/judge/audit/model/prediction/serialized_predictor.ts";
import { Predictor } from "../../lib/judge/audit/model/prediction/predictor.ts";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";
import { ShardLedger } from "../../lib/judge/audit/kernel/shards/shard_ledger.ts";

// Seconds that shards of a program take which waits and does not compute, by the number of workers: what threads, merging and the last
// shards cost, whatever the number of cores.

const SHARDS = 64, DRAWS = 2000;

const predictor = new Predictor({ effort: "thorough" });
const side = (bit: number): { kind: "block"; width: number; values: Float64Array } => ({
  kind: "block",
  width: 1,
  values: Float64Array.from({ length: 2000 }, (_, k) => k % 4 === 0 ? 1 - bit : bit),
});
predictor.observe(side(0), side(1));
predictor.freeze({ alpha: 0.05, draws: SHARDS * DRAWS });
const job: SentJob = {
  seed: 1,
  pair: { left: [0], right: [1] },
  predictor: serializePredictor(predictor),
  learned: { counts: predictor.counts, leaves: predictor.leaves },
  guess: chooseGuesses(predictor, { alpha: 0.05, draws: SHARDS * DRAWS }).guess,
  shards: SHARDS,
  draws: DRAWS,
  goal: DRAWS,
  isFunctionOfSeed: false,
};

let one = 0;
for (const workers of [1, 2, 4, 8, 16]) {
  const ledger = new ShardLedger(job), begun = performance.now();
  await drawInThreads({ job, ledger, deadline: Infinity, signal: undefined }, {
    subject: {
      kind: "module",
      specifier: new URL("slow_response.js", import.meta.url).pathname,
      timeout: 30,
      withRows: [],
      except: [],
    },
    name: "slow_response.js",
    workers,
    copies: new KnownCopies("slow_response.js"),
  });
  const seconds = (performance.now() - begun) / 1000;
  if (workers === 1) one = seconds;
  const { draws, lost } = ledger.totals;
  console.log(
    `${workers} workers: ${seconds.toFixed(2)} s, ${
      (one / seconds).toFixed(2)
    } times as fast as one; ` +
      `${draws} draws, ${lost.length} lost`,
  );
}
