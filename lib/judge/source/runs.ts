import type { AnyFunction } from "./intrinsics.ts";
import { current, made, own } from "./current.ts";
import { Run, type RunOptions } from "./run.ts";
import type { Traced } from "./traced.ts";

/**
 * Begins a run: operations of rewritten programs tell it what they see, until another one begins.
 *
 * @returns the run.
 */
export function begin(options: RunOptions = {}): Run {
  current.epoch = ++runs;
  return current.run = new Run(options);
}

/** Returns the run that goes on. */
export function currentRun(): Run {
  return current.run;
}

/** The run that goes on where no program should. */
const idle = new Run();

/** Ends the run: code of programs that goes on is late. */
export function rest(): void {
  current.epoch = ++runs;
  current.run = idle;
}

/** The place of code of a program that went on after its run had ended; `undefined` where none did. */
export function lateCode(): string | undefined {
  return idle.at === "" ? undefined : idle.at;
}

let runs = 0;

/** Begins the loading of modules: what is made now is older than all runs. @returns what ends it. */
export function beginLoading(run: Run): () => void {
  const before = { ...current };
  current.run = run;
  current.epoch = 0;
  return () => {
    current.run = before.run;
    current.epoch = before.epoch;
  };
}

/**
 * Returns a value to follow.
 *
 * @param name how operations on it call it: its `op`.
 */
export function traced(
  value: unknown,
  name: string,
  { operands = [], at = current.run.at }: {
    readonly operands?: readonly unknown[];
    readonly at?: string;
  } = {},
): Traced {
  return made(value, name, operands, at);
}

/** Has rewritten programs call a function as it is, with the followed values that they have, or another one in its place. */
export function handToPrograms(f: AnyFunction, instead: AnyFunction = f): void {
  own.set(f, instead);
}

/** Does the same with all methods of an object, those of its classes too. */
export function handMethodsToPrograms(object: object): void {
  for (
    let of: object | null = object;
    of !== null && of !== Object.prototype;
    of = Object.getPrototypeOf(of)
  ) {
    for (const key of Reflect.ownKeys(of)) {
      const { value } = Object.getOwnPropertyDescriptor(of, key)!;
      if (typeof value === "function" && key !== "constructor") {
        handToPrograms(value as AnyFunction);
      }
    }
  }
}
