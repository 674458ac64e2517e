import type { Table } from "../lib/learners/erm/column_encoder.ts";
import { csvParts } from "../lib/tables/csv_rows.ts";
import { parquetGroups } from "../lib/tables/parquet_rows.ts";
import { BadInput } from "./bad_input.ts";
import { reasonOf } from "./reason_of.ts";

/** A file, and the option that names it. */
export interface NamedFile {
  /** `--data`. */
  readonly option: string;
  /** Its value. */
  readonly file: string;
}

/** Called with some rows of a table, in their order; `first` is the number of rows before them. */
export type VisitPart = (part: Table, first: number) => void;

/**
 * Reads a table part by part, so that it may be larger than memory: Parquet where the name ends in `.parquet` (a
 * group of rows at a time), else CSV with a line of names. A table without rows is one part.
 *
 * @throws {BadInput} naming the option, and the row where one is of another length; and what `each` throws.
 */
export async function visitTable(named: NamedFile, each: VisitPart): Promise<void> {
  const { option, file } = named;
  let names: readonly string[] = [], first = 0;
  for await (const part of partsOf(named)) {
    names = part.names;
    part.rows.forEach((row, i) => {
      if (row.length === names.length) return;
      throw new BadInput(
        `${option} ${file}: row ${first + i + 1} must have ${names.length} columns: ` +
          `current value is ${row.length}`,
      );
    });
    if (part.rows.length > 0) each(part, first);
    first += part.rows.length;
  }
  if (first === 0) each({ names, rows: [] }, 0);
}

async function* partsOf({ option, file }: NamedFile): AsyncGenerator<Table> {
  const isParquet = file.endsWith(".parquet");
  // What the caller of a generator throws is not caught in it.
  try {
    yield* isParquet ? parquetParts(file) : csvParts(file);
  } catch (error) {
    const reason = reasonOf(error);
    throw new BadInput(
      error instanceof Error && "code" in error
        ? `${option} ${file} cannot be read: ${reason}`
        : isParquet
        ? `${option} ${file} is no Parquet file that can be read: ${reason}`
        : reason.replace("Cannot read", option),
    );
  }
}

async function* parquetParts(file: string): AsyncGenerator<Table> {
  for await (const objects of parquetGroups(file)) {
    const names = Object.keys(objects[0] ?? {});
    yield { names, rows: objects.map((row) => names.map((name) => row[name])) };
  }
}
