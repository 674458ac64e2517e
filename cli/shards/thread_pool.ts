import type { ShardTask } from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { ShardRun } from "../../lib/judge/audit/sharded_counting.ts";
import type {
  CopySignature,
  KnownCopies,
} from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import type { ShardSubject } from "./shard_subject.ts";
import { DrawerLost } from "./drawer_lost.ts";
import type { ShardDrawer } from "./shard_drawer.ts";
import { shardDrawer } from "./open_shard_drawer.ts";

/** Number of threads that may be lost in a row. */
const MOST_LOST = 3;
/** Milliseconds in which an interrupted audit waits for the counts of shards that are stopped. */
const STOP_WAIT = 500;

/** Options of drawing shards in threads of this process. */
export interface PoolOptions {
  readonly subject: ShardSubject;
  /** The subject's name in messages. */
  readonly name: string;
  /** Threads. */
  readonly workers: number;
  readonly copies: KnownCopies;
  /** Called for each copy of the subject that has started. */
  readonly onCopy?: (copy: string, signature: CopySignature) => void;
  /** Called when a shard is counted. */
  readonly onCounted?: () => void;
}

/**
 * Draws all shards of a run in threads, each with a copy of the subject. A thread that is lost is replaced, and its shard drawn again; a
 * subject that fails ends the run. After the deadline no attempt is begun, and those under way are waited for, or, where counts of
 * a part can be kept, stopped. An interruption stops them all.
 *
 * @throws {SubjectFailure} when the subject fails, or threads are lost again and again.
 */
export async function drawInThreads(
  { job, ledger, deadline, signal }: ShardRun,
  { subject, name, workers, copies, onCopy, onCounted }: PoolOptions,
): Promise<void> {
  const threads = new Set<ShardDrawer>();
  let isEnding = false, lostInARow = 0;
  const stopAll = (): void => {
    isEnding = true;
    for (const thread of threads) thread.stop();
  };
  const start = async (): Promise<ShardDrawer> => {
    const thread = shardDrawer(subject, { name });
    threads.add(thread);
    const signature = await thread.open(job);
    if (signature !== undefined) {
      copies.add(thread.copy, signature);
      onCopy?.(thread.copy, signature);
    }
    return thread;
  };
  const work = async (): Promise<void> => {
    let thread: ShardDrawer | undefined;
    for (;;) {
      if (isEnding || performance.now() >= deadline) return;
      let task: ShardTask | undefined;
      try {
        thread ??= await start();
        task = isEnding ? undefined : ledger.begin();
        if (task === undefined) return;
        const taken = ledger.take(await thread.draw(task));
        if (typeof taken === "object") throw new Error(`a shard was refused: ${taken.refused}`);
        if (taken !== "counted") ledger.lose(task);
        lostInARow = 0;
        onCounted?.();
      } catch (error) {
        if (task !== undefined) ledger.lose(task);
        if (!(error instanceof DrawerLost)) throw error;
        if (isEnding) return;
        if (++lostInARow >= MOST_LOST) throw new SubjectFailure(error.message);
        threads.delete(thread!);
        thread = undefined;
      }
    }
  };
  const timer = !job.isFunctionOfSeed && deadline < Infinity
    ? setTimeout(stopAll, Math.max(0, Math.min(2 ** 31 - 1, deadline - performance.now())))
    : undefined;
  try {
    // A worker ends when no shard is left to begin. One that is lost later is begun again by the worker that lost it.
    const working = Promise.all(
      Array.from({ length: Math.min(workers, job.shards) }, () =>
        work().catch((error) => {
          stopAll();
          throw error;
        })),
    );
    await (signal === undefined ? working : untilAborted(working, { signal, onAbort: stopAll }));
  } finally {
    clearTimeout(timer);
    await Promise.all([...threads].map((thread) => thread.close()));
  }
}

/** Waits for `working`; when the signal is aborted, a moment longer. */
async function untilAborted(
  working: Promise<unknown>,
  { signal, onAbort }: { readonly signal: AbortSignal; readonly onAbort: () => void },
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined, abort: () => void = () => {};
  const late = new Promise<void>((resolve) => {
    abort = () => {
      onAbort();
      timer = setTimeout(resolve, STOP_WAIT);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  // Failures after an interruption are ignored.
  const quiet = working.catch((error) => {
    if (!signal.aborted) throw error;
  });
  try {
    await Promise.race([quiet, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
