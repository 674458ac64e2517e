import { createReadStream } from "node:fs";
import Papa from "papaparse";
import type { Row } from "./cells.ts";

/** The part of papaparse, which has no types here, that is used. */
interface Papaparse {
  /** Guesses what separates cells and lines. */
  parse(text: string, options: { readonly preview: number; readonly skipEmptyLines: boolean }): {
    readonly meta: { readonly delimiter: string; readonly linebreak: string };
  };
  Parser: new (
    options: { readonly delimiter: string; readonly newline: string },
  ) => {
    parse(text: string, start: number, leaveLastLine: boolean): {
      readonly data: string[][];
      readonly errors: readonly { readonly type: string; readonly row?: number }[];
      readonly meta: { readonly cursor: number };
    };
  };
}

/** Bytes that are read at once. Of larger pieces more outlives two collections of garbage, and memory grows for a long time. */
const PIECE = 2 ** 16;

/** Some rows of a CSV file in their order. */
export interface CsvPart {
  /** The names of the columns, from the first line. */
  readonly names: readonly string[];
  /** Of any length each, and at times none at all. Blank lines are left out. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * The rows of a CSV file with a line of names, part by part; at least one part. What separates cells is as the first lines suggest.
 *
 * @throws {RangeError} when a quote stays open or there is no line of names; and what the file system says of a file that cannot be read.
 */
export async function* csvParts(file: string): AsyncGenerator<CsvPart> {
  const papa = Papa as unknown as Papaparse, decoder = new TextDecoder();
  let names: readonly string[] | undefined, parser: InstanceType<Papaparse["Parser"]> | undefined;
  let rest = "", before = 0;
  const take = (text: string, isEnd: boolean): CsvPart | undefined => {
    rest += text;
    if (parser === undefined) {
      const { delimiter, linebreak } = papa.parse(rest, { preview: 10, skipEmptyLines: true }).meta;
      parser = new papa.Parser({ delimiter, newline: linebreak });
    }
    const { data, errors, meta } = parser.parse(rest, 0, !isEnd);
    rest = rest.slice(meta.cursor);
    const open = errors.find(({ type }) => type === "Quotes");
    if (open !== undefined) {
      // An open quote swallows all that follows: rows count from the line of names, which is row 0.
      throw new RangeError(
        `Cannot read ${file}: row ${before + (open.row ?? 0)}: quotes must be closed`,
      );
    }
    const rows = data.filter((cells) => cells.length > 1 || cells[0] !== "");
    before += rows.length;
    names ??= rows.shift()?.map((name) => name.trim());
    return names && { names, rows };
  };
  for await (const bytes of createReadStream(file, { highWaterMark: PIECE })) {
    const part = take(decoder.decode(bytes as Uint8Array, { stream: true }), false);
    if (part !== undefined) yield part;
  }
  const part = take(decoder.decode(), true);
  if (part === undefined) {
    throw new RangeError(`Cannot read ${file}: it must have a line of column names`);
  }
  yield part;
}

/**
 * The rows of a CSV file with a line of names: `table(() => csvRows("survey.csv"), schema)` reads it anew for each question, so that it
 * may be larger than memory. Cells are texts. Those that a line lacks are missing, and what it has too much is left out.
 *
 * @throws {RangeError} when a quote stays open or there is no line of names; and what the file system says of a file that cannot be read.
 *
 * @example
 * ```ts
 * import { csvRows } from "./csv_rows.ts";
 * const rows = (): AsyncIterable<Record<string, unknown>> => csvRows("survey.csv");
 * ```
 */
export async function* csvRows(file: string): AsyncGenerator<Row> {
  for await (const { names, rows } of csvParts(file)) {
    for (const cells of rows) yield Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  }
}
