/**
 * Finds the bin of a value between ascending thresholds in a step or two: a table over equal cells of the line holds
 * the threshold to begin with.
 */
export interface BinIndex {
  readonly thresholds: Float64Array;
  /** Where the first cell begins. */
  readonly low: number;
  /** Cells for each unit of the line; 0 if there is one cell. */
  readonly scale: number;
  /** For each cell, the first threshold that a value in it may not exceed. */
  readonly first: Int32Array;
}

/** Cells of the table for each threshold, and at most: a table larger than that takes longer to fill than it saves. */
const CELLS_EACH = 8, MOST_CELLS = 2048;

/** Returns a table that finds the bin of a value among ascending thresholds without a search through all of them. */
export function binIndex(thresholds: Float64Array): BinIndex {
  // Infinite thresholds lie in no cell. The table gives only the beginning; the thresholds themselves decide.
  const finite = thresholds.filter(Number.isFinite);
  const low = finite[0] ?? 0, high = finite[finite.length - 1] ?? 0;
  const span = high - low;
  const cells = Math.min(CELLS_EACH * thresholds.length, MOST_CELLS);
  const scale = span > 0 && Number.isFinite(span) ? cells / span : 0;
  const first = new Int32Array(cells + 1);
  let k = 0;
  for (let cell = 0; cell <= cells; cell++) {
    // One cell back, for the product that finds a value's cell may round up into the next one.
    const edge = scale === 0 ? -Infinity : low + (cell - 1) / scale;
    while (k < thresholds.length && thresholds[k]! < edge) k++;
    first[cell] = k;
  }
  return { thresholds, low, scale, first };
}

/** Writes the number of thresholds below each of the first `n` values into `bins`; one more than all for NaN. */
export function fillBins(
  index: BinIndex,
  values: Float64Array,
  n: number,
  bins: Uint8Array | Int32Array,
): void {
  const { thresholds, low, scale, first } = index;
  const last = thresholds.length, cells = first.length - 1;
  for (let i = 0; i < n; i++) {
    const x = values[i]!;
    if (x !== x) {
      bins[i] = last + 1;
      continue;
    }
    const place = (x - low) * scale;
    let k = place > 0 ? (place < cells ? first[place | 0]! : first[cells]!) : 0;
    while (k < last && thresholds[k]! < x) k++;
    bins[i] = k;
  }
}

/** Adds the number of values with k thresholds below to `hits[k]`; NaN counts in the last place. */
export function countBins(
  index: BinIndex,
  values: Float64Array,
  n: number,
  hits: Float64Array,
): void {
  const { thresholds, low, scale, first } = index;
  const last = thresholds.length, cells = first.length - 1;
  for (let i = 0; i < n; i++) {
    const x = values[i]!;
    if (x !== x) {
      hits[last + 1]!++;
      continue;
    }
    const place = (x - low) * scale;
    let k = place > 0 ? (place < cells ? first[place | 0]! : first[cells]!) : 0;
    while (k < last && thresholds[k]! < x) k++;
    hits[k]!++;
  }
}
