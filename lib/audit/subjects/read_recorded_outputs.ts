import { parquetReadObjects } from "hyparquet";
import Papa from "papaparse";

/**
 * Reads recorded outputs, one a row, by the ending of the file's name:
 *
 * - `.ndjson`, `.jsonl`: a JSON value a line.
 * - `.csv`: a row with one cell is that value, a longer one an array. Cells that read as numbers are
 *   numbers (NaN, inf and Infinity too), `true` and `false` are booleans, empty cells null, all others
 *   text. A first row without numbers above a row with some is a header and is left out.
 * - `.parquet`: as CSV, with the types of the columns; Snappy or no compression.
 *
 * @throws {RangeError} when the file cannot be read, or has another ending.
 *
 * @example
 * ```ts no-assert
 * const outputs = await readRecordedOutputs("left.csv");
 * ```
 */
export async function readRecordedOutputs(file: string): Promise<unknown[]> {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  switch (ending) {
    case "ndjson":
    case "jsonl":
      return readLines(await bytesOf(file), file);
    case "csv":
      return readCsv(await bytesOf(file), file);
    case "parquet":
      return await readParquet(await bytesOf(file), file);
    default:
      return refuse(file, "its name must end in .ndjson, .jsonl, .csv or .parquet");
  }
}

function refuse(file: string, reason: string): never {
  throw new RangeError(`Cannot read recorded outputs of ${file}: ${reason}`);
}

async function bytesOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Deno.readFile(file);
  } catch {
    return refuse(file, "there must be a file that can be read");
  }
}

function readLines(bytes: Uint8Array, file: string): unknown[] {
  const outputs: unknown[] = [];
  for (const [index, line] of new TextDecoder().decode(bytes).split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      outputs.push(JSON.parse(line));
    } catch {
      refuse(file, `line ${index + 1} must be JSON`);
    }
  }
  return outputs;
}

/** What is used of papaparse's result; the package has no types of its own. */
interface ParsedCsv {
  readonly data: readonly string[][];
  readonly errors: readonly { readonly row?: number; readonly message: string }[];
}

function readCsv(bytes: Uint8Array, file: string): unknown[] {
  const { data, errors }: ParsedCsv = Papa.parse(new TextDecoder().decode(bytes), {
    delimiter: ",",
    skipEmptyLines: true,
  });
  const [error] = errors;
  if (error !== undefined) refuse(file, `row ${(error.row ?? 0) + 1}: ${error.message}`);
  const rows = data.map((row) => row.map(cellValue));
  if (hasNumber(rows[1]) && !hasNumber(rows[0])) rows.shift();
  return rows.map(single);
}

function cellValue(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  if (/^nan$/i.test(trimmed)) return NaN;
  const infinite = /^([+-]?)inf(inity)?$/i.exec(trimmed);
  if (infinite !== null) return infinite[1] === "-" ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
}

function hasNumber(row: readonly unknown[] | undefined): boolean {
  return row?.some((value) => typeof value === "number") ?? false;
}

function single(row: unknown[]): unknown {
  return row.length === 1 ? row[0] : row;
}

async function readParquet(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<unknown[]> {
  try {
    const rows = await parquetReadObjects({ file: bytes.buffer });
    return rows.map((row) => single(Object.values(row).map(plainNumber)));
  } catch (error) {
    return refuse(file, error instanceof Error ? error.message : String(error));
  }
}

/** 64-bit integers come as bigints: numbers where that loses nothing. */
function plainNumber(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
