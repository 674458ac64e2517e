import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { copyOf } from "../../audit/subjects/copy_of.ts";
import { seenOutput, thrownBy } from "../../audit/subjects/seen.ts";
import { SubjectFailure, Thrown } from "../../audit/kernel/subject.ts";
import { replaceMethods, replaceRandomness } from "../../../core/random/own_randomness.ts";
import {
  deviationOf,
  programSource,
  requireSome,
  scaleOf,
} from "../../../core/random/program_source.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { type OutputParts, outputParts } from "../output_parts.ts";
import { type Asked, askedOf, type Draw, drawnFrom } from "./noise.ts";
import { inTime, isPromise } from "./settled.ts";
import { type Spot, spotHere } from "./spot_here.ts";

/** A function of a dataset and a source, asynchronous or not. */
export type Program = (data: unknown, source: ProgramSource) => unknown;

/** Where a program hands a number to a method of its source, or a function of JavaScript, and goes on with what that gives. */
export interface Look extends Spot {
  /** Whether a number is above 0, the place of the largest of some, or a function of `Math` or of numbers. */
  readonly kind: "sign" | "largest" | "value";
  /** The numbers that are looked at. */
  readonly numbers: readonly number[];
  readonly outcome: unknown;
}

/** One run. */
export interface Run {
  readonly output: OutputParts;
  /** The error that came in place of an output. */
  readonly error?: string;
  readonly draws: readonly Draw[];
  readonly looks: readonly Look[];
  /** Random words that it took, beside its draws, and where the first was taken. */
  readonly words: number;
  readonly wordsAt?: Spot;
}

/** How a program is run. */
export interface RunOptions {
  readonly seed: number;
  /** Whether lines are looked up. */
  readonly places?: boolean;
  /** Gives a draw in place of the stream of the seed. */
  readonly draw?: (asked: Asked, place: number) => number | undefined;
  /** Gives the outcome of a look in place of its own. */
  readonly look?: (look: Look, place: number) => { readonly outcome: unknown } | undefined;
}

/** Functions of `Math` beside `random`. */
const FUNCTIONS = Object.getOwnPropertyNames(Math).flatMap((name) => {
  const own: unknown = (Math as unknown as Record<string, unknown>)[name];
  return typeof own === "function" && name !== "random"
    ? [[name, own as (...numbers: number[]) => number] as const]
    : [];
});
const { toFixed, toPrecision } = Number.prototype;
/** Where lines are not looked up. */
const NOWHERE: Spot = { at: "", spot: "", isOwn: false };
/** The most numbers of one look. */
const MOST_NUMBERS = 256;

/** Settled when the last program of this thread that was asked to hold its randomness has given it back. */
let lastHeld: Promise<void> = Promise.resolve();

/** A program that is run again and again, with noise that is given to it. */
export class ReplayedProgram {
  readonly #run: Program;
  /** Places are relative to it. */
  readonly #folder: string;
  readonly #onOutput: (() => void) | undefined;
  readonly #isAlone: boolean;
  readonly #source: ProgramSource;
  #options: RunOptions = { seed: 0 };
  #isRunning = false;
  /** Whether a method of the source is at work, whose own computing is none of the program's. */
  #isInside = false;
  /** The function that is recorded now. */
  #called: (...given: never[]) => unknown = () => {};
  #stream: Source | undefined;
  #words: Source | undefined;
  #wordsTaken = 0;
  #wordsAt: Spot | undefined;
  #draws: Draw[] = [];
  #looks: Look[] = [];
  /** Runs so far. */
  runs = 0;

  /**
   * A program whose lines are named relative to `folder`, an address that ends with a slash; `onOutput` is called after each run. Unless it
   * `isAlone` in its thread it must not answer by promises: what else runs until they are settled would get its noise.
   */
  constructor(
    run: Program,
    { folder, onOutput, isAlone = false }: {
      readonly folder: string;
      readonly onOutput?: (() => void) | undefined;
      readonly isAlone?: boolean;
    },
  ) {
    this.#isAlone = isAlone;
    this.#run = run;
    this.#folder = folder;
    this.#onOutput = onOutput;
    this.#source = this.#sourceOfRuns();
  }

  /**
   * Does some work while this takes the place of the randomness that JavaScript has at hand, and of the functions of `Math`: one program at a
   * time in a thread, so that each gives back what it found.
   */
  async holding<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = lastHeld;
    let release: () => void = () => {};
    lastHeld = new Promise((resolve) => release = resolve);
    await before;
    const restore = this.#hold();
    try {
      return await work();
    } finally {
      for (const each of restore) each();
      release();
    }
  }

  #hold(): (() => void)[] {
    const look = (own: (...numbers: number[]) => unknown, numbers: readonly number[]): unknown => {
      const mayHaveNoise = this.#isRunning && !this.#isInside && this.#draws.length > 0 &&
        numbers.length <= MOST_NUMBERS &&
        numbers.some((x) => typeof x === "number" && Number.isFinite(x));
      if (!mayHaveNoise) return own(...numbers);
      this.#called = look;
      return this.#look("value", numbers, () => own(...numbers));
    };
    // deno-lint-ignore no-this-alias
    const program = this;
    return [
      replaceRandomness((own) => ({
        random: () => this.#isRunning ? this.#source.uniform() : own.random(),
        getRandomValues: (out) => {
          if (!this.#isRunning) return own.getRandomValues(out);
          const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
          for (let i = 0; i < bytes.length; i++) bytes[i] = this.#source.uint32() >>> 24;
          return out;
        },
        randomUUID: () => this.#isRunning ? uuidOf(this.#source) : own.randomUUID(),
      })),
      replaceMethods(
        Math,
        Object.fromEntries(
          FUNCTIONS.map(([name, own]) => [name, (...given: number[]) => look(own, given)]),
        ),
      ),
      replaceMethods(Number.prototype, {
        toFixed(this: number, digits?: number): unknown {
          return program.#isRunning
            ? look((x) => toFixed.call(x, digits), [Number(this)])
            : toFixed.call(this, digits);
        },
        toPrecision(this: number, digits?: number): unknown {
          return program.#isRunning
            ? look((x) => toPrecision.call(x, digits), [Number(this)])
            : toPrecision.call(this, digits);
        },
      }),
    ];
  }

  /** Runs the program once, on a copy of the data. */
  run(data: unknown, options: RunOptions): Run | Promise<Run> {
    this.#options = options;
    this.#stream = this.#words = undefined;
    this.#wordsTaken = 0;
    this.#wordsAt = undefined;
    this.#draws = [];
    this.#looks = [];
    this.runs++;
    let output: unknown;
    this.#isRunning = true;
    try {
      output = this.#run(copyOf(data), this.#source);
    } catch (error) {
      this.#isRunning = false;
      return this.#ended(thrownBy(error));
    }
    if (!isPromise(output)) return this.#ended(seenOutput(output));
    if (!this.#isAlone) {
      this.#isRunning = false;
      output.then(() => {}, () => {});
      throw new SubjectFailure(
        "it answers by a promise, and is watched only in a thread of its own, as a module",
      );
    }
    return inTime(output).then(seenOutput, (error) => {
      if (error instanceof SubjectFailure) {
        this.#isRunning = false;
        throw error;
      }
      return thrownBy(error);
    }).then((seen) => this.#ended(seen));
  }

  /** Returns the output on each dataset at one seed. */
  replay({ datasets, seed }: {
    readonly datasets: readonly unknown[];
    readonly seed: number;
  }): Promise<OutputParts[]> {
    return this.holding(async () => {
      const outputs = [];
      for (const data of datasets) outputs.push((await this.run(data, { seed })).output);
      return outputs;
    });
  }

  #ended(output: unknown): Run {
    this.#isRunning = false;
    this.#onOutput?.();
    const error = output instanceof Thrown ? output.message : undefined;
    return {
      output: outputParts(output),
      ...(error === undefined ? {} : { error }),
      draws: this.#draws,
      looks: this.#looks,
      words: this.#wordsTaken,
      ...(this.#wordsAt === undefined ? {} : { wordsAt: this.#wordsAt }),
    };
  }

  #spot(): Spot {
    return this.#options.places ? spotHere(this.#folder, this.#called) : NOWHERE;
  }

  #draw(asked: Asked): number {
    const { seed, draw } = this.#options;
    this.#stream ??= new SeededSource(seed).split("noise");
    // Also where it is not used: later draws are the same then.
    const own = drawnFrom(this.#stream, asked);
    const z = draw?.(asked, this.#draws.length) ?? own;
    this.#draws.push({ ...asked, ...this.#spot(), z });
    return z;
  }

  #word(): number {
    this.#words ??= new SeededSource(this.#options.seed).split("words");
    if (this.#wordsTaken++ === 0) this.#wordsAt = this.#spot();
    return this.#words.uint32();
  }

  #look<Outcome>(kind: Look["kind"], numbers: readonly number[], own: () => Outcome): Outcome {
    const isInside = this.#isInside;
    this.#isInside = true;
    try {
      const look = { kind, numbers, ...this.#spot(), outcome: undefined as unknown };
      const given = this.#options.look?.(look, this.#looks.length);
      look.outcome = given === undefined ? own() : given.outcome;
      this.#looks.push(look);
      return look.outcome as Outcome;
    } finally {
      this.#isInside = isInside;
    }
  }

  #sourceOfRuns(): ProgramSource {
    const noise = (law: Draw["law"], width: number): number => width * this.#draw({ law, width });
    const words: Source = {
      kind: "seeded",
      uint32: () => this.#word(),
      uniform: () => this.#draw({ law: "uniform", width: 1 }),
      fillUint32: (out) => out.forEach((_, i) => out[i] = this.#word()),
      split: () => source,
      // Whole numbers are asked for by their laws.
      branch: (law) => this.#draw(askedOf(law)),
    };
    const plain = programSource(words);
    const source: ProgramSource = {
      ...plain,
      split: () => source,
      fillNoise(out, { law, scale }): void {
        for (let i = 0; i < out.length; i++) out[i] = noise(law, scale);
      },
      laplace: (width) => noise("laplace", scaleOf(width)),
      exponential: (width) => noise("exponential", scaleOf(width)),
      gumbel: (width) => noise("gumbel", scaleOf(width)),
      gaussian: (width) => noise("normal", deviationOf(width)),
      less: (left, right) => {
        const gap = plain.difference(right, left) as number, own = () => plain.less(left, right);
        return Number.isFinite(gap) && this.#draws.length > 0
          ? this.#look("sign", [gap], own)
          : own();
      },
      indexOfLargest: (values) => {
        requireSome(values);
        const own = (): number => plain.indexOfLargest(values);
        const numbers = values as readonly number[];
        return this.#draws.length > 0 && numbers.length <= MOST_NUMBERS
          ? this.#look("largest", [...numbers], own)
          : own();
      },
    };
    for (const [name, method] of Object.entries(source)) {
      if (typeof method !== "function") continue;
      const called = (...given: unknown[]): unknown => {
        const isInside = this.#isInside;
        if (!isInside) this.#called = called;
        this.#isInside = true;
        try {
          return (method as (...given: unknown[]) => unknown)(...given);
        } finally {
          this.#isInside = isInside;
        }
      };
      (source as object as Record<string, unknown>)[name] = called;
    }
    return source;
  }
}

function uuidOf(source: Source): string {
  const digits = Array.from({ length: 4 }, () => source.uint32().toString(16).padStart(8, "0"))
    .join("");
  return digits.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, "$1-$2-4$3-8$4-$5");
}
