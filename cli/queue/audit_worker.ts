import type { Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { entryKey, entryWords } from "../entries/entry_words.ts";
import { runChild } from "../entries/run_child.ts";
import { type AuditOrder, AUDITS, orderFrom, replyTo, wantedKey } from "./audit_messages.ts";
import { listening, type WorkerOptions } from "./listening.ts";
import { connectToRedis } from "./redis_connection.ts";

/** Milliseconds between two looks whether the suite still waits. */
const LOOK_EVERY = 1000;

/** Runs audits of suites, each whole and in a process of its own, until it is closed. */
export class AuditWorker {
  readonly #options: WorkerOptions;
  readonly #redis: Redis;
  readonly #worker: Worker;
  readonly #end = new AbortController();
  #busy = 0;
  #audits = 0;
  #activeAt = performance.now();

  private constructor(redis: Redis, options: WorkerOptions) {
    this.#options = options;
    this.#redis = redis;
    this.#worker = listening(AUDITS, {
      ...options,
      redis,
      run: async (job) => await this.#run(job),
      // A program may have ended its worker because of what it drew. So the suite decides what follows from that.
      mostStalled: 0,
    });
  }

  /** Begins to listen. @throws {BadInput} when Redis cannot be used. */
  static async listen(options: WorkerOptions): Promise<AuditWorker> {
    return new AuditWorker(await connectToRedis(options.url, options), options);
  }

  /** Seconds since an audit was begun or ended; 0 while one runs. */
  get idleSeconds(): number {
    return this.#busy > 0 ? 0 : (performance.now() - this.#activeAt) / 1000;
  }

  /** Audits that were run so far. */
  get audits(): number {
    return this.#audits;
  }

  /** Interrupts the audits that run, gives their reports so far back, and ends. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#worker.close();
    this.#redis.disconnect();
  }

  async #run(job: Job): Promise<unknown> {
    const order = orderFrom(job.data), reason = refusal(order);
    if (reason !== undefined) {
      this.#options.say(`refused: ${reason}`);
      throw new Error(reason);
    }
    this.#busy++;
    const unwanted = new AbortController();
    const timer = setInterval(() => {
      this.#redis.exists(wantedKey(order.suite)).then((found) => {
        if (found === 0) unwanted.abort();
      }, () => {});
    }, LOOK_EVERY);
    try {
      const words = [...entryWords(order.entry), ...order.more];
      const signal = AbortSignal.any([this.#end.signal, unwanted.signal]);
      const result = await runChild(words, { folder: order.folder, signal });
      this.#audits++;
      return replyTo(order, result);
    } finally {
      clearInterval(timer);
      this.#busy--;
      this.#activeAt = performance.now();
    }
  }
}

/** The reason to refuse an audit on this worker, if there is one. */
function refusal({ dpcheck, entry, folder, key }: AuditOrder): string | undefined {
  if (dpcheck !== VERSION) {
    return `audit ${entry.name} is of dpcheck ${dpcheck}, and this worker is ${VERSION}`;
  }
  let own: string;
  try {
    own = entryKey(entry, folder);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return own === key
    ? undefined
    : `audit ${entry.name} is of another program here: its files differ from those of the suite`;
}
