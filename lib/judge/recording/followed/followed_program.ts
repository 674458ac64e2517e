import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import { copyOf } from "../../audit/subjects/copy_of.ts";
import { seenOutput, thrownBy } from "../../audit/subjects/seen.ts";
import { SubjectFailure } from "../../audit/kernel/subject.ts";
import {
  begin,
  ChangesLanguage,
  holdsTraced,
  isTraced,
  lifted,
  type Note,
  noteText,
  type Run,
  seal,
} from "../../source/mod.ts";
import { type OutputParts, outputParts } from "../output_parts.ts";
import { inTime, isPromise } from "../replay/settled.ts";
import { type Drawing, type FollowedSource, followedSource } from "./followed_source.ts";
import { FollowedValues } from "./followed_values.ts";
import { RunEnded, Tape, type TapeOptions } from "./tape.ts";

/** One run of a program that is followed. */
export interface FollowedRun {
  readonly tape: Tape;
  readonly output: OutputParts;
  /** The error that came in place of an output. */
  readonly error?: string;
  /** State that outlives the run, for which the program may do something else when it is run again. */
  readonly state?: string;
}

/** A module of JavaScript whose rewritten copy is run, so that all that it does with its noise is seen. */
export class FollowedProgram {
  readonly #run: (data: unknown, source: ProgramSource) => unknown;
  readonly #source: FollowedSource;
  readonly #onOutput: (() => void) | undefined;
  readonly #drawing: { now: Drawing };
  readonly #keepsLanguage: boolean;
  /** Parts that are not followed in any run. */
  readonly #left: readonly Note[];
  /** Runs so far. */
  runs = 0;

  private constructor(
    run: (data: unknown, source: ProgramSource) => unknown,
    { source, drawing, onOutput, keepsLanguage, left }: {
      readonly left: readonly Note[];
      readonly keepsLanguage: boolean;
      readonly source: FollowedSource;
      readonly drawing: { now: Drawing };
      readonly onOutput: (() => void) | undefined;
    },
  ) {
    this.#run = run;
    this.#source = source;
    this.#drawing = drawing;
    this.#onOutput = onOutput;
    this.#keepsLanguage = keepsLanguage;
    this.#left = left;
  }

  /**
   * Loads a function or a mechanism of a rewritten copy.
   *
   * @param load makes the copy, and returns what runs with what it is not followed in.
   * @throws what loading throws: a module that is no ES module, or one with types where nothing takes them out.
   */
  static async load(
    load: () => Loaded | Promise<Loaded>,
    { takesSource, onOutput, keepsLanguage = false }: {
      /** Whether it is called with a source: asked when it is run. */
      readonly takesSource: () => boolean;
      readonly onOutput?: (() => void) | undefined;
      /** Whether a run that changes what all programs share is ended, and not followed. Default: false. */
      readonly keepsLanguage?: boolean;
    },
  ): Promise<FollowedProgram> {
    const drawing = { now: NOTHING };
    let isLoading = true;
    const source = followedSource(() => drawing.now, () => isLoading);
    const unseal = seal(source);
    try {
      const { value, notes } = await load();
      const own = notes.find(({ kind, what }) => kind === "module" && what.includes("@dpcheck/"));
      if (own !== undefined) {
        throw new TypeError("mechanisms of dpcheck are followed by what they draw");
      }
      const made = value as RunOf | { readonly sample: RunOf };
      const run: RunOf = typeof made === "function"
        ? made
        : (data, given) => made.sample(data, given);
      return new FollowedProgram(
        (data, given) => takesSource() ? run(data, given) : run(data),
        { source, drawing, onOutput, keepsLanguage, left: notes },
      );
    } finally {
      isLoading = false;
      unseal();
    }
  }

  /** Runs it once, on a copy of the data. */
  async run(data: unknown, options: TapeOptions): Promise<FollowedRun> {
    const tape = new Tape(options), values = new FollowedValues(tape);
    this.#drawing.now = {
      tape,
      plain: (value) => values.plain(value),
      indexOfLargest: (all, at) => values.indexOfLargest(all, at),
    };
    this.runs++;
    const plain = (value: unknown): unknown => values.plain(value);
    const unseal = seal(this.#source);
    const run = begin({
      decide: (condition) => values.decide(condition),
      pin: plain,
      plain,
      keepsLanguage: this.#keepsLanguage,
    });
    let output: unknown;
    try {
      output = this.#run(copyOf(data), this.#source.source);
      if (isPromise(output)) output = await inTime(output);
      tape.isOutput = true;
      output = seenOutput(released(output, plain));
    } catch (error) {
      if (error instanceof SubjectFailure) throw error;
      if (error instanceof ChangesLanguage) tape.notFollowed ??= { reason: error.message, at: "" };
      output = error instanceof RunEnded ? null : errorOf(error, { tape, plain });
    } finally {
      unseal();
      this.#drawing.now = NOTHING;
      this.#onOutput?.();
    }
    tape.finish();
    losses(run, tape);
    const kept = [...run.notes, ...this.#left].find(({ kind }) => OUTLIVES.has(kind));
    return {
      tape,
      output: outputParts(output),
      ...(isThrown(output) ? { error: output.message } : {}),
      ...(kept === undefined ? {} : { state: noteText(kept) }),
    };
  }
}

/** A function or a mechanism of a rewritten copy, with what is not followed whatever runs. */
interface Loaded {
  readonly value: unknown;
  readonly notes: readonly Note[];
}

/** The call of a run. */
type RunOf = (...given: unknown[]) => unknown;

/** Kinds of notes about state that outlives a run. */
const OUTLIVES: ReadonlySet<string> = new Set(["state", "clock", "module"]);

const NOTHING: Drawing = {
  get tape(): Tape {
    throw new TypeError(
      "Cannot draw noise: a module must draw when it is called, and not afterwards",
    );
  },
  plain: (value) => value,
  indexOfLargest: () => 0,
};

function isThrown(output: unknown): output is { readonly message: string } {
  return typeof output === "object" && output !== null && output.constructor.name === "Thrown";
}

/** Returns an error as an output, with what it says of followed values read. */
function errorOf(
  error: unknown,
  { tape, plain }: { readonly tape: Tape; readonly plain: (value: unknown) => unknown },
): unknown {
  tape.isOutput = true;
  try {
    if (isTraced(error)) return thrownBy(plain(error));
    if (error instanceof Error && isTraced(error.message)) {
      error.message = String(plain(error.message));
    }
    return thrownBy(error);
  } catch (ended) {
    if (ended instanceof RunEnded) return null;
    throw ended;
  }
}

/** Notes why what a run did with its noise was not followed. */
function losses({ notes, ended, at }: Run, tape: Tape): void {
  if (ended !== undefined) tape.notFollowed ??= { reason: ended, at };
  const lost = notes.find(({ kind }) =>
    kind === "randomness" || kind === "bytes" || kind === "code"
  );
  if (lost !== undefined) tape.notFollowed ??= { reason: noteText(lost), at: lost.at };
}

/** The most levels of an output that are looked into. */
const DEEPEST = 12;

/** Returns an output whose followed values are read. */
function released(output: unknown, plain: (value: unknown) => unknown, depth = DEEPEST): unknown {
  if (isTraced(output)) return plain(output);
  if (holdsTraced(output)) {
    const copy = new output.constructor(output.length);
    lifted(output).forEach((value, i) => copy[i] = plain(value) as number);
    return copy;
  }
  if (depth === 0 || typeof output !== "object" || output === null) return output;
  const inner = (value: unknown): unknown => released(value, plain, depth - 1);
  if (Array.isArray(output)) return output.map(inner);
  if (output instanceof Map) {
    return new Map([...output].map(([key, value]) => [inner(key), inner(value)]));
  }
  if (output instanceof Set) return new Set([...output].map(inner));
  const prototype = Object.getPrototypeOf(output);
  if (prototype !== Object.prototype && prototype !== null) return output;
  return Object.fromEntries(Object.entries(output).map(([key, value]) => [key, inner(value)]));
}
