import { type Job, Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { ShardTask } from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { ShardRun } from "../../lib/judge/audit/sharded_counting.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";
import type { DrawShards } from "../shards/sharded_audit.ts";
import { auditKey, auditText, QUEUE, type ShardReply, shardReply } from "./messages.ts";
import { pause } from "./pause.ts";
import { connectToRedis, shownUrl } from "./redis_connection.ts";
import { refusedByRedis } from "./refused_by_redis.ts";
import { workersOf } from "./workers_of.ts";

/** Milliseconds between two looks at the jobs that were sent, and between two looks at what else there is. */
const LOOK_EVERY = 100, LOOK_AROUND_EVERY = 2000;
/** Milliseconds without a counted shard after which the reason is printed. */
const SAID_AFTER = 3000;
/** Number of waiting jobs: for each worker, at least, and at most. */
const WAITING = { perWorker: 4, fewest: 32, most: 4096 };
/** Attempts of a job that workers may refuse, and milliseconds between two. */
const REFUSALS = { most: 1000, every: 500 };
/** Seconds after which Redis drops an audit that is not read. */
const AUDIT_SECONDS = 7 * 24 * 3600;
/** Seconds after which Redis drops a finished job that is not read. */
const JOB_SECONDS = 24 * 3600;

/** Draws shards through BullMQ on the Redis of `url`: by whatever workers listen there. */
export function throughQueue(url: string): DrawShards {
  return async (run, told) => {
    const { signal } = run, { onNotice } = told;
    let redis: Redis;
    try {
      redis = await connectToRedis(url, { say: onNotice, signal });
    } catch (error) {
      if (signal?.aborted === true) return;
      throw error;
    }
    const queue = new Queue(QUEUE, { connection: redis });
    // A connection that breaks is made again.
    queue.on("error", () => {});
    const drawing = new QueuedShards(run, { ...told, redis, queue, place: shownUrl(url) });
    try {
      await untilAborted(drawing.draw(), run.signal);
    } finally {
      await Promise.race([drawing.remove().catch(() => {}), pause(300)]);
      // Disconnects without waiting for commands that Redis does not answer.
      redis.disconnect();
    }
  };
}

/** The queue to which shards are sent, and the settings of their audit. */
type Told = Parameters<DrawShards>[1] & {
  readonly redis: Redis;
  readonly queue: Queue;
  /** The URL without its password. */
  readonly place: string;
};

/** The shards of one audit that were sent, and what is still to be sent. */
class QueuedShards {
  readonly #run: ShardRun;
  readonly #told: Told;
  readonly #audit = crypto.randomUUID();
  readonly #text: string;
  /** The tasks of jobs that were sent, by the name of the job. */
  readonly #sent = new Map<string, ShardTask>();
  #mostSent = WAITING.fewest;
  #lookedAround = -Infinity;
  #tries = 0;
  #workers: number | undefined;
  /** Reasons of refusals: by Redis, by workers, and of results. */
  #redisReason: string | undefined;
  #workerReason: string | undefined;
  readonly #refusedResults = { count: 0, said: 0, reason: "" };
  #countedAt = performance.now();
  #said: string | undefined;

  constructor(run: ShardRun, told: Told) {
    this.#run = run;
    this.#told = told;
    const { hash, subject, name } = told;
    this.#text = auditText({ hash, subject, name, job: run.job });
  }

  async draw(): Promise<void> {
    const { ledger, signal } = this.#run;
    while (!ledger.isComplete && signal?.aborted !== true) {
      this.#redisReason = undefined;
      await this.#tryTo(async () => {
        await this.#lookAround();
        await this.#send();
      });
      const before = ledger.complete;
      await this.#tryTo(() => this.#receive());
      if (ledger.complete > before) this.#countedAt = performance.now();
      this.#sayWhy();
      if (ledger.complete === before) await pause(LOOK_EVERY);
    }
  }

  /** Does something that Redis may refuse for a while. */
  async #tryTo(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#redisReason = refusedByRedis(error);
      if (this.#redisReason === undefined) throw error;
      await pause(LOOK_EVERY);
    }
  }

  /** Shows the reason of a wait on the progress line, and prints it once if nothing was counted for some seconds. */
  #sayWhy(): void {
    const { place, onWait, onNotice } = this.#told, refused = this.#refusedResults;
    const results = refused.count === 0
      ? undefined
      : `${refused.count} result${
        refused.count === 1 ? " was" : "s were"
      } refused: ${refused.reason}`;
    const reason = this.#redisReason ??
      (this.#workers === 0
        ? `no worker listens at ${place}`
        : this.#workerReason !== undefined
        ? `workers refuse this audit: ${this.#workerReason}`
        : results);
    onWait(reason === undefined ? "" : `, ${reason}`);
    const isLate = performance.now() - this.#countedAt >= SAID_AFTER;
    if (isLate && reason !== undefined && reason !== results && reason !== this.#said) {
      onNotice(`waiting: ${reason}`);
      this.#said = reason;
    } else if (!isLate && this.#said !== undefined) {
      onNotice("shards are counted again");
      this.#said = undefined;
    }
    if (results !== undefined && refused.count >= 2 * refused.said) {
      onNotice(results);
      refused.said = refused.count;
    }
  }

  /** Sends the audit again if Redis has lost it, and counts the workers. */
  async #lookAround(): Promise<void> {
    if (performance.now() - this.#lookedAround < LOOK_AROUND_EVERY) return;
    const { redis } = this.#told, key = auditKey(this.#audit);
    // A Redis that was started without its file has forgotten it.
    if (await redis.expire(key, AUDIT_SECONDS) === 0) {
      await redis.set(key, this.#text, "EX", AUDIT_SECONDS);
    }
    const workers = await workersOf(redis);
    this.#workers = workers;
    const { perWorker, fewest, most } = WAITING;
    this.#mostSent = Math.min(most, Math.max(fewest, perWorker * (workers ?? 0)));
    this.#lookedAround = performance.now();
  }

  /** Sends tasks until enough of them wait. */
  async #send(): Promise<void> {
    const { ledger } = this.#run, { queue } = this.#told;
    while (this.#sent.size < this.#mostSent) {
      const task = ledger.begin();
      if (task === undefined) return;
      const id = `${this.#audit}-${task.shard}-${this.#tries++}`;
      try {
        await queue.add("shard", { audit: this.#audit, task }, {
          jobId: id,
          attempts: REFUSALS.most,
          backoff: { type: "fixed", delay: REFUSALS.every },
          removeOnComplete: { age: JOB_SECONDS },
          removeOnFail: { age: JOB_SECONDS },
        });
      } catch (error) {
        ledger.lose(task);
        throw error;
      }
      this.#sent.set(id, task);
    }
  }

  /** Collects the answers of workers. */
  async #receive(): Promise<void> {
    const ids = [...this.#sent.keys()], { queue } = this.#told;
    const jobs = await Promise.all(ids.map((id) => queue.getJob(id)));
    // An error that a worker throws is a refusal: its job is handed out again, with the reason of the last one.
    this.#workerReason = jobs.find((job) =>
      job !== undefined && job.finishedOn === undefined && job.attemptsMade > 0 &&
      job.failedReason !== undefined
    )?.failedReason;
    for (const [at, job] of jobs.entries()) {
      const id = ids[at]!, task = this.#sent.get(id)!;
      if (job === undefined) this.#lose(id, task);
      else if (job.finishedOn !== undefined) {
        const reply = job.failedReason === undefined ? this.#readable(job, task) : undefined;
        if (reply === undefined || "lost" in reply) {
          if (reply === undefined) {
            this.#refuseResult(job.failedReason ?? "no worker gives such a result");
          }
          this.#lose(id, task, drawnAttempts(job));
        } else this.#take(id, task, reply);
        await job.remove().catch(() => {});
      }
    }
  }

  #refuseResult(reason: string): void {
    this.#refusedResults.count++;
    this.#refusedResults.reason = reason;
  }

  /** Draws the shard again: its job is gone, or its answer is malformed. */
  #lose(id: string, task: ShardTask, attempts = 1): void {
    const { ledger, job } = this.#run;
    this.#sent.delete(id);
    if (!job.isFunctionOfSeed) ledger.started(task.shard, task.attempt + attempts - 1);
    ledger.lose(task);
  }

  /** The reply of a job, if it is one of a worker to this audit. */
  #readable(given: Job, task: ShardTask): ShardReply | undefined {
    const { success, data } = shardReply.safeParse(given.returnvalue);
    if (!success) return undefined;
    const { hash } = this.#told, { job } = this.#run;
    const isOurs = data.dpcheck === VERSION && data.audit === this.#audit && data.hash === hash &&
      data.seed === job.seed;
    if (!isOurs || (data.signature === undefined) !== job.isFunctionOfSeed) return undefined;
    if (!("result" in data)) return data;
    const { shard, attempt } = data.result, last = task.attempt + drawnAttempts(given) - 1;
    return shard === task.shard && attempt >= task.attempt && attempt <= last ? data : undefined;
  }

  /** @throws {SubjectFailure} when the subject failed, or its copies cannot be told apart. */
  #take(id: string, task: ShardTask, reply: Exclude<ShardReply, { lost: true }>): void {
    const { ledger } = this.#run, { copies, onCopy, onCounted } = this.#told;
    if ("failure" in reply) throw new SubjectFailure(reply.failure);
    const { copy, signature, result: { counts, ...numbers } } = reply;
    if (signature !== undefined && !copies.has(copy)) {
      copies.add(copy, signature);
      onCopy(copy, signature);
    }
    const taken = ledger.take({ ...numbers, ...(counts && { counts }) });
    if (taken === "counted") {
      this.#sent.delete(id);
      onCounted();
    } else {
      this.#refuseResult(`its numbers are none of a shard (${taken})`);
      this.#lose(id, task);
    }
  }

  /** Removes what is left of the audit in Redis; jobs that a worker has are left to it. */
  async remove(): Promise<void> {
    const { redis } = this.#told;
    await redis.del(auditKey(this.#audit));
    await Promise.all([...this.#sent].map(([id, task]) => this.#withdraw(id, task)));
  }

  /**
   * Takes a job back that waits, also for its next hand-out after a refusal: no worker can begin it from then on. One that was only refused was
   * no attempt.
   */
  async #withdraw(id: string, task: ShardTask): Promise<void> {
    const { redis, queue } = this.#told;
    if (
      await redis.lrem(queue.toKey("wait"), 1, id) !== 1 &&
      await redis.zrem(queue.toKey("delayed"), id) !== 1
    ) return;
    const job = await queue.getJob(id);
    if (job?.attemptsStarted === job?.attemptsMade) this.#run.ledger.withdraw(task);
    await job?.remove();
  }
}

/** Times that a finished job was handed to a worker that did not refuse it. */
function drawnAttempts({ attemptsStarted, attemptsMade }: Job): number {
  return Math.max(1, attemptsStarted - attemptsMade + 1);
}

/** Waits for `drawing`, or until the signal is aborted: commands that Redis does not answer are not waited for. */
async function untilAborted(
  drawing: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal === undefined) return await drawing;
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await Promise.race([
    drawing.catch((error) => {
      if (!signal.aborted) throw error;
    }),
    aborted,
  ]);
}
