/** Type of a column as a database says it: public, as its name is. */
export type SqlType =
  | "text"
  | "integer"
  /** Whole numbers that may be beyond 64 bits with a sign. */
  | "wide integer"
  | "decimal"
  | "double"
  | "boolean"
  | "date"
  | "timestamp"
  | "other";

/** Dialect of a database for what plans compute of a row. Texts are expressions of SQL. */
export interface RowDialect {
  readonly name: string;
  /** The name of a column. */
  readonly column: (name: string) => string;
  readonly text: (value: string) => string;
  /** Whether a cell can be this text. */
  readonly canHold: (text: string) => boolean;
  /** A double, to the last bit. */
  readonly double: (value: number) => string;
  /** A text as a double: NULL where it is none by the rule of cells, ±Infinity where it is too large. */
  readonly numberOfText: (text: string) => string;
  /** The day of a text, a date or a timestamp after 1 January 1970, as a double; NULL where there is none. */
  readonly dayOf: (cell: string, type: SqlType) => string;
  /** A double, or NULL where it is NaN. */
  readonly unlessNaN: (double: string) => string;
  /** Whether a double is neither missing nor NaN. Default: whether it is at most infinity. */
  readonly isNumber?: (double: string) => string;
  /** A number or truth value as a double; as a text. */
  readonly asDouble: (cell: string, type: SqlType) => string;
  readonly asText: (cell: string, type: SqlType) => string;
  /** A double without a fraction as a whole number of 64 bits. */
  readonly whole: (double: string) => string;
  /** What doubles give by IEEE 754, or NULL for NaN: no row makes an error. */
  readonly apply: (operator: "+" | "-" | "*" | "/", left: string, right: string) => string;
  /** A double divided by a public number, and the square of one that is within ±2⁴⁰¹; those that round to no step may be 0. */
  readonly quotient: (double: string, divisor: number) => string;
  readonly square: (double: string) => string;
  /** Whether columns of whole numbers are keys and persons as they are, and not as texts. */
  readonly keepsIntegers?: boolean;
  /** How missing numbers are computed with, where they are NaN. Default: they are NULL. */
  readonly missing?: MissingAsNaN;
  /** Numbers as keys, where these are not compared as doubles: of a cell, and of a listed number. */
  readonly doubleKey?: {
    readonly of: (cell: string) => string;
    readonly listed: (value: number) => string;
  };
  /** The place of the last edge that a double reaches, which is not below the first one. Default: a CASE in a CASE. */
  readonly placeAmong?: (double: string, edges: readonly number[]) => string;
  /** What stands for a key in a public table; a missing value where nothing does. Default: a CASE. */
  readonly lookup?: (
    key: string,
    cases: readonly (readonly [key: string, value: string])[],
    type: "text" | "double",
  ) => string;
  /** A pseudo-random whole number of expressions, which differs by key. */
  readonly hash: (parts: readonly string[], key: number) => string;
}

/** Dialect of a database that has windows. */
export interface Dialect extends RowDialect {
  /** The type of doubles. */
  readonly doubles: string;
  /** The sum of whole numbers of 64 bits, which cannot overflow; the sum of such sums. */
  readonly sum: (whole: string) => string;
  readonly sumOfSums: (sum: string) => string;
  /** A value as windows are divided by it. */
  readonly alike: (value: string) => string;
}

/** Computation with numbers that are NaN where they are missing. Such a number may be read more than once: what is given is a name. */
export interface MissingAsNaN {
  readonly orElse: (double: string, other: string) => string;
  readonly isMissing: (double: string) => string;
  /** A double; missing where it is 0. */
  readonly unlessZero: (double: string) => string;
}

/** A name of a column or table, as standard SQL quotes it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table that plans are about. */
export interface SqlTable {
  /** What stands behind FROM. */
  readonly source: string;
  readonly types: ReadonlyMap<string, SqlType>;
}

/** Listed keys (`k`) and their places (`p`). */
export interface KeyTable {
  readonly name: string;
  readonly type: "text" | "double" | "integer";
  readonly rows: readonly (readonly [key: string | number | bigint, place: number])[];
}

/** How whole numbers are added up: as they are, or as doubles, which is exact where a sum of so many numbers so large is below 2⁵³. */
export type Sums = "whole" | "doubles";

/** A plan as one query, and the key tables that it reads. */
export interface PlannedQuery {
  readonly query: string;
  readonly keys: readonly KeyTable[];
}
