import { Worker } from "node:worker_threads";
import type { ShardResult, ShardTask } from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { CopySignature } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { Heartbeat } from "../../lib/judge/audit/subjects/thread/heartbeat.ts";
import { siblingOf } from "../../lib/judge/audit/subjects/thread/sibling_of.ts";
import { DrawerLost } from "./drawer_lost.ts";
import type { ShardDrawer } from "./shard_drawer.ts";
import type { ShardSubject } from "./shard_subject.ts";
import type { ShardAnswer, ShardRequest } from "./shard_worker.ts";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";

/** A thread that draws shards of one audit: the end in the thread that asks. */
export class ShardThread implements ShardDrawer {
  readonly #worker = new Worker(new URL(siblingOf(import.meta.url, "shard_worker")));
  readonly #heartbeat = new Heartbeat();
  readonly #stop = new SharedArrayBuffer(4);
  readonly #subject: ShardSubject;
  readonly #name: string;
  #end: Error | undefined;
  #waiting: { resolve(answer: ShardAnswer): void; reject(error: Error): void } | undefined;
  readonly copy: string = crypto.randomUUID();

  /** Starts the thread; messages call the subject `name`. */
  constructor(subject: ShardSubject, { name }: { readonly name: string }) {
    this.#subject = subject;
    this.#name = name;
    this.#worker.on("message", (answer: ShardAnswer) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.resolve(answer);
    });
    this.#worker.on("error", (error: Error) => this.#lose(new DrawerLost(error.message)));
    this.#worker.on("exit", () => this.#lose(new DrawerLost(`${name} ended its thread`)));
  }

  async open(job: SentJob): Promise<CopySignature | undefined> {
    const answer = await this.#ask({
      kind: "open",
      subject: this.#subject,
      job,
      copy: this.copy,
      heartbeat: this.#heartbeat.memory,
      stop: this.#stop,
    });
    return answer.kind === "opened" ? answer.signature : undefined;
  }

  async draw(task: ShardTask): Promise<ShardResult> {
    const answer = await this.#ask({ kind: "draw", task });
    if (answer.kind !== "drawn") throw new DrawerLost("the thread answered something else");
    return answer.result;
  }

  stop(): void {
    Atomics.store(new Int32Array(this.#stop), 0, 1);
  }

  close(): Promise<void> {
    this.#lose(new DrawerLost(`${this.#name} was closed`));
    return Promise.resolve();
  }

  async #ask(request: ShardRequest): Promise<ShardAnswer> {
    if (this.#end !== undefined) throw this.#end;
    const { timeout } = this.#subject;
    const stopWatch = this.#heartbeat.watch(
      timeout * 1000,
      () => this.#lose(new SubjectFailure(`${this.#name} hung: it drew nothing for ${timeout} s`)),
    );
    try {
      const answer = await new Promise<ShardAnswer>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#worker.postMessage(request);
      });
      if (answer.kind === "failed") throw new SubjectFailure(answer.message);
      return answer;
    } finally {
      stopWatch();
    }
  }

  #lose(error: Error): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    void this.#worker.terminate();
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}
