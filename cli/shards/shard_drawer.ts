import type { ShardResult, ShardTask } from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { CopySignature } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";

/** Draws shards of one audit, one after the other, from its own copy of the subject. */
export interface ShardDrawer {
  /** The name of the copy. */
  readonly copy: string;
  /**
   * Opens the subject for a job. The signature tells its copy from others; it is `undefined` where outputs are a function of the seed.
   *
   * @throws {SubjectFailure} when it cannot be opened, or hangs.
   */
  open(job: SentJob): Promise<CopySignature | undefined>;
  /**
   * Draws a task.
   *
   * @throws {SubjectFailure} when the subject fails or hangs.
   * @throws {DrawerLost} when its thread ends.
   */
  draw(task: ShardTask): Promise<ShardResult>;
  /** Stops the shard that is being drawn after its batch; its counts so far are given. */
  stop(): void;
  /** Ends the subject. */
  close(): Promise<void>;
}
