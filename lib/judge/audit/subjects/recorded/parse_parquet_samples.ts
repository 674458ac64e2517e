import { parquetReadObjects } from "hyparquet";
import type { Refuse } from "./refuse.ts";

/**
 * Returns the outputs of a Parquet file, as {@linkcode readSamples} says.
 *
 * @throws {RangeError} through `refuse` when the file is not such a Parquet file.
 */
export async function parseParquetSamples(
  bytes: Uint8Array<ArrayBuffer>,
  refuse: Refuse,
): Promise<unknown[]> {
  const rows = await parquetReadObjects({ file: bytes.buffer }).catch(() =>
    refuse("it must be a Parquet file without compression or with Snappy")
  );
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 1) return rows.map((row) => plain(row[columns[0]!]));
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]))
  );
}

/** Integers as numbers, also inside lists. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
