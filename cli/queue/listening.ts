import { hostname } from "node:os";
import { type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";

/** Settings of a worker. */
export interface WorkerOptions {
  readonly url: string;
  /** Shards, or audits, at the same time. */
  readonly concurrency: number;
  /** Seconds of silence after which a worker loses its job. */
  readonly lockSeconds: number;
  /** Called with a sentence on each event. */
  readonly say: (sentence: string) => void;
}

/** Runs the jobs of a queue of this Redis, on a connection of its own, until it is closed. */
export function listening(
  queue: string,
  { redis, run, concurrency, lockSeconds, mostStalled }: {
    readonly redis: Redis;
    readonly run: (job: Job) => Promise<unknown>;
    readonly concurrency: number;
    readonly lockSeconds: number;
    /** Times that a job may return from workers that died or froze. */
    readonly mostStalled: number;
  },
): Worker {
  const waiting = redis.duplicate({ connectionName: "" });
  // A connection that breaks is made again.
  waiting.on("error", () => {});
  const worker = new Worker(queue, run, {
    connection: waiting,
    concurrency,
    name: `dpcheck ${hostname()}`,
    lockDuration: 1000 * lockSeconds,
    stalledInterval: 1000 * lockSeconds,
    maxStalledCount: mostStalled,
  });
  // A lock that was lost means that another worker has the job.
  worker.on("error", () => {});
  worker.on("closed", () => waiting.disconnect());
  return worker;
}
