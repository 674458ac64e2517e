import { changedSubject } from "../../lib/judge/audit/changed_subject.ts";
import { drawShard, type ShardDrawing } from "../../lib/judge/audit/kernel/shards/draw_shard.ts";
import {
  type ShardResult,
  type ShardTask,
  sourceOf,
} from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import {
  type CopySignature,
  copySignature,
} from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { LeafCounter } from "../../lib/judge/audit/model/prediction/leaf_counter.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import type { PairOutputs } from "../../lib/judge/audit/kernel/outputs.ts";
import { loadExport } from "../../lib/judge/audit/subjects/thread/load_export.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import type { RegistryOptions } from "../../lib/dp/mechanisms/registry.ts";
import { shippedNamed } from "../../lib/dp/tables/registry.ts";
import type { SentJob } from "../../lib/judge/audit/sharded_counting.ts";

/** A subject as plain values: how a thread, on this machine or another one, opens it. */
export type ShardSubject =
  & (
    | { readonly kind: "mechanism"; readonly name: string; readonly numbers: RegistryOptions }
    | { readonly kind: "module"; readonly specifier: string }
    | {
      readonly kind: "exec";
      readonly command: string;
      readonly independent: boolean;
      readonly answersOn: number;
    }
  )
  & {
    /** Seconds that an output may take. */
    readonly timeout: number;
    /** Public rows before every dataset. */
    readonly withRows: readonly unknown[];
    /** Events whose outputs are left out. */
    readonly except: readonly string[];
  };

/** Tells if its outputs depend on the given source alone, as those of shipped mechanisms do. */
export function isFunctionOfSeed({ kind }: ShardSubject): boolean {
  return kind === "mechanism";
}

/** An open subject that shards are drawn from, one after the other. */
export interface OpenShards {
  /** The subject of one shard. */
  readonly subject: (source: Source) => Subject;
  /** The draws of each batch; absent where they may follow its speed. */
  readonly batch: ShardDrawing["batch"];
  readonly close: () => Promise<void>;
}

/** Draws of a batch where outputs come in blocks, and where they come one by one. */
const BATCH = { blocks: 1 << 15, single: 1 << 9 };

/**
 * Opens a subject. `onOutput` is called for outputs of modules.
 *
 * @throws {RangeError} when it cannot be opened here.
 */
export async function openForShards(
  spec: ShardSubject,
  { onOutput }: { readonly onOutput: () => void },
): Promise<OpenShards> {
  const close = (): Promise<void> => Promise.resolve();
  switch (spec.kind) {
    case "mechanism": {
      const mechanism = shippedNamed(spec.name, spec.numbers);
      return {
        subject: (source) =>
          changedSubject(mechanismSubject(mechanism, { source, onOutput }), spec),
        batch: mechanism.sampleMany === undefined ? BATCH.single : BATCH.blocks,
        close,
      };
    }
    case "module": {
      const exported = await loadExport(spec.specifier);
      if (exported.kind === "mechanism") {
        const { mechanism } = exported;
        return {
          subject: (source) =>
            changedSubject(mechanismSubject(mechanism, { source, onOutput }), spec),
          batch: mechanism.sampleMany === undefined ? BATCH.single : BATCH.blocks,
          close,
        };
      }
      const options = { name: spec.specifier, timeoutSeconds: spec.timeout, onOutput };
      return {
        subject: (source) =>
          changedSubject(functionSubject(exported.run, { ...options, source }), spec),
        batch: BATCH.single,
        close,
      };
    }
    case "exec": {
      const { command, independent, answersOn, timeout: timeoutSeconds } = spec;
      const program = processSubject(command, { independent, answersOn, timeoutSeconds });
      const subject = changedSubject(program, spec);
      return {
        subject: () => subject,
        batch: undefined,
        close: () => subject.close(),
      };
    }
  }
}

/** Draws a task from an open subject. @throws {SubjectFailure} when the subject fails. */
export async function drawTask(
  { subject, batch }: OpenShards,
  { job, task, isStopped }: {
    readonly job: SentJob;
    readonly task: ShardTask;
    readonly isStopped: () => boolean;
  },
): Promise<ShardResult> {
  const counter = new LeafCounter(job.predictor);
  const count = (sides: PairOutputs): Float64Array => counter.count(sides);
  const own = subject(sourceOf(job, task).split("subject"));
  return await drawShard(own, {
    job,
    task,
    count,
    isStopped,
    ...(batch === undefined ? {} : { batch }),
  });
}

/**
 * The signature that tells an open copy from others; `undefined` where outputs are a function of the seed, for nothing is shared
 * then. `copy` seeds what is drawn for it.
 */
export async function signatureOf(
  { subject }: OpenShards,
  { job, copy }: { readonly job: SentJob; readonly copy: string },
): Promise<CopySignature | undefined> {
  if (job.isFunctionOfSeed) return undefined;
  return await copySignature(subject(new SeededSource(copy)), job.pair.left);
}
