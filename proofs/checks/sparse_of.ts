import { type Rows, sparseRows } from "../../lib/learners/erm/rows.ts";

/** The same rows without their zeros. */
export function sparseOf(table: readonly (readonly number[])[]): Rows {
  const kept = table.map((row) => row.flatMap((x, j) => x === 0 ? [] : [[j, x] as const]));
  const offsets = [0];
  for (const row of kept) offsets.push(offsets.at(-1)! + row.length);
  return sparseRows({
    columnCount: table[0]!.length,
    offsets: Int32Array.from(offsets),
    columns: Int32Array.from(kept.flat(), ([j]) => j),
    values: Float64Array.from(kept.flat(), ([, x]) => x),
  });
}
