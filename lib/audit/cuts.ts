import { firstAtLeast } from "../numeric/sorted_search.ts";

const MAX_CUTS = 120;
const MAX_VALUES_OF_ITS_OWN = 96;

/**
 * Where a feature may be split: quantiles of its training values, finer towards both ends so that
 * rare events are reached, and both sides of every value that repeats often.
 */
export function cutsOf(values: Float64Array, minLeaf: number): Float64Array {
  const few = fewValues(values, MAX_VALUES_OF_ITS_OWN);
  if (few !== undefined) return few;
  const stride = Math.max(1, Math.floor(values.length / 8192));
  const sample = new Float64Array(Math.ceil(values.length / stride));
  let n = 0;
  for (let i = 0; i < values.length; i += stride) {
    if (!Number.isNaN(values[i]!)) sample[n++] = values[i]!;
  }
  if (n === 0) return new Float64Array(0);
  const sorted = sample.subarray(0, n).sort();
  const cuts = new Set<number>();
  const add = (place: number): void => {
    const value = sorted[Math.min(n - 1, Math.max(0, Math.floor(place)))]!;
    cuts.add(value);
    const start = firstAtLeast(sorted, value);
    // A value that repeats becomes a cell of its own.
    if (start > 0 && start + 8 < n && sorted[start + 8] === value) cuts.add(sorted[start - 1]!);
  };
  for (let k = 1; k < 48; k++) add((k * n) / 48);
  for (let tail = n / 75; tail >= 8; tail /= 1.6) {
    add(tail);
    add(n - 1 - tail);
  }
  const own = Float64Array.from(cuts);
  const tails = [...tailCuts(values, sorted, minLeaf, 1), ...tailCuts(values, sorted, minLeaf, -1)];
  return Float64Array.from(new Set([...own, ...tails])).sort();
}

/** Values that are sorted to find the cuts of a profile, at most about. */
const MOST_SORTED = 1 << 16;
/** Cells of a profile between its tails. */
const FINE_CELLS = 160;

/** Cuts for a profile: many quantiles, and tails down to a few values. No value but NaN: no cuts. */
export function profileCuts(values: Float64Array): Float64Array {
  const few = fewValues(values, MAX_VALUES_OF_ITS_OWN);
  if (few !== undefined) return few;
  const present = values.filter((x) => x === x);
  const stride = Math.ceil(present.length / MOST_SORTED);
  const sorted = present.filter((_, i) => i % stride === 0).sort();
  const n = sorted.length;
  const cuts = new Set<number>();
  for (let k = 1; k < FINE_CELLS; k++) cuts.add(sorted[Math.floor((k * n) / FINE_CELLS)]!);
  for (let tail = n / FINE_CELLS; tail >= 16; tail /= 1.3) {
    cuts.add(sorted[Math.floor(tail)]!);
    cuts.add(sorted[n - 1 - Math.floor(tail)]!);
  }
  // Both sides of a value that repeats.
  for (const cut of [...cuts]) {
    const start = firstAtLeast(sorted, cut);
    if (start > 0 && sorted[start + 8] === cut) cuts.add(sorted[start - 1]!);
  }
  return Float64Array.from(cuts).sort();
}

/** The distinct values in order, if there are at most `most`. */
export function fewValues(values: Float64Array, most: number): Float64Array | undefined {
  const found = new Float64Array(most);
  let distinct = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    if (x !== x) continue;
    let k = 0;
    while (k < distinct && found[k] !== x) k++;
    if (k < distinct) continue;
    if (distinct === most) return undefined;
    found[distinct++] = x;
  }
  return found.subarray(0, distinct).toSorted();
}

/** Cuts among the most extreme values of one side, which a sample is too coarse for. */
function tailCuts(
  values: Float64Array,
  sorted: Float64Array,
  minLeaf: number,
  sign: 1 | -1,
): number[] {
  const place = Math.min(8, Math.floor(sorted.length / 4));
  const edge = sign * sorted[sign === 1 ? sorted.length - 1 - place : place]!;
  const tail: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (sign * values[i]! > edge) tail.push(sign * values[i]!);
  }
  const ascending = Float64Array.from(tail).sort();
  const cuts: number[] = [];
  for (let beyond = minLeaf; beyond < ascending.length; beyond *= 1.7) {
    const at = ascending.length - Math.floor(beyond);
    // Outputs beyond the cut are `x > cut` above, `x <= cut` below.
    cuts.push(sign * ascending[sign === 1 ? at - 1 : at]!);
  }
  return cuts.filter((cut) => !Number.isNaN(cut));
}

/** The values of a categorical feature that repeat, the most frequent ones, in order. */
export function cutsOfCategories(values: Float64Array): Float64Array {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Float64Array.from(
    [...counts].filter(([, count]) => count >= 3).sort((a, b) => b[1] - a[1]).slice(0, MAX_CUTS)
      .map(([value]) => value),
  ).filter((value) => !Number.isNaN(value)).sort();
}
