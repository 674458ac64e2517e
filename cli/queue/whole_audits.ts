import { type Job, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { VERSION } from "../../lib/judge/audit/version.ts";
import type { ChildResult } from "../entries/run_child.ts";
import type { SuiteEntry } from "../entries/suite_schema.ts";
import { type AuditOrder, AUDITS, resultIn, wantedKey } from "./audit_messages.ts";
import { say } from "../options/say.ts";
import { pause } from "./pause.ts";
import { connectToRedis, shownUrl } from "./redis_connection.ts";
import { refusedByRedis } from "./refused_by_redis.ts";
import { workersOf } from "./workers_of.ts";

/** Milliseconds between two looks at a job, and between two signs that the suite still waits. */
const LOOK_EVERY = 200, SIGN_EVERY = 5000;
/** Seconds after which a suite that gives no sign waits no more. */
const SIGN_SECONDS = 60;
/** Milliseconds between two checks why no worker runs an audit. */
const LOOK_WHY_EVERY = 3000;
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
  /** The URL without its password. */
  readonly #place: string;
  /** Messages that were printed; none is repeated. */
  readonly #said = new Set<string>();
  #sent = 0;

  private constructor(redis: Redis, place: string) {
    this.#redis = redis;
    this.#place = place;
    this.#queue = new Queue(AUDITS, { connection: redis });
    // A connection that breaks is made again.
    this.#queue.on("error", () => {});
    this.#timer = setInterval(() => void this.#sign().catch(() => {}), SIGN_EVERY);
  }

  /** Connects to the Redis of `url`. @throws {BadInput} when it cannot be used. */
  static async open(url: string): Promise<WholeAudits> {
    const audits = new WholeAudits(await connectToRedis(url, { say }), shownUrl(url));
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

  /** Removes waiting jobs from the queue, and tells workers that their results are no longer needed. */
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

  /** The answer of a worker; `undefined` if it is malformed. */
  async #send(order: AuditOrder, signal: AbortSignal): Promise<ChildResult | undefined> {
    const jobId = `${this.#suite}-${this.#sent++}`;
    await this.#whenRedisDoes(() =>
      this.#queue.add("audit", order, {
        jobId,
        attempts: REFUSALS.most,
        backoff: { type: "fixed", delay: REFUSALS.every },
      }), signal);
    let lookedAt = performance.now();
    while (!signal.aborted) {
      await pause(LOOK_EVERY);
      const job: Job | undefined = await this.#whenRedisDoes(
        () => this.#queue.getJob(jobId),
        signal,
      );
      if (job !== undefined && performance.now() - lookedAt >= LOOK_WHY_EVERY) {
        lookedAt = performance.now();
        await this.#sayWhy(job, order.entry.name);
      }
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

  /** Prints why an audit is not run yet: no worker listens, or all that listen refuse it. */
  async #sayWhy(job: Job, name: string): Promise<void> {
    if (job.finishedOn !== undefined || await job.isActive()) return;
    if (await workersOf(this.#redis) === 0) {
      this.#sayOnce(`waiting: no worker listens at ${this.#place}`);
    } else if (job.attemptsMade > 0) {
      this.#sayOnce(`waiting: workers refuse ${name}: ${job.failedReason}`);
    }
  }

  #sayOnce(sentence: string): void {
    if (!this.#said.has(sentence)) say(sentence);
    this.#said.add(sentence);
  }

  /** Asks again where Redis refuses for a while, and says so; `undefined` where the suite is interrupted meanwhile. */
  async #whenRedisDoes<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    while (!signal.aborted) {
      try {
        return await ask();
      } catch (error) {
        const reason = refusedByRedis(error);
        if (reason === undefined) throw error;
        this.#sayOnce(`waiting: ${reason}`);
        await pause(LOOK_EVERY);
      }
    }
    return undefined;
  }
}
