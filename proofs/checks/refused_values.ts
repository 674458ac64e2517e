import { asserted, replaceOne } from "../../lib/core/relation.ts";

/** Numbers that an option must not be. */
export const NO_NUMBER = [NaN, Infinity, -Infinity];

/** Values that a count, or a positive number, must not have. */
export const COUNT = [...NO_NUMBER, 0, -1, 1.5], POSITIVE = [...NO_NUMBER, 0, -1];

/** Values that a number of at least 0, one between 0 and 1, and a count of at least 2 must not have. */
export const AT_LEAST_0 = [...NO_NUMBER, -0.1],
  BELOW_1 = [...POSITIVE, 1, 1.5],
  TWO = [...COUNT, 1];

/** Options by name. */
export type Options = Record<string, unknown>;

/** A function of the library, options that it takes, and values that each of these must not have. */
export type Refusing = readonly [
  name: string,
  run: (options: never) => unknown,
  options: Options,
  bad: Readonly<Record<string, readonly unknown[]>>,
];

/** A relation that is taken, and others that look like it. */
export const relation = replaceOne, relations = [asserted, { ...replaceOne }];
