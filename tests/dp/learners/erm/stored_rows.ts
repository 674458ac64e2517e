import type { Rows } from "../../../../lib/dp/learners/erm/rows/rows.ts";

/** All values of the rows, zeros included. */
export function valuesOf(rows: Rows): number[] {
  const { rowCount, columnCount } = rows;
  if (rows.kind === "dense") return Array.from(rows.values);
  const all = new Array<number>(rowCount * columnCount).fill(0);
  for (let i = 0; i < rowCount; i++) {
    for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
      all[i * columnCount + rows.columns[k]!] = rows.values[k]!;
    }
  }
  return all;
}
