import type { Row } from "../schema/cells.ts";
import type { Batch } from "./engine/batch.ts";

/** Rows of a file, read anew for each question. */
export interface FileRows extends AsyncIterable<Row> {
  /** The names of the columns. They are public, as all is that the file says before its first row. */
  readonly columns: () => Promise<readonly string[]>;
  /**
   * Some rows at a time, with these columns.
   *
   * @internal
   */
  readonly batches: (names: readonly string[]) => AsyncIterable<Batch>;
}

/**
 * Where the rows of a table come from: an array, anything else that can be iterated again, or a function that opens the rows anew for each
 * question. A generator runs out after the first.
 */
export type RowSource =
  | Iterable<Row>
  | AsyncIterable<Row>
  | (() => Iterable<Row> | AsyncIterable<Row>);

/** Tells rows of a file from others. */
export function isFileRows(rows: unknown): rows is FileRows {
  const { columns, batches } = Object(rows) as Partial<FileRows>;
  return typeof columns === "function" && typeof batches === "function";
}
