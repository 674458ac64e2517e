/** A program as a module exports it. */
export type CheckedProgram = (data: unknown, source: unknown) => unknown;

/** What is computed with values that stand for data and noise. */
export interface Arithmetic {
  /** Returns true for a value that stands for a form of data and noise. */
  isValue(value: unknown): value is object;
  /** Returns what an operator or a function makes of values and numbers. */
  apply(name: string, given: readonly unknown[]): unknown;
  /** Returns true if the left value is the larger one. */
  isAbove(left: unknown, right: unknown): boolean;
  /** Returns the number that a value is on this path; `undefined` where it depends on data or noise. */
  numberOf(value: unknown): number | undefined;
  /** Returns the type of what a value stands for. */
  typeOf(value: unknown): "number" | "string";
  /** Draws a uniform number between 0 and 1. */
  uniform(): unknown;
  /** Counts a step, and ends a run that is over. */
  goOn(): void;
  /** Ends the run. */
  refuse(what: string): never;
}

/** A program that is handed what to compute with, beside data and source. */
export type TracedProgram = (data: unknown, source: unknown, arithmetic: Arithmetic) => unknown;

/** A program that is not followed; the message says why. */
export class NotDerived extends Error {}

/** Runs with randomness that is not the source's replaced by a refusal. */
export function withoutRandomness<Result>(
  refuse: (what: string) => never,
  run: () => Result,
): Result {
  const random = Math.random, { crypto } = globalThis;
  const bytes = crypto.getRandomValues;
  const refused = () => refuse("it draws randomness that is not of its source");
  Math.random = refused;
  crypto.getRandomValues = refused;
  try {
    return run();
  } finally {
    Math.random = random;
    crypto.getRandomValues = bytes;
  }
}

/** Returns a text for an output that is no object, the same for equal ones alone; `undefined` for an object. @throws {NotDerived} for functions and symbols. */
export function primitiveText(value: unknown): string | undefined {
  switch (typeof value) {
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "boolean":
    case "undefined":
      return String(value);
    case "object":
      return value === null ? "null" : undefined;
    default:
      throw new NotDerived(`it puts out a ${typeof value}`);
  }
}
