import type { Row } from "./cells.ts";

/**
 * Where the rows of a table come from: an array, anything else that can be iterated again, or a function that opens the rows anew for each
 * question. A generator runs out after the first.
 */
export type RowSource =
  | Iterable<Row>
  | AsyncIterable<Row>
  | (() => Iterable<Row> | AsyncIterable<Row>);

/** Makes a function that visits all rows, one after the other, each time that it is called. Whatever a row is, it is one row. */
export function rowVisitor(source: RowSource): (visit: (row: Row) => void) => Promise<void> {
  let spent = false;
  return async (visit) => {
    const rows = typeof source === "function" ? source() : source;
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
