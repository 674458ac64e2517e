import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { LedgerEvent } from "../../lib/audit/shards/shard_ledger.ts";
import type { ShardedCounting, ShardRun } from "../../lib/audit/sharded_counting.ts";
import { type CopySignature, KnownCopies } from "../../lib/audit/subjects/copies/copy_signature.ts";
import type { Claim } from "../../lib/core/claim.ts";
import type { AuditArguments } from "../audit_arguments.ts";
import { BadInput } from "../bad_input.ts";
import { type Checkpoint, CheckpointFile } from "./checkpoint.ts";
import { ShardProgress } from "./shard_progress.ts";
import { isFunctionOfSeed, type ShardSubject } from "./shard_subject.ts";
import { subjectHash } from "./subject_hash.ts";
import { drawInThreads } from "./thread_pool.ts";

/** Whether the end of an audit with these options is drawn in shards. */
export function isSharded(options: AuditArguments): boolean {
  const { fullBudget, mechanism, module, exec, workers = 1, queue, all } = options;
  if (queue !== undefined) return true;
  // Each of the audits of --all leaves out other outputs.
  return fullBudget === true && all !== true &&
    (mechanism !== undefined || module !== undefined || (exec !== undefined && workers > 1));
}

/** Refuses options that do not go with shards. @throws {BadInput} naming them. */
export function checkShardOptions(options: AuditArguments): void {
  const { queue, checkpoint, fullBudget, samples, url, all, maxDraws } = options;
  const wished = queue !== undefined ? `--queue ${queue}` : `--checkpoint ${checkpoint}`;
  if (queue === undefined && checkpoint === undefined) return;
  if (fullBudget !== true) {
    throw new BadInput(
      `${wished} goes with --full-budget: a quick audit ends at its first refutation`,
    );
  }
  if (samples !== undefined) {
    throw new BadInput(`${wished} cannot be given with --samples: nothing is drawn`);
  }
  if (url !== undefined) {
    throw new BadInput(`${wished} cannot be given with --url: there is one endpoint`);
  }
  if (queue !== undefined && maxDraws === undefined) {
    throw new BadInput(
      `${wished} needs --max-draws: how many draws fit in before a deadline is not known of other machines`,
    );
  }
  if (all) throw new BadInput(`${wished} cannot be given with --all: one audit has one checkpoint`);
  if (!isSharded(options)) {
    throw new BadInput(`${wished} needs --workers above 1: a program alone draws in no shards`);
  }
}

/** The subject of the options as plain values. */
export function shardSubjectOf(
  options: AuditArguments,
  { claim, withRows }: { readonly claim: Claim; readonly withRows: readonly unknown[] },
): ShardSubject {
  const { mechanism, module, exec, timeout, except = [] } = options;
  const beside = { timeout, withRows, except };
  if (mechanism !== undefined) {
    const { epsilon = 0, delta } = claim as { epsilon?: number; delta?: number };
    return {
      kind: "mechanism",
      name: mechanism,
      numbers: { epsilon, ...(delta === undefined ? {} : { delta }) },
      ...beside,
    };
  }
  if (module !== undefined) return { kind: "module", specifier: module, ...beside };
  return {
    kind: "exec",
    command: exec!,
    independent: options.independent ?? false,
    answersOn: options.fd ?? 1,
    ...beside,
  };
}

/** The shards of one audit, and its checkpoint. */
export interface ShardedAudit {
  readonly counting: ShardedCounting;
  /** Removes the checkpoint, or says where it is. */
  readonly finish: (isInterrupted: boolean) => void;
}

/** Draws a run somewhere, and tells of copies of the subject and of shards that were counted. */
export type DrawShards = (run: ShardRun, told: {
  readonly hash: string;
  readonly subject: ShardSubject;
  /** The subject's name in messages. */
  readonly name: string;
  readonly copies: KnownCopies;
  readonly onCopy: (copy: string, signature: CopySignature) => void;
  readonly onCounted: () => void;
  /** Says what is waited for. */
  readonly onWait: (note: string) => void;
}) => Promise<void>;

/** How the end of the audit of these options is drawn: in threads here, or by `draw`. @throws {BadInput} when it cannot be. */
export function shardedAudit(
  options: AuditArguments,
  { subject, name, words, resumed, draw }: {
    readonly subject: ShardSubject;
    /** The subject's name in messages. */
    readonly name: string;
    /** The words that run the audit again. */
    readonly words: readonly string[];
    /** The checkpoint that is taken up, and its file. */
    readonly resumed: Checkpoint | undefined;
    readonly draw: DrawShards | undefined;
  },
): ShardedAudit {
  const hash = subjectHash(subject);
  if (resumed !== undefined && resumed.subjectHash !== hash) {
    throw new BadInput(
      `--resume ${options.resume} must be of this subject: its files or options have changed`,
    );
  }
  const copies = new KnownCopies(name);
  for (const { copy, signature } of resumed?.copies ?? []) copies.add(copy, signature);
  const path = options.resume ?? options.checkpoint ??
    join(".dpcheck", `${words.at(-1)}.checkpoint`);
  const { workers = options.exec === undefined ? availableParallelism() : 1 } = options;
  let file: CheckpointFile | undefined;
  const counting: ShardedCounting = {
    isFunctionOfSeed: isFunctionOfSeed(subject),
    workers,
    async run(run): Promise<void> {
      const progress = new ShardProgress(run.ledger);
      const told = {
        hash,
        subject,
        name,
        copies,
        onCopy: (copy: string, signature: CopySignature) =>
          file?.add({ event: "copy", copy, signature }),
        onCounted: () => progress.show(),
        onWait: (note: string) => progress.show(note),
      };
      try {
        await (draw ?? ((own, told) => drawInThreads(own, { ...told, workers })))(run, told);
      } finally {
        progress.clear();
      }
    },
    begun(state): (event: LedgerEvent) => void {
      try {
        file = CheckpointFile.begin(path, { words, subjectHash: hash, state });
      } catch (error) {
        // Without --checkpoint nobody asked for one.
        if (options.checkpoint !== undefined) throw error;
      }
      return (event) => file?.add(event);
    },
    ...(resumed === undefined ? {} : {
      resumed: {
        state: resumed.state,
        events: resumed.events,
        record: (event) => (file ??= CheckpointFile.goOn(path)).add(event),
      },
    }),
  };
  return {
    counting,
    finish(isInterrupted: boolean): void {
      if (file === undefined) return;
      if (!isInterrupted) return file.remove();
      process.stderr.write(
        `dpcheck: what was counted is in ${path}: dpcheck audit --resume ${path} goes on\n`,
      );
    },
  };
}
