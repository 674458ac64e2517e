/**
 * The worker of `ShardThread`: a thread that draws shards and gives back counts.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import type { ShardResult, ShardTask } from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { CopySignature } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { Heartbeat } from "../../lib/judge/audit/subjects/thread/heartbeat.ts";
import {
  drawTask,
  openForShards,
  type OpenShards,
  type ShardSubject,
  signatureOf,
} from "./shard_subject.ts";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";

/** A message to the thread; they are answered in their order. */
export type ShardRequest =
  | {
    readonly kind: "open";
    readonly subject: ShardSubject;
    readonly job: SentJob;
    /** Seeds what is drawn to tell this copy from others. */
    readonly copy: string;
    readonly heartbeat: SharedArrayBuffer;
    /** Its first number is 1 when a shard is to be stopped. */
    readonly stop: SharedArrayBuffer;
  }
  | { readonly kind: "draw"; readonly task: ShardTask };

/** The answers. */
export type ShardAnswer =
  /** The signature is absent where outputs are a function of the seed. */
  | { readonly kind: "opened"; readonly signature?: CopySignature }
  | { readonly kind: "drawn"; readonly result: ShardResult }
  /** The subject failed, or could not be opened. */
  | { readonly kind: "failed"; readonly message: string };

const asker = parentPort!;

let open: OpenShards | undefined;
let job: SentJob;
let stop: Int32Array;
let beat: () => void;
let last: Promise<void> = Promise.resolve();

async function opened(request: Extract<ShardRequest, { kind: "open" }>): Promise<void> {
  const { copy } = request;
  ({ job } = request);
  stop = new Int32Array(request.stop);
  const heartbeat = new Heartbeat(request.heartbeat);
  beat = () => heartbeat.beat();
  open = await openForShards(request.subject, { onOutput: beat });
  const signature = await signatureOf(open, { job, copy });
  answer({ kind: "opened", ...(signature === undefined ? {} : { signature }) });
}

async function draw(task: ShardTask): Promise<void> {
  const isStopped = (): boolean => {
    beat();
    return Atomics.load(stop, 0) !== 0;
  };
  answer({ kind: "drawn", result: await drawTask(open!, { job, task, isStopped }) });
}

function answer(message: ShardAnswer): void {
  asker.postMessage(message);
}

function failed(error: unknown): void {
  const message = (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
  answer({ kind: "failed", message });
}

asker.on("message", (request: ShardRequest) => {
  last = last.then(() => request.kind === "open" ? opened(request) : draw(request.task))
    .catch(failed);
});
