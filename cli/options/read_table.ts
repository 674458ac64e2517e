import type { Table } from "../../lib/dp/learners/erm/files/column_encoder.ts";
import { visitTable } from "./visit_table.ts";

/**
 * Reads a whole table into memory: Parquet where the name ends in `.parquet`, else CSV with a line of names.
 *
 * @throws {BadInput} naming the option.
 */
export async function readTable(option: string, file: string): Promise<Table> {
  let names: readonly string[] = [];
  const rows: (readonly unknown[])[] = [];
  await visitTable({ option, file }, (part) => {
    names = part.names;
    for (const row of part.rows) rows.push(row);
  });
  return { names, rows };
}
