import { requirePositive } from "../../../../core/numeric/require.ts";
import { BlockMemory } from "../solver/block_memory.ts";
import type { Rows } from "./rows.ts";

/**
 * The rows with one more feature, the last, that is `value` in every row: its weight is the intercept.
 * It is regularised like the others, and it counts in the norm: rows of norm at most q become rows of
 * norm at most √(q² + value²), which is the bound to calibrate to. Leaving the intercept out of either
 * breaks the privacy claim.
 *
 * @throws {RangeError} unless value is positive and finite.
 */
export function withIntercept(
  rows: Rows,
  { value, memory = new BlockMemory() }: {
    readonly value: number;
    /** Memory for the wider rows. Default: memory of their own. */
    readonly memory?: BlockMemory;
  },
): Rows {
  requirePositive("append an intercept", "value", value);
  const { rowCount, columnCount } = rows;
  const wider = columnCount + 1;
  if (rows.kind === "dense") {
    const values = memory.doubles("wider values", rowCount * wider);
    for (let i = 0; i < rowCount; i++) {
      values.set(rows.values.subarray(i * columnCount, (i + 1) * columnCount), i * wider);
      values[i * wider + columnCount] = value;
    }
    return { kind: "dense", rowCount, columnCount: wider, values };
  }
  const offsets = memory.integers("wider offsets", rowCount + 1);
  const columns = memory.integers("wider columns", rows.columns.length + rowCount);
  const values = memory.doubles("wider values", rows.values.length + rowCount);
  offsets[0] = 0;
  for (let i = 0; i < rowCount; i++) {
    const from = rows.offsets[i]!, to = rows.offsets[i + 1]!;
    columns.set(rows.columns.subarray(from, to), from + i);
    values.set(rows.values.subarray(from, to), from + i);
    columns[to + i] = columnCount;
    values[to + i] = value;
    offsets[i + 1] = to + i + 1;
  }
  return { kind: "sparse", rowCount, columnCount: wider, offsets, columns, values };
}
