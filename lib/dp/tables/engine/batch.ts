import { dayOf, keyOf, numberOf } from "../../schema/cells.ts";
import type { KeyIndex } from "./key_index.ts";

/** Some rows, column by column. */
export interface Batch {
  /** Number of rows. */
  readonly size: number;
  /** The cells of a column. */
  column(name: string): Cells;
}

/** Place of a missing cell. */
export const MISSING = -2;

/** The cells of one column of some rows, as they are read. */
export interface Cells {
  /** As numbers, NaN where they are missing or none. */
  numbers(out: Float64Array): void;
  /** As days after 1 January 1970, NaN where they are missing or none. */
  days(out: Float64Array): void;
  /** Their places in an index: NONE where they are not in it, MISSING where they are missing. `adds` gives new ones a place. */
  places(index: KeyIndex, out: Int32Array, adds: boolean): void;
}

/** Cells that are values of the language. */
export function cellsOf(size: number, at: (row: number) => unknown): Cells {
  return {
    numbers(out): void {
      for (let i = 0; i < size; i++) {
        const cell = at(i);
        out[i] = typeof cell === "number" ? cell : numberOf(cell);
      }
    },
    days(out): void {
      for (let i = 0; i < size; i++) out[i] = dayOf(at(i));
    },
    places(index, out, adds): void {
      for (let i = 0; i < size; i++) {
        const cell = at(i);
        if (typeof cell === "number" || typeof cell === "bigint") {
          out[i] = index.placeOfNumber(cell, adds);
          continue;
        }
        const key = typeof cell === "string" ? cell : keyOf(cell);
        out[i] = key === undefined ? MISSING : adds ? index.add(key) : index.of(key);
      }
    },
  };
}

/** Rows that are records. */
export function batchOfRows(
  rows: ArrayLike<Readonly<Record<string, unknown>>>,
  size: number,
): Batch {
  return { size, column: (name) => cellsOf(size, (row) => rows[row]?.[name]) };
}

/** Rows as columns of values. */
export function batchOfColumns(
  size: number,
  columns: ReadonlyMap<string, ArrayLike<unknown>>,
): Batch {
  return {
    size,
    column(name): Cells {
      const cells = columns.get(name);
      return cellsOf(size, (row) => cells?.[row]);
    },
  };
}
