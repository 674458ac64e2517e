import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { Row } from "../schema/cells.ts";
import { type CsvBatch, csvBatches, type CsvDialect } from "./engine/csv_batches.ts";
import type { FileRows } from "./rows.ts";

/** Format of a CSV file, where its line of names does not say it. */
export interface CsvOptions {
  /** What stands between cells, one character. Default: of comma, tab, semicolon and vertical bar the one that is most often in the line of names. */
  readonly delimiter?: string;
}

/** What may stand between cells, the usual first. */
const DELIMITERS = [",", "\t", ";", "|"];

/** Messages show no name: the first line of a file that has none is a row. */
const NO_NAMES = "it must have a line of column names, which a line feed ends";

/** Some rows of a CSV file in their order. */
export interface CsvPart {
  /** The names of the columns, from the first line. */
  readonly names: readonly string[];
  /** As many cells as there are names; those that a line lacks are `undefined`. */
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/**
 * The rows of a CSV file with a line of names, part by part; at least one part. All that is known of the file comes from its first line: what separates cells, and what ends lines. Each other
 * line is one row, whatever it holds, and no other row is read differently for it. Blank lines are left out where there are several columns.
 *
 * @throws {RangeError} when there is no line of names, or it has an open quote or a name twice; and what the file system says of a file that cannot be read.
 */
export async function* csvParts(file: string, options: CsvOptions = {}): AsyncGenerator<CsvPart> {
  for await (const { size, dialect: { names }, textAt } of batchesOf(file, undefined, options)) {
    const rows = Array.from({ length: size }, (_, row) => names.map((_, at) => textAt(row, at)));
    yield { names, rows };
  }
}

/** Rows with some of the columns, or all. */
function batchesOf(
  file: string,
  columns: readonly string[] | undefined,
  options: CsvOptions,
): AsyncGenerator<CsvBatch> {
  const given = delimiterIn(options);
  return csvBatches(file, columns, {
    dialectOf(line, lineEnd): CsvDialect {
      const header = line?.replace(/^\uFEFF/, "") ?? "", delimiter = given ?? delimiterOf(header);
      return { names: namesOf(file, header, delimiter), delimiter, lineEnd };
    },
    cellsOf: (line, delimiter) => cellsOf(line, delimiter).cells,
  });
}

function delimiterIn(options: CsvOptions): string | undefined {
  const { delimiter } = requireFields("csvRows", options, { delimiter: "text?" });
  requireKnown("read CSV", options, ["delimiter"]);
  if (delimiter === undefined || /^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw new RangeError(
    `Cannot read CSV: delimiter must be one character, and no quote or line end: current value is ${
      JSON.stringify(delimiter)
    }`,
  );
}

/** Of the usual delimiters the one that is most often outside of quotes. */
function delimiterOf(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, "");
  const count = (delimiter: string): number => plain.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => count(each) > count(best) ? each : best);
}

function namesOf(file: string, header: string, delimiter: string): readonly string[] {
  // A file with carriage returns alone has all of its rows here.
  if (header.trim() === "" || header.includes("\r")) throw refusal(file, NO_NAMES);
  const { cells, hasOpenQuote } = cellsOf(header, delimiter);
  if (hasOpenQuote) throw refusal(file, "quotes must be closed in the line of column names");
  if (cells.some((name, i) => name !== "" && cells.indexOf(name) < i)) {
    throw refusal(file, "names must all be different in the line of column names");
  }
  return cells;
}

function refusal(file: string, rule: string): RangeError {
  return new RangeError(`Cannot read ${file}: ${rule}`);
}

/**
 * The cells of a line, without blanks around them. One that begins with a quote ends behind the next single quote, if a delimiter or the end of the line follows;
 * otherwise the quote is text, as all quotes within a cell are.
 */
function cellsOf(
  line: string,
  delimiter: string,
): { readonly cells: string[]; readonly hasOpenQuote: boolean } {
  // Most lines have no quote.
  if (!line.includes('"')) {
    return { cells: line.split(delimiter).map((cell) => cell.trim()), hasOpenQuote: false };
  }
  const cells: string[] = [];
  let hasOpenQuote = false;
  for (let at = 0; at <= line.length;) {
    const from = behindBlanks(line, at, delimiter), isQuoted = line[from] === '"';
    const close = isQuoted ? closingQuote(line, from + 1) : -1;
    const end = close < 0 ? -1 : behindBlanks(line, close + 1, delimiter);
    if (end >= 0 && (end === line.length || line[end] === delimiter)) {
      cells.push(line.slice(from + 1, close).replaceAll('""', '"').trim());
      at = end + 1;
      continue;
    }
    if (isQuoted) hasOpenQuote = true;
    const found = line.indexOf(delimiter, at), stop = found < 0 ? line.length : found;
    cells.push(line.slice(at, stop).trim());
    at = stop + 1;
  }
  return { cells, hasOpenQuote };
}

function behindBlanks(line: string, from: number, delimiter: string): number {
  let at = from;
  while (at < line.length && line[at] !== delimiter && line[at]!.trim() === "") at++;
  return at;
}

/** The next quote that is not one of two; −1 where there is none. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
}

/**
 * The rows of a CSV file with a line of names: `table(csvRows("survey.csv"), schema)` reads it anew for each question, so that it
 * may be larger than memory. Cells are texts without blanks around them, of UTF-8, or of Windows-1252 in a line that is no UTF-8. Those that a line lacks are missing, and what it has too much is left out.
 *
 * A row is a line: a cell cannot hold what ends lines, which is what ends the line of names. Nothing behind that line is an error, or changes how another row is read: both would tell of rows.
 *
 * @throws {RangeError} when the delimiter is none. Reading throws a RangeError when there is no line of names, or it has an open quote or a name twice; and what the file system says of a file that cannot be read.
 *
 * @example
 * ```ts
 * import { csvRows } from "./csv_rows.ts";
 * const rows = csvRows("survey.csv");
 * const other = csvRows("ventes.csv", { delimiter: ";" });
 * ```
 */
export function csvRows(file: string, options: CsvOptions = {}): FileRows {
  requireKind("csvRows", "file", file, "text");
  delimiterIn(options);
  return {
    async columns(): Promise<readonly string[]> {
      for await (const { names } of csvParts(file, options)) return names;
      return [];
    },
    batches: (names) => batchesOf(file, names, options),
    async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
      for await (const { names, rows } of csvParts(file, options)) {
        for (const cells of rows) {
          yield Object.fromEntries(names.map((name, i) => [name, cells[i]]));
        }
      }
    },
  };
}
