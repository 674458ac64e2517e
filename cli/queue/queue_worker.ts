import type { Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { CopySignature } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";
import type { ShardDrawer } from "../shards/shard_drawer.ts";
import { shardDrawer } from "../shards/open_shard_drawer.ts";
import { subjectHash } from "../shards/subject_hash.ts";
import {
  auditFrom,
  auditKey,
  QUEUE,
  type SentAudit,
  type ShardOrder,
  shardOrder,
  type ShardReply,
  WORKER_NAME,
} from "./messages.ts";
import { listening, type WorkerOptions } from "./listening.ts";
import { connectToRedis } from "./redis_connection.ts";

/** Seconds after which what was opened for an audit is closed, when no shard of it comes, and between looks whether it is still in Redis. */
const IDLE_SECONDS = 30, LOOK_SECONDS = 2;
/** Times that a job may return from workers that died or froze. */
const MOST_STALLED = 1000;

/** A drawer that has opened its subject. */
interface Opened {
  readonly drawer: ShardDrawer;
  readonly signature: CopySignature | undefined;
}

/** The open subject of an audit, on a worker. */
interface KnownAudit {
  readonly sent: SentAudit;
  readonly idle: Opened[];
  /** Shards of it that are drawn now. */
  busy: number;
  usedAt: number;
  /** Set once its subjects are closed: one that a late shard opens is closed at once. */
  isForgotten: boolean;
}

/** Draws shards of audits that were begun elsewhere, until it is closed. */
export class QueueWorker {
  readonly #options: WorkerOptions;
  readonly #redis: Redis;
  readonly #worker: Worker;
  /** Each is read once, however many of its shards come at the same time. */
  readonly #audits = new Map<string, Promise<KnownAudit>>();
  /** Those that draw now. */
  readonly #busy = new Set<ShardDrawer>();
  readonly #refused = new Set<string>();
  readonly #sweep: ReturnType<typeof setInterval>;
  #drawn = 0;
  #activeAt = performance.now();

  private constructor(redis: Redis, options: WorkerOptions) {
    this.#options = options;
    this.#redis = redis;
    this.#worker = listening(QUEUE, {
      ...options,
      redis,
      run: async (job) => await this.#draw(job),
      mostStalled: MOST_STALLED,
    });
    this.#sweep = setInterval(() => void this.#closeIdle().catch(() => {}), 1000 * LOOK_SECONDS);
  }

  /** Begins to listen. @throws {BadInput} when Redis cannot be used. */
  static async listen(options: WorkerOptions): Promise<QueueWorker> {
    const redis = await connectToRedis(options.url, {
      connectionName: WORKER_NAME,
      say: options.say,
    });
    return new QueueWorker(redis, options);
  }

  /** Seconds since a shard was begun or ended; 0 while one is being drawn. */
  get idleSeconds(): number {
    return this.#busy.size > 0 ? 0 : (performance.now() - this.#activeAt) / 1000;
  }

  /** Shards drawn so far. */
  get drawn(): number {
    return this.#drawn;
  }

  /** Stops the shards that are being drawn after their batches, gives their counts back, and ends. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    for (const drawer of this.#busy) drawer.stop();
    await this.#worker.close();
    for (const audit of [...this.#audits.keys()]) await this.#forget(audit);
    this.#redis.disconnect();
  }

  async #draw(job: Job): Promise<ShardReply> {
    const { audit, task } = shardOrder.parse(job.data);
    const known = await this.#known(audit);
    const { sent } = known;
    known.busy++;
    try {
      const { drawer, signature } = known.idle.pop() ?? await this.#open(sent);
      return await this.#drawWith({ drawer, signature }, { job, audit, task, known });
    } finally {
      known.busy--;
      known.usedAt = this.#activeAt = performance.now();
    }
  }

  async #drawWith(
    { drawer, signature }: Opened,
    { job, audit, task, known }: ShardOrder & { readonly job: Job; readonly known: KnownAudit },
  ): Promise<ShardReply> {
    const { sent } = known;
    this.#busy.add(drawer);
    const sender = {
      dpcheck: VERSION,
      audit,
      hash: sent.hash,
      seed: sent.job.seed,
      copy: drawer.copy,
      ...(signature && { signature: [...signature] }),
    };
    // Each time that the job was handed out is an attempt, but for those that were refused before anything was drawn.
    const before = job.attemptsStarted - job.attemptsMade - 1;
    const attempt = sent.job.isFunctionOfSeed ? 1 : task.attempt + before;
    try {
      const { counts, ...numbers } = await drawer.draw({ ...task, attempt });
      if (numbers.ended && !known.isForgotten) known.idle.push({ drawer, signature });
      else await drawer.close();
      this.#drawn++;
      return { ...sender, result: { ...numbers, ...(counts && { counts: [...counts] }) } };
    } catch (error) {
      await drawer.close();
      // A thrown error would be a refusal, but this shard has begun to draw.
      if (!(error instanceof SubjectFailure)) return { ...sender, lost: true };
      return { ...sender, failure: error.message };
    } finally {
      this.#busy.delete(drawer);
    }
  }

  /** An audit, read once. @throws {Error} when it is refused: another worker may take the job. */
  #known(audit: string): Promise<KnownAudit> {
    const before = this.#audits.get(audit);
    if (before !== undefined) return before;
    const known = this.#read(audit);
    this.#audits.set(audit, known);
    // A refused audit is tried again, for its files may have arrived.
    known.catch(() => this.#audits.delete(audit));
    return known;
  }

  async #read(audit: string): Promise<KnownAudit> {
    const text = await this.#redis.get(auditKey(audit));
    if (text === null) throw new Error("the audit is not in Redis any more");
    const sent = auditFrom(text), reason = refusal(sent);
    if (reason !== undefined) this.#refuse(audit, reason);
    return { sent, idle: [], busy: 0, usedAt: performance.now(), isForgotten: false };
  }

  async #open(sent: SentAudit): Promise<Opened> {
    const drawer = shardDrawer(sent.subject, { name: sent.name });
    try {
      return { drawer, signature: await drawer.open(sent.job) };
    } catch (error) {
      await drawer.close();
      return this.#refuse(sent.hash, error instanceof Error ? error.message : String(error));
    }
  }

  /** Says once of an audit why its shards are not drawn here. */
  #refuse(audit: string, reason: string): never {
    if (!this.#refused.has(audit)) this.#options.say(`refused: ${reason}`);
    this.#refused.add(audit);
    throw new Error(reason);
  }

  /** Closes what was opened for audits that have ended, or that send nothing. */
  async #closeIdle(): Promise<void> {
    for (const [audit, known] of [...this.#audits]) {
      const { busy, usedAt } = await known;
      if (busy > 0) continue;
      const isLate = performance.now() - usedAt >= 1000 * IDLE_SECONDS;
      if (isLate || await this.#redis.exists(auditKey(audit)) === 0) await this.#forget(audit);
    }
  }

  async #forget(audit: string): Promise<void> {
    const known = this.#audits.get(audit);
    if (known === undefined) return;
    const own = await known;
    // A shard that arrived meanwhile keeps the subject.
    if (own.busy > 0) return;
    own.isForgotten = true;
    this.#audits.delete(audit);
    await Promise.all(own.idle.splice(0).map(({ drawer }) => drawer.close()));
  }
}

/** The reason to refuse shards of an audit on this worker, if there is one. */
function refusal({ dpcheck, hash, subject, name }: SentAudit): string | undefined {
  if (dpcheck !== VERSION) {
    return `the audit is of dpcheck ${dpcheck}, and this worker is ${VERSION}`;
  }
  let own: string;
  try {
    own = subjectHash(subject);
  } catch (error) {
    return `${name} cannot be read here: ${error instanceof Error ? error.message : error}`;
  }
  return own === hash
    ? undefined
    : `${name} is another program here: its files differ from those of the audit`;
}
