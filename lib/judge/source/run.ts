import { TextMap } from "./intrinsics.ts";
import { operationOf, type Traced } from "./traced.ts";

/** A place at which a program asked whether a value is true. */
export interface Condition {
  /** The value that was asked. */
  readonly condition: Traced;
  /** `FILE:LINE`. */
  readonly at: string;
  /** The way that it went. */
  readonly taken: boolean;
}

/** Kinds of what is not followed. */
export type NoteKind =
  /** A native function got plain values in place of ones that are followed, or is not known. */
  | "native"
  /** Something that outlives the run was changed. */
  | "state"
  /** A clock was read. */
  | "clock"
  /** Randomness that is neither the source's nor replaced. */
  | "randomness"
  /** The process, its environment or its locale was asked for. */
  | "environment"
  /** Code was made of a text. */
  | "code"
  /** A module that is not rewritten: CommonJS, `node:`, or of another machine. */
  | "module"
  /** Bytes that typed arrays share. */
  | "bytes"
  /** Something was written beside the output. */
  | "output"
  /** Work was put off until after the program returns. */
  | "later";

/** Something that is not followed. */
export interface Note {
  /** Its kind. */
  readonly kind: NoteKind;
  /** What, as `Map.groupBy` or `the module's variable last`. */
  readonly what: string;
  /** `FILE:LINE`. */
  readonly at: string;
  /** How often. */
  count: number;
}

/** What decides for a run that does not follow the values that it has: one whose values are unknown. */
export interface Follower {
  /** The way that a condition goes. Default: that of its value. */
  decide?(condition: Traced, at: string): boolean;
  /** What an index, a key or a length is. Default: its value, which is a condition (`=== value`). */
  pin?(value: Traced, at: string): unknown;
  /** The plain value for native code that is not followed. Default: its value, and a note. */
  plain?(value: Traced, what: string, at: string): unknown;
}

/** How a run goes. */
export interface RunOptions extends Follower {
  /** Conditions of loops and branches after which the run is ended; and 0.3 times as many operations on followed values, which all stay in memory. Default: 10⁷. */
  readonly maxSteps?: number;
  /** Whether an error stands in place of each change of what all programs share, the analyser among them. Default: false. */
  readonly keepsLanguage?: boolean;
}

/** Record of one run. */
export class Run {
  /** Conditions in the order in which they were asked, where the run follows the values that it has. */
  readonly conditions: Condition[] = [];
  /** The place of the last operation. */
  at = "";
  /** Conditions of loops and branches so far. */
  steps = 0;
  /** Operations on followed values so far. */
  made = 0;
  /** Why the run was ended: a program may have caught it. */
  ended: string | undefined;
  /** Conditions after which the run is ended. */
  readonly maxSteps: number;
  /** Whether an error stands in place of each change of what all programs share. */
  readonly keepsLanguage: boolean;
  /** Whether some typed array holds followed values. */
  storesFollowed = false;
  /** What decides where values are unknown. */
  readonly follower: Follower;
  readonly #notes = new TextMap<Note>();

  /** A run that has seen nothing. */
  constructor({ maxSteps = 1e7, keepsLanguage = false, ...follower }: RunOptions = {}) {
    this.maxSteps = maxSteps;
    this.keepsLanguage = keepsLanguage;
    this.follower = follower;
  }

  /** Places that were not followed, in the order in which they were met. */
  get notes(): readonly Note[] {
    return this.#notes.values();
  }

  /** Ends the run. */
  end(after: string, at: string = this.at): never {
    this.ended ??= `it must end after ${after}: it is at ${at}`;
    throw new RangeError(`Cannot follow a run: ${this.ended}`);
  }

  /** Says that something is not followed. */
  note(kind: NoteKind, what: string, at: string = this.at): void {
    const key = `${kind} ${what} ${at}`, known = this.#notes.get(key);
    if (known === undefined) this.#notes.set(key, { kind, what, at, count: 1 });
    else known.count++;
  }
}

/** Returns a note as reports say it. */
export function noteText({ kind, what, at }: Omit<Note, "count">): string {
  const where = at === "" ? "" : ` at ${at}`;
  switch (kind) {
    case "native":
    case "bytes":
    case "module":
      return `not followed: ${what}${where}`;
    case "state":
      return `state outlives the run: ${what}${where}`;
    case "clock":
      return `reads a clock: ${what}${where}`;
    case "randomness":
      return `randomness of its own: ${what}${where}`;
    case "environment":
      return `asks for what is outside of the run: ${what}${where}`;
    case "code":
      return `not followed: code made of a text by ${what}${where}`;
    case "later":
      return `works after it returns: ${what}${where}`;
    case "output":
      return `writes beside its output: ${what}${where}`;
  }
}

/** Returns the place of a value, or of the operation that meets it. */
export function placeOf(value: Traced, run: Run): string {
  return run.at || operationOf(value).at;
}
