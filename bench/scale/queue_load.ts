import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { auditKey, QUEUE } from "../../cli/queue/messages.ts";
import { throughQueue } from "../../cli/queue/queue_shards.ts";
import { KnownCopies } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { serializePredictor } from "../../lib/judge/audit/model/prediction/serialized_predictor.ts";
import { Predictor } from "../../lib/judge/audit/model/prediction/predictor.ts";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";
import { ShardLedger } from "../../lib/judge/audit/kernel/shards/shard_ledger.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";

// How many shards a second go through one Redis and one audit, when drawing takes no time: [SHARDS].
// It starts a redis-server of its own, on this machine alone.

const shards = Number(Deno.args[0] ?? 10_000), CONCURRENCY = 64;
const folder = await Deno.makeTempDir(), port = 20_000 + Deno.pid % 20_000;
const server = new Deno.Command("redis-server", {
  args: [
    "--port",
    `${port}`,
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "yes",
  ],
  stdout: "null",
}).spawn();
const url = `redis://127.0.0.1:${port}`;
const connection = new Redis(url, { maxRetriesPerRequest: null });
connection.on("error", () => {});
await connection.ping();

const ofWorker = connection.duplicate();
ofWorker.on("error", () => {});
let hash = "";
const worker = new Worker(QUEUE, async (job) => {
  const { audit, task: { draws, ...task } } = job.data;
  hash ||= JSON.parse((await connection.get(auditKey(audit)))!).hash;
  const half = draws / 2;
  const result = {
    ...{ ...task, drawsAsked: draws, draws, left: half, right: half },
    ...{ made: task.goal, rightGuesses: half, ended: true },
  };
  return { dpcheck: VERSION, audit, hash, seed: 1, copy: "none", result };
}, { connection: ofWorker, concurrency: CONCURRENCY });
worker.on("error", () => {});

const predictor = new Predictor({ effort: "thorough" });
const job: SentJob = {
  seed: 1,
  pair: { left: [0], right: [1] },
  predictor: serializePredictor(predictor),
  learned: { counts: predictor.counts, leaves: predictor.leaves },
  guess: Int8Array.of(0),
  shards,
  draws: 1000,
  goal: 1000,
  isFunctionOfSeed: true,
};
const ledger = new ShardLedger(job), begun = performance.now(), cpu = await cpuSeconds();
await throughQueue(url)(
  { job, ledger, deadline: Infinity, signal: undefined },
  {
    hash: "none",
    subject: {
      kind: "mechanism",
      name: "laplace",
      numbers: { epsilon: 1 },
      timeout: 30,
      withRows: [],
      except: [],
    },
    name: "laplace",
    copies: new KnownCopies("laplace"),
    onCopy: () => {},
    onCounted: () => {},
    onWait: () => {},
    onNotice: () => {},
  },
);
const seconds = (performance.now() - begun) / 1000;
const used = await cpuSeconds() - cpu;
const memory = /used_memory_peak:(\d+)/.exec(await connection.info("memory"))![1];
const { draws, lost } = ledger.totals;
console.log(
  `${shards} shards in ${seconds.toFixed(1)} s: ${Math.round(shards / seconds)} a second`,
);
console.log(
  `CPU of Redis: ${used.toFixed(1)} s, ${Math.round(1e6 * used / shards)} µs a shard; at most ${
    (Number(memory) / 2 ** 20).toFixed(1)
  } MiB`,
);
console.log(`draws counted: ${draws} of ${1000 * shards}; lost attempts: ${lost.length}`);
await worker.close();
ofWorker.disconnect();
connection.disconnect();
server.kill();
await server.status;
await Deno.remove(folder, { recursive: true });

/** Seconds of CPU that Redis has used. */
async function cpuSeconds(): Promise<number> {
  const info = await connection.info("cpu");
  return [/used_cpu_user:([\d.]+)/, /used_cpu_sys:([\d.]+)/]
    .reduce((sum, pattern) => sum + Number(pattern.exec(info)![1]), 0);
}
