/**
 * Finds which of some ascending thresholds a value falls below, in a step or two: a table over equal bins
 * of the line says where to begin.
 */
export interface BinIndex {
  readonly thresholds: Float64Array;
  readonly low: number;
  readonly scale: number;
  /** For each bin of the line, the first cut that can matter there. */
  readonly first: Int32Array;
}

const GUIDE_CELLS = 2048;

/** The index of some ascending thresholds. */
export function binIndex(thresholds: Float64Array): BinIndex {
  // Infinite thresholds have no place on the line; whatever the index says, the thresholds themselves decide.
  const finite = thresholds.filter(Number.isFinite);
  const low = finite[0] ?? 0, high = finite[finite.length - 1] ?? 0;
  const span = high - low;
  const scale = span > 0 && Number.isFinite(span) ? GUIDE_CELLS / span : 0;
  const first = new Int32Array(GUIDE_CELLS + 1);
  let k = 0;
  for (let bin = 0; bin <= GUIDE_CELLS; bin++) {
    // One bin back, for the product that finds a value's bin may round up into the next one.
    const edge = scale === 0 ? -Infinity : low + (bin - 1) / scale;
    while (k < thresholds.length && thresholds[k]! < edge) k++;
    first[bin] = k;
  }
  return { thresholds, low, scale, first };
}

/** Writes the number of thresholds below each of the first `n` values into `bins`; one more than all for NaN. */
export function fillBins(
  { thresholds, low, scale, first }: BinIndex,
  values: Float64Array,
  n: number,
  bins: Uint8Array | Int32Array,
): void {
  const last = thresholds.length;
  for (let i = 0; i < n; i++) {
    const x = values[i]!;
    if (x !== x) {
      bins[i] = last + 1;
      continue;
    }
    const place = (x - low) * scale;
    let k = place > 0 ? (place < GUIDE_CELLS ? first[place | 0]! : first[GUIDE_CELLS]!) : 0;
    while (k < last && thresholds[k]! < x) k++;
    bins[i] = k;
  }
}

/** Adds the number of values with k thresholds below to `hits[k]`; NaN counts in the last place. */
export function countBins(
  { thresholds, low, scale, first }: BinIndex,
  values: Float64Array,
  n: number,
  hits: Float64Array,
): void {
  const last = thresholds.length;
  for (let i = 0; i < n; i++) {
    const x = values[i]!;
    if (x !== x) {
      hits[last + 1]!++;
      continue;
    }
    const place = (x - low) * scale;
    let k = place > 0 ? (place < GUIDE_CELLS ? first[place | 0]! : first[GUIDE_CELLS]!) : 0;
    while (k < last && thresholds[k]! < x) k++;
    hits[k]!++;
  }
}
