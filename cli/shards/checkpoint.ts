import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { LedgerEvent } from "../../lib/audit/shards/shard_ledger.ts";
import type { CountingState } from "../../lib/audit/sharded_counting.ts";
import type { CopySignature } from "../../lib/audit/subjects/copies/copy_signature.ts";
import { VERSION } from "../../lib/audit/version.ts";
import { BadInput } from "../bad_input.ts";
import { reasonOf } from "../reason_of.ts";
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
}

/**
 * The file of an audit whose shards are being drawn: JSON, a line for what was known when they began, then a line for each attempt before it
 * begins and when it is counted. So whenever the process ends, nothing that was counted is lost or counted twice.
 */
export class CheckpointFile {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Begins a file, in place of one that is there. @throws {BadInput} when it cannot be written. */
  static begin(file: string, head: CheckpointHead): CheckpointFile {
    const line = JSON.stringify({ dpcheck: VERSION, ...(toPortable(head) as CheckpointHead) });
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${line}\n`);
    } catch (error) {
      throw new BadInput(`--checkpoint ${file} cannot be written: ${reasonOf(error)}`);
    }
    return new CheckpointFile(file);
  }

  /** Goes on with a file that was read. @throws {BadInput} when it cannot be written. */
  static goOn(file: string): CheckpointFile {
    try {
      closeSync(openSync(file, "a"));
      // A last line that was cut off must not begin the next one.
      if (!readFileSync(file, "utf8").endsWith("\n")) appendFileSync(file, "\n");
    } catch (error) {
      throw new BadInput(`--resume ${file} cannot be written: ${reasonOf(error)}`);
    }
    return new CheckpointFile(file);
  }

  /** Adds what happened. */
  add(event: CheckpointEvent): void {
    appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
  }

  /** Removes the file: the audit has its report. A device stays. */
  remove(): void {
    if (statSync(this.#file, { throwIfNoEntry: false })?.isFile()) rmSync(this.#file);
  }
}

/** Reads a checkpoint. @throws {BadInput} when it is none, or one of another version. */
export function readCheckpoint(file: string): Checkpoint {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new BadInput(`--resume ${file} cannot be read: ${reasonOf(error)}`);
  }
  const [first, ...lines] = text.split("\n");
  const head = headOf(first!, file);
  const events: LedgerEvent[] = [], copies: CopyEvent[] = [];
  for (const line of lines) {
    const event = eventOf(line);
    if (event?.event === "copy") copies.push(event);
    else if (event !== undefined) events.push(event);
  }
  return { ...head, events, copies };
}

function headOf(line: string, file: string): CheckpointHead {
  let head: CheckpointHead & { readonly dpcheck?: unknown };
  try {
    head = fromPortable(JSON.parse(line)) as typeof head;
  } catch {
    throw new BadInput(`--resume ${file} must be a checkpoint of dpcheck audit`);
  }
  if (
    typeof head !== "object" || head === null || !Array.isArray(head.words) ||
    head.state === undefined
  ) {
    throw new BadInput(`--resume ${file} must be a checkpoint of dpcheck audit`);
  }
  if (head.dpcheck !== VERSION) {
    throw new BadInput(`--resume ${file} must be of dpcheck ${VERSION}: it is of ${head.dpcheck}`);
  }
  return head;
}

/** The event of a line; `undefined` where the line was cut off: the process ended while it was written. */
function eventOf(line: string): CheckpointEvent | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
