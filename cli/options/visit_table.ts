import type { Table } from "../../lib/dp/learners/erm/files/column_encoder.ts";
import { csvParts } from "../../lib/dp/tables/csv_rows.ts";
import { parquetParts } from "../../lib/dp/tables/parquet_rows.ts";
import { BadInput } from "./bad_input.ts";
import { reasonOf } from "./reason_of.ts";

/** A file, and the option that names it. */
export interface NamedFile {
  /** `--data`. */
  readonly option: string;
  /** Its value. */
  readonly file: string;
}

/** A file of a table. */
export interface NamedTable extends NamedFile {
  /** What stands between cells of CSV. Default: read off the first line. */
  readonly delimiter?: string | undefined;
}

/** Called with some rows of a table, in their order. */
export type VisitPart = (part: Table) => void;

/**
 * Reads a table part by part, so that it may be larger than memory: Parquet where the name ends in `.parquet` (a
 * group of rows at a time), else CSV with a line of names. Rows may be shorter or longer than the names. The first part has no rows, so that a table without any is seen.
 *
 * @throws {BadInput} naming the option where there is no file or no line of names, never for what a row holds; and what `each` throws.
 */
export async function visitTable(named: NamedTable, each: VisitPart): Promise<void> {
  let isFirst = true;
  for await (const { names, rows } of partsOf(named)) {
    if (isFirst) each({ names, rows: [] });
    if (rows.length > 0) each({ names, rows });
    isFirst = false;
  }
}

/** Reads what is public of a table, the names of its columns. @throws {BadInput} as {@linkcode visitTable} does. */
export async function namesOfTable(named: NamedTable): Promise<readonly string[]> {
  for await (const { names } of partsOf(named)) return names;
  return [];
}

async function* partsOf({ option, file, delimiter }: NamedTable): AsyncGenerator<Table> {
  const isParquet = file.endsWith(".parquet");
  // An error of the caller is not caught here: it is thrown outside of the generator.
  try {
    yield* isParquet
      ? cellsOfParts(file)
      : csvParts(file, delimiter === undefined ? {} : { delimiter });
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

async function* cellsOfParts(file: string): AsyncGenerator<Table> {
  for await (const { names, size, columns } of parquetParts(file)) {
    const cells = names.map((name) => columns.get(name));
    yield {
      names,
      rows: Array.from({ length: size }, (_, row) => cells.map((column) => column?.[row])),
    };
  }
}
