/** A program as a module exports it. */
export type CheckedProgram = (data: unknown, source: unknown) => unknown;

/** What is computed with values that stand for data and noise. */
export interface Arithmetic {
  /** Returns true for a value that stands for a form of data and noise. */
  isValue(value: unknown): value is object;
  /** Returns a value that stands for a number, as what was compared to choose it. */
  number(value: unknown): unknown;
  /** Returns left + factor · right. */
  sum(left: unknown, right: unknown, factor: 1 | -1): unknown;
  /** Returns the product of a number and a value. */
  multiple(factor: unknown, value: unknown): unknown;
  /** Returns the quotient of a value and a number. */
  quotient(value: unknown, divisor: unknown): unknown;
  /** Returns true if the left value is the larger one. */
  isAbove(left: unknown, right: unknown): boolean;
  /** Returns the place of the largest. */
  indexOfLargest(values: readonly unknown[]): number;
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
