import { inKernelMemory, kernels } from "../../../numeric/kernels/kernels.ts";
import { TableSlots } from "../../../numeric/kernels/table_slots.ts";

/** The cells of the line, and the most thresholds of a table. */
const CELLS = 4096, MOST_THRESHOLDS = 1023;
/** The most turns that a loop of the kernel makes: cells that need more make it slow. */
const MOST_TURNS = 8;
/** Values that are copied at a time, and tables that stay in the kernels' memory. */
const VALUES = 2048, SLOTS = 32;

/** Where a kernel finds the bins of values. */
interface BinTable {
  readonly thresholds: Float64Array;
  readonly low: number;
  readonly scale: number;
  /** The number of thresholds in lower cells. */
  readonly first: Uint16Array;
  /** The most thresholds of one cell. */
  readonly turns: number;
}

const known = new WeakMap<Float64Array, BinTable | null>();

/** The table of some thresholds; `null` where a kernel would be no faster. */
function tableOf(thresholds: Float64Array): BinTable | null {
  let table = known.get(thresholds);
  if (table === undefined) known.set(thresholds, table = binTable(thresholds));
  return table;
}

function binTable(thresholds: Float64Array): BinTable | null {
  if (thresholds.length > MOST_THRESHOLDS) return null;
  const finite = thresholds.filter(Number.isFinite);
  const low = finite[0] ?? 0, span = (finite[finite.length - 1] ?? 0) - low;
  const scale = span > 0 && Number.isFinite(span) ? (CELLS - 1) / span : 0;
  // The cell of a number does not fall as the number rises, whatever is rounded. So a threshold in a lower cell than a value
  // lies below it, and one in a higher cell does not.
  const first = new Uint16Array(CELLS);
  let next = 0, turns = 0, own = 0, last = -1;
  for (let k = 0; k < thresholds.length; k++) {
    const place = (thresholds[k]! - low) * scale;
    const cell = place > 0 ? (place < CELLS - 1 ? Math.floor(place) : CELLS - 1) : 0;
    // Thresholds ascend, and so do their cells.
    if (next <= cell) {
      first.fill(k, next, cell + 1);
      next = cell + 1;
    }
    own = cell === last ? own + 1 : 1;
    last = cell;
    if (own > turns) turns = own;
  }
  first.fill(thresholds.length, next);
  return turns > MOST_TURNS ? null : { thresholds, low, scale, first, turns };
}

const slots = new TableSlots<BinTable>({
  bytes: 2 * CELLS + 8 * (MOST_THRESHOLDS + 1),
  slots: SLOTS,
  write: ({ thresholds, first }, memory, address) => {
    new Uint16Array(memory, address, CELLS).set(first);
    const own = new Float64Array(memory, address + 2 * CELLS, MOST_THRESHOLDS + 1);
    own.set(thresholds);
    own[thresholds.length] = Infinity;
  },
});

/** Buffers for values, for their bins, and for four counts of each bin. */
interface Buffers {
  readonly values: Float64Array;
  readonly bins: Uint32Array;
  readonly hits: Uint32Array;
}

const buffersOf = inKernelMemory(
  12 * VALUES + 16 * (MOST_THRESHOLDS + 2),
  ({ memory }, address): Buffers => ({
    values: new Float64Array(memory, address, VALUES),
    bins: new Uint32Array(memory, address + 8 * VALUES, VALUES),
    hits: new Uint32Array(memory, address + 12 * VALUES, 4 * (MOST_THRESHOLDS + 2)),
  }),
);

/** What one call of the kernel needs. */
interface Placing {
  readonly buffers: Buffers;
  /** Places the first values of the buffers. */
  readonly place: (count: number, isCounted: boolean) => void;
}

function placing(thresholds: Float64Array): Placing | undefined {
  const own = kernels(), buffers = buffersOf();
  if (own === undefined || buffers === undefined) return undefined;
  const table = tableOf(thresholds);
  const address = table === null ? undefined : slots.addressOf(table, own);
  if (table === null || address === undefined) return undefined;
  const { values, bins, hits } = buffers, { low, scale, turns } = table;
  return {
    buffers,
    place: (count, isCounted) =>
      own.placeInBins(
        values.byteOffset,
        count,
        isCounted ? hits.byteOffset : 0,
        bins.byteOffset,
        address + 2 * CELLS,
        thresholds.length,
        low,
        scale,
        CELLS - 1,
        address,
        turns,
      ),
  };
}

/** Writes the bins of the first `n` values by a kernel. @returns whether there is one. */
export function fillBinsByKernel(
  thresholds: Float64Array,
  values: Float64Array,
  n: number,
  bins: Uint8Array | Int32Array,
): boolean {
  const own = placing(thresholds);
  if (own === undefined) return false;
  for (let from = 0; from < n; from += VALUES) {
    const count = Math.min(VALUES, n - from);
    own.buffers.values.set(values.subarray(from, from + count));
    own.place(count, false);
    bins.set(own.buffers.bins.subarray(0, count), from);
  }
  return true;
}

/** Adds the numbers of the first `n` values in each bin to `hits` by a kernel. @returns whether there is one. */
export function countBinsByKernel(
  thresholds: Float64Array,
  values: Float64Array,
  n: number,
  hits: Float64Array,
): boolean {
  const own = placing(thresholds);
  if (own === undefined) return false;
  const counts = own.buffers.hits, last = thresholds.length + 1;
  counts.fill(0, 0, 4 * (last + 1));
  for (let from = 0; from < n; from += VALUES) {
    const count = Math.min(VALUES, n - from);
    own.buffers.values.set(values.subarray(from, from + count));
    own.place(count, true);
  }
  for (let bin = 0, at = 0; bin <= last; bin++, at += 4) {
    hits[bin]! += counts[at]! + counts[at + 1]! + counts[at + 2]! + counts[at + 3]!;
  }
  return true;
}
