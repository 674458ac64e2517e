import { type Job, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { VERSION } from "../../lib/audit/version.ts";
import type { ChildResult } from "../suite/run_child.ts";
import type { SuiteEntry } from "../suite/suite_schema.ts";
import { type AuditOrder, AUDITS, resultIn, wantedKey } from "./audit_messages.ts";
import { pause } from "./pause.ts";
import { connectToRedis } from "./redis_connection.ts";

/** Milliseconds between two looks at a job, and between two signs that the suite still waits. */
const LOOK_EVERY = 200, SIGN_EVERY = 5000;
/** Seconds after which a suite that gives no sign waits no more. */
const SIGN_SECONDS = 60;
/** Attempts of a job that workers may refuse, and milliseconds between two. */
const REFUSALS = { most: 1000, every: 500 };
/** Times that an audit of a mechanism that dpcheck ships is sent. */
const MOST_SENT = 5;

/** Audits of a suite that workers run whole, each by one of them. */
export class WholeAudits {
  readonly #redis: Redis;
  readonly #queue: Queue;
  readonly #suite = crypto.randomUUID();
  readonly #timer: ReturnType<typeof setInterval>;
  #sent = 0;

  private constructor(redis: Redis) {
    this.#redis = redis;
    this.#queue = new Queue(AUDITS, { connection: redis });
    // A connection that breaks is made again.
    this.#queue.on("error", () => {});
    this.#timer = setInterval(() => void this.#sign().catch(() => {}), SIGN_EVERY);
  }

  /** Connects to the Redis of `url`. @throws {BadInput} when it cannot be used. */
  static async open(url: string): Promise<WholeAudits> {
    const audits = new WholeAudits(await connectToRedis(url));
    await audits.#sign();
    return audits;
  }

  /**
   * Has an audit run. One that a worker began and did not end has failed: a program may have ended its worker because of what it drew, and
   * to run it again would be to choose. A mechanism that dpcheck ships does no such thing, and its audit is sent again.
   */
  async run(
    entry: SuiteEntry,
    { key, folder, more, signal }: {
      readonly key: string;
      readonly folder: string;
      readonly more: readonly string[];
      readonly signal: AbortSignal;
    },
  ): Promise<ChildResult> {
    const order: AuditOrder = {
      dpcheck: VERSION,
      suite: this.#suite,
      key,
      folder,
      entry,
      more: [...more],
    };
    const most = entry.mechanism === undefined ? 1 : MOST_SENT;
    for (let sent = 0; sent < most && !signal.aborted; sent++) {
      const result = await this.#send(order, signal);
      if (result !== undefined) return result;
    }
    const message = signal.aborted
      ? "interrupted"
      : "a worker began this audit and did not end it, or gave back what no worker gives";
    return { status: 3, message };
  }

  /** Takes back what waits, and tells workers that nobody waits any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const done = this.#redis.del(wantedKey(this.#suite));
    // A Redis that does not answer is not waited for.
    await Promise.race([done.catch(() => {}), pause(300)]);
    this.#redis.disconnect();
  }

  async #sign(): Promise<void> {
    await this.#redis.set(wantedKey(this.#suite), 1, "EX", SIGN_SECONDS);
  }

  /** What a worker gave back; `undefined` where that is nothing that can be used. */
  async #send(order: AuditOrder, signal: AbortSignal): Promise<ChildResult | undefined> {
    const jobId = `${this.#suite}-${this.#sent++}`;
    await this.#queue.add("audit", order, {
      jobId,
      attempts: REFUSALS.most,
      backoff: { type: "fixed", delay: REFUSALS.every },
    });
    while (!signal.aborted) {
      await pause(LOOK_EVERY);
      const job: Job | undefined = await this.#queue.getJob(jobId);
      // A Redis that was started without its file has forgotten it.
      if (job === undefined) return undefined;
      if (job.finishedOn === undefined) continue;
      await job.remove().catch(() => {});
      return job.failedReason === undefined ? resultIn(job.returnvalue, order.key) : undefined;
    }
    // One that waits cannot be begun from then on.
    await Promise.race([this.#queue.remove(jobId).catch(() => {}), pause(300)]);
    return undefined;
  }
}
