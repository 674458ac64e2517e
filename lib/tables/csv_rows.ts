import { createReadStream } from "node:fs";
import Papa from "papaparse";
import type { Row } from "./cells.ts";

/** What papaparse, which has no types here, hands over. */
interface Parsed {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly type: string }[];
  readonly meta: { readonly delimiter: string };
}

/** Bytes that are read at once. */
const PIECE = 2 ** 18;

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
  const decoder = new TextDecoder();
  let names: readonly string[] | undefined, delimiter: string | undefined, rest = "";
  const parsed = (text: string): Row[] => {
    const { data, errors, meta }: Parsed = Papa.parse(text, {
      skipEmptyLines: true,
      // As the first lines suggest.
      delimiter,
    });
    delimiter ??= meta.delimiter;
    if (errors.some(({ type }) => type === "Quotes")) {
      throw new RangeError(`Cannot read ${file}: quotes must be closed`);
    }
    const lines = names === undefined ? data.slice(1) : data;
    names ??= data[0]?.map((name) => name.trim());
    return lines.map((cells) => Object.fromEntries(names!.map((name, i) => [name, cells[i]])));
  };
  for await (const bytes of createReadStream(file, { highWaterMark: PIECE })) {
    rest += decoder.decode(bytes as Uint8Array, { stream: true });
    const end = lastLineEnd(rest);
    if (end === 0) continue;
    yield* parsed(rest.slice(0, end));
    rest = rest.slice(end);
  }
  rest += decoder.decode();
  if (rest !== "") yield* parsed(rest);
  if (names === undefined) {
    throw new RangeError(`Cannot read ${file}: it must have a line of column names`);
  }
}

/** Where the last line ends that is whole: behind its line break, which is not one within quotes; 0 where there is none. */
function lastLineEnd(text: string): number {
  let end = 0, isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) isQuoted = !isQuoted;
    else if (code === 10 && !isQuoted) end = i + 1;
  }
  return end;
}
