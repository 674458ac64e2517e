import { z } from "zod";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { fromPortable, toPortable } from "../shards/portable.ts";
import type { ShardSubject } from "../shards/shard_subject.ts";

/** The queue that all audits share. */
export const QUEUE = "dpcheck-shards";

/** Name of the connections of workers, by which audits count them. */
export const WORKER_NAME = "dpcheck-worker";

/** The key of an audit in Redis. */
export function auditKey(audit: string): string {
  return `dpcheck:audit:${audit}`;
}

/** An audit as workers read it: sent once, however many shards it has. */
export interface SentAudit {
  readonly dpcheck: string;
  readonly hash: string;
  readonly subject: ShardSubject;
  /** The subject's name in messages. */
  readonly name: string;
  readonly job: SentJob;
}

const count = z.number().int().nonnegative();

const task = z.strictObject({ shard: count, attempt: count, draws: count, goal: count });

/** The content of a job. */
export const shardOrder = z.strictObject({ audit: z.string(), task });

/** A job of the queue. */
export type ShardOrder = z.infer<typeof shardOrder>;

const result = z.strictObject({
  shard: count,
  attempt: count,
  drawsAsked: count,
  goal: count,
  draws: count,
  left: count,
  right: count,
  made: count,
  rightGuesses: count,
  counts: z.array(count).optional(),
  unanswered: z.strictObject({ left: count, right: count }).optional(),
  ended: z.boolean(),
});

const sender = {
  dpcheck: z.string(),
  audit: z.string(),
  hash: z.string(),
  seed: z.number(),
  /** The copy of the subject that drew. */
  copy: z.string(),
  signature: z.array(z.strictObject({ outputs: count, hash: z.string() })).optional(),
};

/** The answer of a worker: counts, a failure of the subject, or the loss of the process that drew. */
export const shardReply = z.union([
  z.strictObject({ ...sender, result }),
  z.strictObject({ ...sender, failure: z.string() }),
  z.strictObject({ ...sender, lost: z.literal(true) }),
]);

/** A reply of a worker. */
export type ShardReply = z.infer<typeof shardReply>;

/** The text of an audit. */
export function auditText(audit: Omit<SentAudit, "dpcheck">): string {
  return JSON.stringify(toPortable({ dpcheck: VERSION, ...audit }));
}

/** The audit of a text. @throws {TypeError} when the text is not an audit. */
export function auditFrom(text: string): SentAudit {
  return fromPortable(JSON.parse(text)) as SentAudit;
}
