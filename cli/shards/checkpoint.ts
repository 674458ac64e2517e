import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { CountingState } from "../../lib/judge/audit/sharded_counting.ts";
import { resultProblem } from "../../lib/judge/audit/kernel/shards/result_problem.ts";
import type { ShardJob, ShardResult } from "../../lib/judge/audit/kernel/shards/shard_job.ts";
import type { LedgerEvent } from "../../lib/judge/audit/kernel/shards/shard_ledger.ts";
import type { CopySignature } from "../../lib/judge/audit/kernel/copies/copy_signature.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { BadInput } from "../options/bad_input.ts";
import { FileLock } from "../options/file_lock.ts";
import { reasonOf } from "../options/reason_of.ts";
import { fromPortable, toPortable } from "./portable.ts";

/** A copy of the subject that has drawn. */
interface CopyEvent {
  readonly event: "copy";
  readonly copy: string;
  readonly signature: CopySignature;
}

/** A line of a checkpoint after its first. */
export type CheckpointEvent = LedgerEvent | CopyEvent;

/** The first line of a checkpoint: what audit it is of, and how far that was when its shards began. */
export interface CheckpointHead {
  /** The words that run the audit. */
  readonly words: readonly string[];
  readonly subjectHash: string;
  readonly state: CountingState;
}

/** A checkpoint that was read. */
export interface Checkpoint extends CheckpointHead {
  readonly events: readonly LedgerEvent[];
  readonly copies: readonly CopyEvent[];
  /** The file, locked against other processes. */
  readonly file: CheckpointFile;
}

const firstLine = z.strictObject({
  dpcheck: z.string(),
  sha256: z.string(),
  head: z.unknown(),
});

const attempt = { shard: z.int().min(0), attempt: z.int().min(1) };
const signature = z.array(z.strictObject({ outputs: z.int().min(1), hash: z.string() })).min(1);
/** The events of a job. A result is one that could have come through a queue. */
function eventOf(job: ShardJob): z.ZodType<CheckpointEvent> {
  return z.discriminatedUnion("event", [
    z.strictObject({ event: z.literal("started"), ...attempt }),
    z.strictObject({ event: z.literal("withdrawn"), ...attempt }),
    z.strictObject({
      event: z.literal("counted"),
      result: z.custom<ShardResult>((result) =>
        typeof result === "object" && result !== null &&
        resultProblem(result as ShardResult, job) === undefined
      ),
    }),
    z.strictObject({ event: z.literal("copy"), copy: z.string(), signature }),
  ]);
}

/**
 * The file of an audit whose shards are being drawn: JSON, a line for what was known when they began, then a line for each attempt before it
 * begins and when it is counted. So whenever the process ends, nothing that was counted is lost or counted twice. One audit at a time uses a file.
 */
export class CheckpointFile {
  /** Its path. */
  readonly path: string;
  readonly #lock: FileLock;

  private constructor(path: string, lock: FileLock) {
    this.path = path;
    this.#lock = lock;
  }

  /** Begins a file. @throws {Error} when it cannot be written, or another audit uses it. */
  static begin(path: string, head: CheckpointHead): CheckpointFile {
    mkdirSync(dirname(path), { recursive: true });
    const lock = lockOf(path);
    try {
      const text = JSON.stringify(toPortable(head));
      writeFileSync(
        path,
        `{"dpcheck":${JSON.stringify(VERSION)},"sha256":"${digestOf(text)}","head":${text}}\n`,
      );
    } catch (error) {
      lock.release();
      throw error;
    }
    return new CheckpointFile(path, lock);
  }

  /** Goes on with a file, of which `length` bytes are whole lines. */
  static goOn(path: string, { lock, length }: { lock: FileLock; length: number }): CheckpointFile {
    truncateSync(path, length);
    return new CheckpointFile(path, lock);
  }

  /** Adds an event. @throws {Error} when it cannot be written. */
  add(event: CheckpointEvent): void {
    appendFileSync(this.path, `${JSON.stringify(event)}\n`);
  }

  /** Removes the file. A device stays. */
  remove(): void {
    if (statSync(this.path, { throwIfNoEntry: false })?.isFile()) rmSync(this.path);
    this.close();
  }

  /** Closes the file, so that others may use it. */
  close(): void {
    this.#lock.release();
  }
}

/** @throws {Error} when another audit has it. */
function lockOf(path: string): FileLock {
  const lock = FileLock.take(`${path}.lock`);
  if (lock instanceof FileLock) return lock;
  throw new Error(
    `another audit uses it (process ${lock.pid} on ${lock.host}); if it does not run, remove ${path}.lock`,
  );
}

/**
 * Opens a checkpoint that was left.
 *
 * @throws {BadInput} when it is not a checkpoint, was changed, has another version, or is used by another audit.
 */
export function resumeCheckpoint(path: string): Checkpoint {
  const refuse = (rule: string): never => {
    throw new BadInput(`--resume ${path} ${rule}`);
  };
  const trying = <Value>(action: string, run: () => Value): Value => {
    try {
      return run();
    } catch (error) {
      return refuse(`cannot be ${action}: ${reasonOf(error)}`);
    }
  };
  trying("read", () => statSync(path));
  const lock = trying("used", () => lockOf(path));
  try {
    const text = trying("read", () => readFileSync(path, "utf8"));
    // The process may have ended within a line.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const [first = "", ...lines] = whole.split("\n").slice(0, -1);
    const head = headOf(first, refuse);
    const schema = eventOf(head.state.job);
    const events: LedgerEvent[] = [], copies: CopyEvent[] = [];
    for (const [at, line] of lines.entries()) {
      const { data: event } = schema.safeParse(valueOf(line));
      if (event === undefined) return refuse(`was changed: line ${at + 2} cannot be of its audit`);
      if (event.event === "copy") copies.push(event);
      else events.push(event);
    }
    const length = new TextEncoder().encode(whole).length;
    const file = trying("written", () => CheckpointFile.goOn(path, { lock, length }));
    return { ...head, events, copies, file };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function headOf(line: string, refuse: (rule: string) => never): CheckpointHead {
  const { data } = firstLine.safeParse(valueOf(line));
  if (data === undefined) return refuse("must be a checkpoint of dpcheck audit");
  const { dpcheck, sha256, head } = data;
  if (dpcheck !== VERSION) return refuse(`must be of dpcheck ${VERSION}: it is of ${dpcheck}`);
  if (digestOf(JSON.stringify(head)) !== sha256) {
    return refuse("was changed: its first line is not as it was written");
  }
  return fromPortable(head) as CheckpointHead;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The value of a line; `undefined` where it is not JSON. */
function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
