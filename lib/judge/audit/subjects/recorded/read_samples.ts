import type { Refuse } from "./refuse.ts";
import { readFile } from "node:fs/promises";
import { requireKind } from "../../../../core/numeric/require.ts";
import { type Outputs, packOutputs } from "../../kernel/outputs.ts";
import { outputProblem } from "../output_limits.ts";

/**
 * Reads recorded outputs, one a row, by the ending of the file's name; `.gz` after it means gzip.
 *
 * - `.ndjson`, `.jsonl`, `.json`: a JSON value a line; empty lines are skipped.
 * - `.csv` (RFC 4180): a single column gives its cells, several give an array a row. Decimal numbers, NaN, inf and Infinity, with or
 *   without a sign, become numbers; other cells are text. The first row is left out as a header if it has text where the second
 *   row has a number.
 * - `.parquet` (without compression, or Snappy): a single column gives its values, several give a record a row. 64-bit integers become
 *   numbers where that loses nothing.
 *
 * All numbers, or all arrays of the same two or more numbers, come as a block of doubles.
 *
 * @throws {RangeError} with the name of the file and the number of the line or row, never with its text.
 *
 * @example
 * ```ts
 * import { readSamples } from "./read_samples.ts";
 * const outputs = await readSamples("fixtures/judge/datasets/doubles.parquet");
 * ```
 */
export async function readSamples(file: string): Promise<Outputs> {
  requireKind("readSamples", "file", file, "text");
  const refuse = (rule: string): never => {
    throw new RangeError(`Cannot read samples of ${file}: ${rule}`);
  };
  const match = /\.(ndjson|jsonl|json|csv|parquet)(\.gz)?$/i.exec(file);
  if (match === null) {
    return refuse(
      "its name must end in .ndjson, .jsonl, .json, .csv or .parquet, or one of them .gz",
    );
  }
  const bytes = await readBytes(file, { gzip: match[2] !== undefined, refuse });
  const values = await parse(match[1]!.toLowerCase(), bytes, refuse);
  if (values.length === 0) refuse("it must hold at least one output");
  for (const [index, value] of values.entries()) {
    const problem = outputProblem(value);
    if (problem !== undefined) refuse(`output ${index + 1} is ${problem}`);
  }
  return packOutputs(values);
}

/** Returns the values of a file; the parser of its form is loaded for it. */
async function parse(
  ending: string,
  bytes: Uint8Array<ArrayBuffer>,
  refuse: Refuse,
): Promise<unknown[]> {
  if (ending === "parquet") {
    const { parseParquetSamples } = await import("./parse_parquet_samples.ts");
    return parseParquetSamples(bytes, refuse);
  }
  const text = decode(bytes, refuse);
  if (ending !== "csv") return parseLines(text, refuse);
  const { parseCsvSamples } = await import("./parse_csv_samples.ts");
  return parseCsvSamples(text, refuse);
}

async function readBytes(
  file: string,
  { gzip, refuse }: { gzip: boolean; refuse: Refuse },
): Promise<Uint8Array<ArrayBuffer>> {
  const read = await readFile(file).catch((error) =>
    refuse(error.code === "ENOENT" ? "the file must exist" : "the file must be readable")
  );
  // A copy: a buffer of Node may share its memory with others.
  const bytes = new Uint8Array(read);
  if (!gzip) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    return refuse("it must be whole gzip data");
  }
}

function decode(bytes: Uint8Array, refuse: Refuse): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("it must be UTF-8 text");
  }
}

function parseLines(text: string, refuse: Refuse): unknown[] {
  const values: unknown[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      // The parser's own message quotes the line.
      refuse(`line ${index + 1} must be one JSON value`);
    }
  }
  return values;
}
