import { z } from "zod";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { fromPortable, toPortable } from "../shards/portable.ts";
import type { ShardSubject } from "../shards/shard_subject.ts";

/** The queue that all audits share. */
export const QUEUE = "dpcheck-shards";

/** What workers call their connection, so that audits see that there are some. */
export const WORKER_NAME = "dpcheck-worker";

/** Where an audit lies in Redis. */
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

/** What a job of the queue asks for. */
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

/** What a worker gives back: counts, or how the subject failed, or that what drew has ended. */
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
