import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import Papa from "papaparse";
import type { Table } from "../lib/learners/erm/column_encoder.ts";
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
  if (named.file.endsWith(".parquet")) await visitParquet(named, each);
  else await visitCsv(named, each);
}

/** What papaparse, which has no types here, hands over. */
interface Parsed {
  readonly data: string[][];
  readonly errors: readonly { readonly type: string; readonly row?: number }[];
}

async function visitCsv({ option, file }: NamedFile, each: VisitPart): Promise<void> {
  let names: readonly string[] | undefined, next = 0;
  const take = ({ data, errors }: Parsed): void => {
    const broken = errors.find(({ type }) => type === "Quotes");
    if (broken !== undefined) {
      // A quote that stays open swallows all that follows: rows count from the line of names, which is row 0.
      const row = next + (broken.row ?? 0) + (names === undefined ? 0 : 1);
      throw new BadInput(`${option} ${file}: row ${row}: quotes must be closed`);
    }
    const rows = names === undefined ? data.slice(1) : data;
    names ??= data[0]?.map((name) => name.trim());
    if (names === undefined || (rows.length === 0 && next > 0)) return;
    rows.forEach((row, i) => {
      if (row.length === names!.length) return;
      throw new BadInput(
        `${option} ${file}: row ${next + i + 1} must have ${names!.length} columns: ` +
          `current value is ${row.length}`,
      );
    });
    each({ names, rows }, next);
    next += rows.length;
  };
  await new Promise<void>((resolve, reject) => {
    const text = textOf(file);
    const refuse = (error: unknown): void => {
      text.destroy();
      reject(
        error instanceof Error && "code" in error
          ? new BadInput(`${option} ${file} cannot be read: ${reasonOf(error)}`)
          : error,
      );
    };
    Papa.parse(text, {
      // A line of commas alone is a row whose cells are missing, to be refused with its number.
      skipEmptyLines: true,
      chunk: (parsed: Parsed, parser: { abort(): void }) => {
        try {
          take(parsed);
        } catch (error) {
          refuse(error);
          parser.abort();
        }
      },
      error: refuse,
      complete: () => resolve(),
    });
  });
  if (names === undefined) throw new BadInput(`${option} ${file} must have a line of column names`);
}

/** Bytes that are read at once. Of larger pieces more outlives two collections of garbage, and memory grows for a long time. */
const PIECE = 2 ** 16;

/** The text of a file, without a byte order mark. */
function textOf(file: string): Readable {
  const decoder = new TextDecoder();
  async function* decoded(): AsyncGenerator<string> {
    for await (const bytes of createReadStream(file, { highWaterMark: PIECE })) {
      const text = decoder.decode(bytes as Uint8Array, { stream: true });
      if (text !== "") yield text;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  }
  return Readable.from(decoded());
}

async function visitParquet({ option, file }: NamedFile, each: VisitPart): Promise<void> {
  const refusal = (error: unknown): BadInput =>
    error instanceof Error && "code" in error
      ? new BadInput(`${option} ${file} cannot be read: ${reasonOf(error)}`)
      : new BadInput(`${option} ${file} is no Parquet file that can be read: ${reasonOf(error)}`);
  const groups = parquetGroups(file);
  let first = 0;
  try {
    for (;;) {
      const { done, value: objects } = await groups.next()
        .catch((error) => Promise.reject(refusal(error)));
      if (done === true) break;
      const names = Object.keys(objects[0] ?? {});
      each({ names, rows: objects.map((row) => names.map((name) => row[name])) }, first);
      first += objects.length;
    }
  } finally {
    await groups.return(undefined);
  }
  if (first === 0) each({ names: [], rows: [] }, 0);
}
