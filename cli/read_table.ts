import { readFile } from "node:fs/promises";
import { parquetReadObjects } from "hyparquet";
import Papa from "papaparse";
import type { Table } from "../lib/learners/erm/column_encoder.ts";
import { BadInput } from "./bad_input.ts";
import { reasonOf } from "./reason_of.ts";

/**
 * Reads a table: Parquet where the name ends in `.parquet`, else CSV with a line of names.
 *
 * @throws {BadInput} naming the option, and row and column where a row is of another length.
 */
export async function readTable(option: string, file: string): Promise<Table> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    // A copy: a buffer of Node may share its memory with others.
    bytes = new Uint8Array(await readFile(file));
  } catch (error) {
    throw new BadInput(`${option} ${file} cannot be read: ${reasonOf(error)}`);
  }
  return file.endsWith(".parquet")
    ? await readParquet(bytes, { option, file })
    : readCsv(new TextDecoder().decode(bytes), { option, file });
}

interface Where {
  readonly option: string;
  readonly file: string;
}

/** What papaparse, which has no types here, returns without a header. */
interface Parsed {
  readonly data: string[][];
  readonly errors: readonly { readonly type: string; readonly row?: number }[];
}

function readCsv(text: string, { option, file }: Where): Table {
  // A line of commas alone is a row whose cells are missing, to be refused with its number.
  const { data, errors } = Papa.parse(text, { skipEmptyLines: true }) as Parsed;
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken !== undefined) {
    throw new BadInput(`${option} ${file}: row ${broken.row ?? 0}: quotes must be closed`);
  }
  const [names, ...rows] = data;
  if (names === undefined) throw new BadInput(`${option} ${file} must have a line of column names`);
  rows.forEach((row, i) => {
    if (row.length !== names.length) {
      throw new BadInput(
        `${option} ${file}: row ${i + 1} must have ${names.length} columns: ` +
          `current value is ${row.length}`,
      );
    }
  });
  return { names: names.map((name) => name.trim()), rows };
}

async function readParquet(
  bytes: Uint8Array<ArrayBuffer>,
  { option, file }: Where,
): Promise<Table> {
  try {
    const objects = await parquetReadObjects({ file: bytes.buffer });
    const names = Object.keys(objects[0] ?? {});
    return { names, rows: objects.map((row) => names.map((name) => row[name])) };
  } catch (error) {
    throw new BadInput(`${option} ${file} is no Parquet file that can be read: ${reasonOf(error)}`);
  }
}
