import type { ShardResult, ShardTask } from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { CopySignature } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import type { ShardDrawer } from "./shard_drawer.ts";
import {
  drawTask,
  openForShards,
  type OpenShards,
  type ShardSubject,
  signatureOf,
} from "./shard_subject.ts";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";

/** Draws shards from a program that is started once. Its outputs are counted in this thread, a batch at a time. */
export class ProgramDrawer implements ShardDrawer {
  readonly #subject: ShardSubject;
  #open: OpenShards | undefined;
  #job: SentJob | undefined;
  #isStopped = false;
  readonly copy: string = crypto.randomUUID();

  /** Starts nothing yet. */
  constructor(subject: ShardSubject) {
    this.#subject = subject;
  }

  async open(job: SentJob): Promise<CopySignature | undefined> {
    this.#job = job;
    try {
      this.#open = await openForShards(this.#subject, { onOutput: () => {} });
    } catch (error) {
      if (error instanceof RangeError) throw new SubjectFailure(error.message);
      throw error;
    }
    return await signatureOf(this.#open, { job, copy: this.copy });
  }

  async draw(task: ShardTask): Promise<ShardResult> {
    return await drawTask(this.#open!, { job: this.#job!, task, isStopped: () => this.#isStopped });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async close(): Promise<void> {
    await this.#open?.close();
  }
}
