import { pure } from "../../lib/core/claim.ts";
import { asserted, replaceOne } from "../../lib/core/relation.ts";
import { Broken, requireRefused } from "../engine/requirement.ts";

/** Numbers that an option must not be. */
export const NO_NUMBER = [NaN, Infinity, -Infinity];

/** Values that a count, or a positive number, must not have. */
export const COUNT = [...NO_NUMBER, 0, -1, 1.5], POSITIVE = [...NO_NUMBER, 0, -1];

/** Values that a number of at least 0, one between 0 and 1, and a count of at least 2 must not have. */
export const AT_LEAST_0 = [...NO_NUMBER, -0.1],
  BELOW_1 = [...POSITIVE, 1, 1.5],
  TWO = [...COUNT, 1];

/** Values that a δ, and a rate of sampling, must not have. */
export const DELTA = [...AT_LEAST_0, 1, 1.5], RATE = [...POSITIVE, 1 + 2 ** -52];

/** The ends of what lies between 0 and 1. */
export const LEAST = Number.MIN_VALUE, NEARLY_1 = 1 - 2 ** -53;

/** Options by name. */
export type Options = Record<string, unknown>;

/** A function of the library, options that it takes, values that each of these must not have, and ends of those that it may. */
export type Refusing = readonly [
  name: string,
  run: (options: never) => unknown,
  options: Options,
  bad: Readonly<Record<string, readonly unknown[]>>,
  taken?: Readonly<Record<string, readonly unknown[]>>,
];

/** Hands options on to a function, or something in their place. */
export type Running = (run: (options: never) => unknown, options: Options) => unknown;

/** Takes numbers below 0 for those above: what a check of signs must notice. */
export function withoutSigns(...[run, options]: Parameters<Running>): unknown {
  const made = Object.entries(options).map(([name, value]) =>
    [name, typeof value === "number" ? Math.abs(value) : value] as const
  );
  return run(Object.fromEntries(made) as never);
}

/** A relation that is taken, and others that look like it. */
export const relation = replaceOne, relations = [asserted, { ...replaceOne }];

/** What no constructor of claims made. */
export const COPIES = [{ ...pure({ epsilon: 1, relation }) }, null, undefined, 1];

/** Functions take their options, and the ends of what these may be, and refuse each value that they must not have. */
export function requireRefusals(refusing: readonly Refusing[], attempt: Running): void {
  for (const [name, run, options, bad, taken = {}] of refusing) {
    attempt(run, options);
    for (const [option, values] of Object.entries(taken)) {
      for (const value of values) {
        requireTaken(`${name}: ${option} of ${shown(value)}`, () => {
          attempt(run, { ...options, [option]: value });
        });
      }
    }
    for (const [option, values] of Object.entries(bad)) {
      for (const value of values) {
        requireRefused(
          `${name}: ${option} of ${shown(value)}`,
          () => attempt(run, { ...options, [option]: value }),
        );
      }
    }
  }
}

function requireTaken(what: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw new Broken(`${what} is refused: ${error instanceof Error ? error.message : error}`);
  }
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value) ?? "undefined";
}
