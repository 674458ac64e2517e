import Papa from "papaparse";
import type { Refuse } from "./refuse.ts";

/** The part of papaparse's result that is used: the package has no types. */
interface Parsed {
  readonly data: readonly string[][];
  readonly errors: readonly { readonly row?: number; readonly message: string }[];
}

/**
 * Returns the outputs of a comma-separated file, as {@linkcode readSamples} says.
 *
 * @throws {RangeError} through `refuse`, naming the row, when quotes do not match.
 */
export function parseCsvSamples(text: string, refuse: Refuse): unknown[] {
  const { data, errors }: Parsed = Papa.parse(text.replace(/^\uFEFF/, ""), {
    delimiter: ",",
    skipEmptyLines: true,
  });
  const [error] = errors;
  if (error !== undefined) refuse(`row ${(error.row ?? 0) + 1}: ${error.message}`);
  const rows = data.map((row) => row.map(cellValue));
  if (isHeader(rows[0], rows[1])) rows.shift();
  return rows.every((row) => row.length === 1) ? rows.map((row) => row[0]) : rows;
}

function isHeader(
  first: readonly unknown[] | undefined,
  second: readonly unknown[] | undefined,
): boolean {
  if (first === undefined || second === undefined) return false;
  return first.some((cell, i) => typeof cell !== "number" && typeof second[i] === "number");
}

function cellValue(text: string): number | string {
  const trimmed = text.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  if (/^[+-]?nan$/i.test(trimmed)) return NaN;
  const infinite = /^([+-]?)inf(inity)?$/i.exec(trimmed);
  return infinite === null ? text : infinite[1] === "-" ? -Infinity : Infinity;
}
