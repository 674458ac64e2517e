import { type Job, Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { ShardTask } from "../../lib/audit/shards/shard_job.ts";
import type { ShardRun } from "../../lib/audit/sharded_counting.ts";
import { SubjectFailure } from "../../lib/audit/subjects/subject.ts";
import { VERSION } from "../../lib/audit/version.ts";
import type { DrawShards } from "../shards/sharded_audit.ts";
import { auditKey, auditText, QUEUE, type ShardReply, shardReply } from "./messages.ts";
import { pause } from "./pause.ts";
import { connectToRedis } from "./redis_connection.ts";

/** Milliseconds between two looks at the jobs that were sent, and between two looks at what else there is. */
const LOOK_EVERY = 100, LOOK_AROUND_EVERY = 2000;
/** Jobs that wait at once: so many for each worker, at least and at most. */
const WAITING = { perWorker: 4, fewest: 32, most: 4096 };
/** Attempts of a job that workers may refuse, and milliseconds between two. */
const REFUSALS = { most: 1000, every: 500 };
/** Seconds that an audit stays in Redis when nobody asks for it. */
const AUDIT_SECONDS = 7 * 24 * 3600;
/** Seconds that a finished job stays when nobody reads it. */
const JOB_SECONDS = 24 * 3600;

/** Draws shards through BullMQ on the Redis of `url`: by whatever workers listen there. */
export function throughQueue(url: string): DrawShards {
  return async (run, told) => {
    const redis = await connectToRedis(url);
    const queue = new Queue(QUEUE, { connection: redis });
    // A connection that breaks is made again.
    queue.on("error", () => {});
    const drawing = new QueuedShards(run, { ...told, redis, queue });
    try {
      await untilAborted(drawing.draw(), run.signal);
    } finally {
      await Promise.race([drawing.remove().catch(() => {}), pause(300)]);
      // Without a wait for commands that Redis does not answer.
      redis.disconnect();
    }
  };
}

/** The shards of one audit that were sent, and what is still to be sent. */
class QueuedShards {
  readonly #run: ShardRun;
  readonly #told: Parameters<DrawShards>[1] & { readonly redis: Redis; readonly queue: Queue };
  readonly #audit = crypto.randomUUID();
  readonly #text: string;
  /** The tasks of jobs that were sent, by the name of the job. */
  readonly #sent = new Map<string, ShardTask>();
  #mostSent = WAITING.fewest;
  #lookedAround = -Infinity;
  #tries = 0;

  constructor(
    run: ShardRun,
    told: Parameters<DrawShards>[1] & { readonly redis: Redis; readonly queue: Queue },
  ) {
    this.#run = run;
    this.#told = told;
    const { hash, subject, name } = told;
    this.#text = auditText({ hash, subject, name, job: run.job });
  }

  async draw(): Promise<void> {
    const { ledger, signal } = this.#run;
    while (!ledger.isComplete && signal?.aborted !== true) {
      const isFull = !await this.#tryTo(async () => {
        await this.#lookAround();
        await this.#send();
      });
      const before = ledger.complete;
      await this.#tryTo(() => this.#receive());
      this.#told.onWait(isFull ? ", Redis is full" : "");
      if (ledger.complete === before) await pause(LOOK_EVERY);
    }
  }

  /** Does something that a full Redis refuses. Whether it was done. */
  async #tryTo(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("OOM"))) throw error;
      await pause(LOOK_EVERY);
      return false;
    }
  }

  /** Makes sure that the audit is there, and looks how many workers are. */
  async #lookAround(): Promise<void> {
    if (performance.now() - this.#lookedAround < LOOK_AROUND_EVERY) return;
    const { redis, queue } = this.#told, key = auditKey(this.#audit);
    // A Redis that was started without its file has forgotten it.
    if (await redis.expire(key, AUDIT_SECONDS) === 0) {
      await redis.set(key, this.#text, "EX", AUDIT_SECONDS);
    }
    const workers = await queue.getWorkersCount();
    const { perWorker, fewest, most } = WAITING;
    this.#mostSent = Math.min(most, Math.max(fewest, perWorker * workers));
    this.#lookedAround = performance.now();
  }

  /** Sends tasks, as long as few enough wait. */
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

  /** Takes in what workers gave back. */
  async #receive(): Promise<void> {
    const ids = [...this.#sent.keys()], { queue } = this.#told;
    const jobs = await Promise.all(ids.map((id) => queue.getJob(id)));
    for (const [at, job] of jobs.entries()) {
      const id = ids[at]!, task = this.#sent.get(id)!;
      if (job === undefined) this.#lose(id, task);
      else if (job.finishedOn !== undefined) {
        const reply = job.failedReason === undefined ? this.#readable(job, task) : undefined;
        if (reply === undefined || "lost" in reply) this.#lose(id, task, drawnAttempts(job));
        else this.#take(id, task, reply);
        await job.remove().catch(() => {});
      }
    }
  }

  /** Draws the shard again: its job is gone, or gave back what no worker gives. */
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
    } else this.#lose(id, task);
  }

  /** Removes what is left of the audit in Redis; jobs that a worker has are left to it. */
  async remove(): Promise<void> {
    const { redis } = this.#told;
    await redis.del(auditKey(this.#audit));
    await Promise.all([...this.#sent].map(([id, task]) => this.#withdraw(id, task)));
  }

  /** Takes a job back that waits: no worker can begin it from then on. One that none has begun was no attempt. */
  async #withdraw(id: string, task: ShardTask): Promise<void> {
    const { redis, queue } = this.#told;
    if (await redis.lrem(queue.toKey("wait"), 1, id) !== 1) return;
    const job = await queue.getJob(id);
    if (job?.attemptsStarted === 0) this.#run.ledger.withdraw(task);
    await job?.remove();
  }
}

/** How often a finished job was handed out to a worker that did not refuse it. */
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
