import { eachChunk, rowBuffers } from "../../../numeric/kernels/row_buffers.ts";
import { TableSlots } from "../../../numeric/kernels/table_slots.ts";
import type { KnownRows } from "./known_rows.ts";

/** The most rows of a table in the kernels' memory, which has four slots of 16 bits for each, and the most numbers of its rows. */
const MOST_ROWS = 1024, MOST_NUMBERS = 8192;
/** Tables that stay in the kernels' memory. */
const TABLES = 8;

/** Where the parts of a table begin. */
const WEIGHTS_AT = 8 * MOST_ROWS, ROWS_AT = 2 * WEIGHTS_AT;

const tables = new TableSlots<KnownRows["inKernels"]>({
  bytes: ROWS_AT + 8 * MOST_NUMBERS,
  slots: TABLES,
  write: (owner, memory, address) => {
    new Uint16Array(memory, address, 4 * MOST_ROWS).fill(0);
    owner.placed = 0;
  },
});

/**
 * Counts the first rows of `n` by a kernel, as `countRows` does.
 *
 * @returns how many: fewer than `n` where the next one is new and would be one too many for `most` or for the kernels' memory, or
 * there is no kernel.
 */
export function countRowsByKernel(
  own: KnownRows,
  rows: Float64Array,
  { n, most }: { readonly n: number; readonly most: number },
): number {
  const { width } = own, fitting = Math.min(most, MOST_ROWS, Math.floor(MOST_NUMBERS / width));
  const buffers = own.known >= fitting ? undefined : rowBuffers(width);
  const address = buffers && tables.addressOf(own.inKernels, buffers.kernels);
  if (buffers === undefined || address === undefined) return 0;
  const { memory } = buffers.kernels;
  const weights = new Float64Array(memory, address + WEIGHTS_AT, fitting);
  const ownRows = new Float64Array(memory, address + ROWS_AT, fitting * width);
  let known = own.inKernels.placed;
  /** Counts a part of `all` rows, and says how many of it. */
  const count = (all: Float64Array, from: number, n: number): number => {
    let counted = 0;
    eachChunk(buffers, { rows: all, width, from, n }, (done, size) => {
      if (counted < done) return;
      const found = buffers.kernels.countDistinctRows(
        buffers.rows.byteOffset,
        width,
        size,
        address,
        weights.byteOffset,
        ownRows.byteOffset,
        known,
        fitting,
      );
      known = found >>> 16;
      counted += found & 0xffff;
    });
    return counted;
  };
  // Known rows that the table lacks are new to it, and get the places that they have.
  if (known < own.known) count(own.rows, known, own.known - known);
  weights.fill(0, 0, known);
  const counted = count(rows, 0, n);
  own.rows.set(ownRows.subarray(own.known * width, known * width), own.known * width);
  own.weights.set(weights.subarray(0, known));
  own.known = own.inKernels.placed = known;
  return counted;
}
