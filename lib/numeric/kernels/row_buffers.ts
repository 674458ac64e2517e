import { inKernelMemory, type Kernels } from "./kernels.ts";

/** Numbers of a chunk of rows, and rows of it at most. */
const NUMBERS = 1 << 15, ROWS = 2048;
/** Doubles of the tables that a kernel has for one call, and words that it counts in. */
const TABLE_NUMBERS = 1 << 14, HITS = 1 << 13;
const BYTES = 8 * (NUMBERS + ROWS + 4 + TABLE_NUMBERS) + 4 * HITS + NUMBERS + ROWS;

/** Buffers in the kernels' memory for a chunk of rows and what is made of it: nothing in it outlives a call of a kernel. */
export interface RowBuffers {
  readonly kernels: Kernels;
  readonly rows: Float64Array;
  /** A number a row. */
  readonly out: Float64Array;
  readonly tables: Float64Array;
  readonly hits: Uint32Array;
  /** A byte a number. */
  readonly bytes: Uint8Array;
  /** A byte a row. */
  readonly labels: Uint8Array;
}

/** The buffers of this thread for rows of so many numbers; `undefined` where there are no kernels, or rows are too long. */
export function rowBuffers(width: number): RowBuffers | undefined {
  return 2 * width > NUMBERS ? undefined : buffers();
}

const buffers = inKernelMemory(BYTES, (own: Kernels, address): RowBuffers => {
  const { memory } = own;
  const out = address + 8 * NUMBERS, tables = out + 8 * (ROWS + 4);
  const hits = tables + 8 * TABLE_NUMBERS, bytes = hits + 4 * HITS;
  return {
    kernels: own,
    rows: new Float64Array(memory, address, NUMBERS),
    out: new Float64Array(memory, out, ROWS + 4),
    tables: new Float64Array(memory, tables, TABLE_NUMBERS),
    hits: new Uint32Array(memory, hits, HITS),
    bytes: new Uint8Array(memory, bytes, NUMBERS),
    labels: new Uint8Array(memory, bytes + NUMBERS, ROWS),
  };
});

/** Copies rows `from` to `from + n` chunk by chunk, an even number but at the end, and calls `act` with the place of the first one and their number. */
export function eachChunk(
  { rows: own }: RowBuffers,
  { rows, width, from, n }: { rows: Float64Array; width: number; from: number; n: number },
  act: (done: number, count: number) => void,
): void {
  const most = Math.min(ROWS, 2 * Math.floor(NUMBERS / width / 2));
  for (let done = 0; done < n; done += most) {
    const count = Math.min(most, n - done), first = (from + done) * width;
    own.set(rows.subarray(first, first + count * width));
    act(done, count);
  }
}
