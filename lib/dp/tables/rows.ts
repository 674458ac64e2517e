import { closestName } from "../../core/text/closest_name.ts";
import type { Row } from "../schema/cells.ts";

/** Rows of a file, read anew for each question. */
export interface FileRows extends AsyncIterable<Row> {
  /** The names of the columns. They are public, as all is that the file says before its first row. */
  readonly columns: () => Promise<readonly string[]>;
}

/**
 * Where the rows of a table come from: an array, anything else that can be iterated again, or a function that opens the rows anew for each
 * question. A generator runs out after the first.
 */
export type RowSource =
  | Iterable<Row>
  | AsyncIterable<Row>
  | (() => Iterable<Row> | AsyncIterable<Row>);

/**
 * Makes a function that visits all rows, one after the other, each time that it is called. Whatever a row is, it is one row.
 *
 * @param names columns that the rows must have, where a file says which it has.
 */
export function rowVisitor(
  source: RowSource,
  names: readonly string[],
): (visit: (row: Row) => void) => Promise<void> {
  let spent = false;
  return async (visit) => {
    const rows = typeof source === "function" ? source() : source;
    if (rows !== null && typeof rows === "object" && "columns" in rows) {
      requireColumns(await (rows as FileRows).columns(), names);
    }
    if (rows !== null && typeof rows === "object" && Symbol.iterator in rows) {
      requireFresh(rows[Symbol.iterator]() === (rows as unknown));
      for (const row of rows) visit(row);
    } else if (rows !== null && typeof rows === "object" && Symbol.asyncIterator in rows) {
      requireFresh(rows[Symbol.asyncIterator]() === (rows as unknown));
      for await (const row of rows) visit(row);
    } else {
      throw new TypeError(
        `Cannot read rows: rows must be an array, an iterable or a function that gives one: current value is ${
          rows === null ? "null" : typeof rows
        }`,
      );
    }
  };

  /** A generator has nothing left for a second question, which would be answered as for an empty table. */
  function requireFresh(isGenerator: boolean): void {
    if (!isGenerator || typeof source === "function") return;
    if (spent) {
      throw new RangeError(
        "Cannot read rows: rows must be an array, or a function that opens them again, as in table(() => rows(), schema): " +
          "current value is a generator that was read before",
      );
    }
    spent = true;
  }
}

/** Throws when a file lacks a column: answers would say that it is empty, and be paid for. */
function requireColumns(columns: readonly string[], names: readonly string[]): void {
  const absent = names.find((name) => !columns.includes(name));
  if (absent === undefined) return;
  // Names of the file are not shown but for a near one: the first line of a file that has none is a row.
  throw new RangeError(
    `Cannot read rows: columns of the schema must be in the file: current value is ${absent}${
      closestName(absent, columns)
    }`,
  );
}
