import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { LedgerEvent } from "../../lib/judge/audit/kernel/shards/shard_ledger.ts";
import type { ShardedCounting, ShardRun } from "../../lib/judge/audit/sharded_counting.ts";
import {
  type CopySignature,
  KnownCopies,
} from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import type { Claim } from "../../lib/core/claims/claim.ts";
import type { AuditArguments } from "../options/command_options.ts";
import { BadInput } from "../options/bad_input.ts";
import { reasonOf } from "../options/reason_of.ts";
import { say } from "../options/say.ts";
import {
  type Checkpoint,
  type CheckpointEvent,
  CheckpointFile,
  type CheckpointHead,
} from "./checkpoint.ts";
import { ShardProgress } from "./shard_progress.ts";
import { isFunctionOfSeed, type ShardSubject } from "./shard_subject.ts";
import { subjectHash } from "./subject_hash.ts";
import { drawInThreads } from "./thread_pool.ts";

/** Tells if the end of an audit with these options is drawn in shards. */
export function isSharded(options: AuditArguments): boolean {
  const { fullBudget, mechanism, module, exec, workers = 1, queue, all, oneAtATime } = options;
  if (queue !== undefined) return true;
  // Each of the audits of --all leaves out other outputs; shards are drawn at the same time.
  return fullBudget === true && all !== true && oneAtATime !== true &&
    (mechanism !== undefined || module !== undefined || (exec !== undefined && workers > 1));
}

/** Refuses options that do not go with shards. @throws {BadInput} naming them. */
export function checkShardOptions(options: AuditArguments): void {
  const { queue, checkpoint, fullBudget, samples, url, all, maxDraws, workers, oneAtATime } =
    options;
  if (oneAtATime && workers !== undefined && workers > 1) {
    throw new BadInput(
      `--one-at-a-time cannot be given with --workers ${workers}: copies draw at the same time`,
    );
  }
  const wished = queue !== undefined ? "--queue" : `--checkpoint ${checkpoint}`;
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
  if (oneAtATime) {
    throw new BadInput(
      `${wished} cannot be given with --one-at-a-time: shards are drawn at the same time`,
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
  /** Removes the checkpoint of an audit that has its report, or says where that of an interrupted one is. */
  readonly finish: (isInterrupted: boolean) => void;
  /** Closes the checkpoint, so that others may use it. */
  readonly close: () => void;
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
  /** Says something that logs should have too. */
  readonly onNotice: (sentence: string) => void;
}) => Promise<void>;

/** Prepares the shards of an audit, drawn by `draw` or by threads here. @throws {BadInput} when they cannot be drawn. */
export function shardedAudit(
  options: AuditArguments,
  { subject, name, words, resumed, draw }: {
    readonly subject: ShardSubject;
    /** The subject's name in messages. */
    readonly name: string;
    /** The words that run the audit again. */
    readonly words: readonly string[];
    /** The checkpoint that is resumed, and its file. */
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
  const checkpoint = new AuditCheckpoint(options.checkpoint, resumed?.file);
  const { workers = options.exec === undefined ? availableParallelism() : 1 } = options;
  const counting: ShardedCounting = {
    isFunctionOfSeed: isFunctionOfSeed(subject),
    async run(run): Promise<void> {
      const progress = new ShardProgress(run.ledger);
      const told = {
        hash,
        subject,
        name,
        copies,
        onCopy: (copy: string, signature: CopySignature) =>
          checkpoint.add({ event: "copy", copy, signature }),
        onCounted: () => progress.show(),
        onWait: (note: string) => progress.show(note),
        onNotice: (sentence: string): void => {
          progress.clear();
          say(`${sentence}${checkpoint.note}`);
        },
      };
      try {
        await (draw ?? ((own, told) => drawInThreads(own, { ...told, workers })))(run, told);
      } finally {
        progress.clear();
      }
    },
    begun(state): (event: LedgerEvent) => void {
      checkpoint.begin({ words, subjectHash: hash, state });
      return (event) => checkpoint.add(event);
    },
    ...(resumed === undefined ? {} : {
      resumed: { ...resumed, record: (event) => checkpoint.add(event) },
    }),
  };
  return {
    counting,
    finish: (isInterrupted) => isInterrupted ? checkpoint.show() : checkpoint.remove(),
    close: () => checkpoint.close(),
  };
}

/** The checkpoint of an audit: where the user wants it, or in .dpcheck under a name of its own. */
class AuditCheckpoint {
  readonly #wished: string | undefined;
  #file: CheckpointFile | undefined;

  /** Goes on with `file`, where there is one. @throws {BadInput} when the file that the user wants is there already. */
  constructor(wished: string | undefined, file: CheckpointFile | undefined) {
    this.#wished = wished ?? file?.path;
    this.#file = file;
    if (wished === undefined || !statSync(wished, { throwIfNoEntry: false })?.isFile()) return;
    throw new BadInput(
      `--checkpoint ${wished} must be a new file: --resume ${wished} goes on with a checkpoint`,
    );
  }

  /** @throws {BadInput} when the file that the user wants cannot be written. */
  begin(head: CheckpointHead): void {
    const path = this.#wished ?? freePath(head);
    try {
      this.#file = CheckpointFile.begin(path, head);
    } catch (error) {
      this.#broken(path, error);
    }
  }

  /** @throws {BadInput} when the file that the user wants cannot be written. */
  add(event: CheckpointEvent): void {
    try {
      this.#file?.add(event);
    } catch (error) {
      this.#broken(this.#file!.path, error);
    }
  }

  /** When a checkpoint that was not asked for cannot be written, the audit goes on without it. The file is removed, for it lacks an attempt. */
  #broken(path: string, error: unknown): void {
    const reason = `${path} cannot be written: ${reasonOf(error)}`;
    if (this.#wished !== undefined) {
      const kept = this.#file === undefined
        ? ""
        : `; --resume ${path} goes on with what was counted`;
      throw new BadInput(`the checkpoint ${reason}${kept}`);
    }
    this.remove();
    say(`the audit goes on without a checkpoint: ${reason}`);
  }

  remove(): void {
    this.#file?.remove();
    this.#file = undefined;
  }

  /** The end of a sentence that names the file of the counts. */
  get note(): string {
    return this.#file === undefined ? "" : ` (what was counted is in ${this.#file.path})`;
  }

  show(): void {
    if (this.#file === undefined) return;
    const { path } = this.#file;
    say(`what was counted is in ${path}: dpcheck audit --resume ${path} goes on`);
  }

  close(): void {
    this.#file?.close();
  }
}

/** A path in .dpcheck that tells subject, claim, options and seed, and is free. */
function freePath({ words, subjectHash }: CheckpointHead): string {
  const hash = createHash("sha256").update(JSON.stringify([subjectHash, words])).digest("hex");
  const name = join(".dpcheck", hash.slice(0, 16));
  for (let number = 1;; number++) {
    const path = `${name}${number === 1 ? "" : `-${number}`}.checkpoint`;
    if (!existsSync(path) && !existsSync(`${path}.lock`)) return path;
  }
}
