/**
 * Finds which of some ascending cuts a value falls below, in a step or two: a table over equal cells
 * of the line says where to begin.
 */
export interface BinIndex {
  readonly cuts: Float64Array;
  readonly low: number;
  readonly scale: number;
  /** For each cell of the line, the first cut that can matter there. */
  readonly first: Int32Array;
}

const GUIDE_CELLS = 2048;

/** The guide of some ascending cuts. */
export function binIndex(cuts: Float64Array): BinIndex {
  // Infinite cuts have no place on the line; whatever the guide says, the cuts themselves decide.
  const finite = cuts.filter(Number.isFinite);
  const low = finite[0] ?? 0, high = finite[finite.length - 1] ?? 0;
  const span = high - low;
  const scale = span > 0 && Number.isFinite(span) ? GUIDE_CELLS / span : 0;
  const first = new Int32Array(GUIDE_CELLS + 1);
  let k = 0;
  for (let cell = 0; cell <= GUIDE_CELLS; cell++) {
    // One cell back, for the product that finds a value's cell may round up into the next one.
    const edge = scale === 0 ? -Infinity : low + (cell - 1) / scale;
    while (k < cuts.length && cuts[k]! < edge) k++;
    first[cell] = k;
  }
  return { cuts, low, scale, first };
}

/** Writes the number of cuts below each of the first `n` values into `cells`; one more than all for NaN. */
export function fillBins(
  { cuts, low, scale, first }: BinIndex,
  values: Float64Array,
  n: number,
  cells: Uint8Array | Int32Array,
): void {
  const last = cuts.length;
  for (let i = 0; i < n; i++) {
    const x = values[i]!;
    if (x !== x) {
      cells[i] = last + 1;
      continue;
    }
    const place = (x - low) * scale;
    let k = place > 0 ? (place < GUIDE_CELLS ? first[place | 0]! : first[GUIDE_CELLS]!) : 0;
    while (k < last && cuts[k]! < x) k++;
    cells[i] = k;
  }
}

/** Adds the number of values with k cuts below to `hits[k]`; NaN counts in the last place. */
export function countBins(
  { cuts, low, scale, first }: BinIndex,
  values: Float64Array,
  n: number,
  hits: Float64Array,
): void {
  const last = cuts.length;
  for (let i = 0; i < n; i++) {
    const x = values[i]!;
    if (x !== x) {
      hits[last + 1]!++;
      continue;
    }
    const place = (x - low) * scale;
    let k = place > 0 ? (place < GUIDE_CELLS ? first[place | 0]! : first[GUIDE_CELLS]!) : 0;
    while (k < last && cuts[k]! < x) k++;
    hits[k]!++;
  }
}
