import type { Rows } from "../../../lib/dp/learners/erm/rows/rows.ts";

/** The same rows with every zero written out. */
export function denseCopy(rows: Rows): Rows {
  if (rows.kind === "dense") return rows;
  const { rowCount, columnCount, offsets, columns } = rows;
  const values = new Float64Array(rowCount * columnCount);
  for (let i = 0; i < rowCount; i++) {
    for (let k = offsets[i]!; k < offsets[i + 1]!; k++) {
      values[i * columnCount + columns[k]!] = rows.values[k]!;
    }
  }
  return { kind: "dense", rowCount, columnCount, values };
}
