import { requirePositive } from "../../../../core/numeric/require.ts";
import { BlockMemory } from "../solver/block_memory.ts";
import type { Rows } from "./rows.ts";

/** Kept away from the bound, so that the norm of a clipped row does not exceed it by rounding. */
const MARGIN = 1 - 1e-12;

/** Further away than any rounding: a row whose sum of squares is so much below the square of the bound stays. */
const CLEARLY = 1 - 1e-9;

/** A sum of squares from here on has lost nothing that counts to numbers whose squares are too small. */
const LEAST_SUM = 1e-290;

/**
 * The rows, each that is longer than `normBound` scaled down to it. What a private learner does
 * before anything else: its noise is calibrated to the declared bound and never to the data. Each row
 * is treated by itself, so neighbours stay neighbours.
 *
 * @throws {RangeError} unless normBound is positive and finite.
 *
 * @example
 * ```ts
 * import { clipRows } from "./clip_rows.ts";
 * import { denseRows } from "./rows.ts";
 * clipRows(denseRows([[3, 4]]), { normBound: 1 }).values; // about 0.6 and 0.8
 * ```
 */
export function clipRows(
  rows: Rows,
  { normBound, memory = new BlockMemory() }: {
    readonly normBound: number;
    /** Memory for the values of clipped rows. Default: memory of their own. */
    readonly memory?: BlockMemory;
  },
): Rows {
  requirePositive("clip rows", "normBound", normBound);
  const enough = Math.min(CLEARLY * normBound * normBound, Number.MAX_VALUE);
  let values = rows.values;
  for (let i = 0; i < rows.rowCount; i++) {
    const from = rows.kind === "dense" ? i * rows.columnCount : rows.offsets[i]!;
    const to = rows.kind === "dense" ? from + rows.columnCount : rows.offsets[i + 1]!;
    let squares = 0;
    for (let k = from; k < to; k++) squares += values[k]! * values[k]!;
    if (squares >= LEAST_SUM && squares <= enough) continue;
    // The largest entry is taken out first: squares of huge values overflow, of tiny ones vanish.
    let largest = 0;
    for (let k = from; k < to; k++) largest = Math.max(largest, Math.abs(values[k]!));
    if (largest === 0) continue;
    let sum = 0;
    for (let k = from; k < to; k++) sum += (values[k]! / largest) ** 2;
    const length = Math.sqrt(sum);
    if (largest <= normBound * MARGIN / length) continue;
    if (values === rows.values) {
      values = memory.doubles("clipped values", values.length);
      values.set(rows.values);
    }
    const scale = normBound * MARGIN / length;
    for (let k = from; k < to; k++) values[k] = values[k]! / largest * scale;
  }
  return { ...rows, values };
}
