import { firstAtLeast } from "../../numeric/sorted_search.ts";

const MAX_CUTS = 120;
const MAX_VALUES_OF_ITS_OWN = 96;

/**
 * Where a feature may be split: quantiles of its training values, finer towards both ends so that
 * rare events are reached, and both sides of every value that repeats often.
 */
export function treeThresholds(values: Float64Array, minLeaf: number): Float64Array {
  const few = fewValues(values, MAX_VALUES_OF_ITS_OWN);
  if (few !== undefined) return few;
  const sorted = sortedSample(values);
  const n = sorted.length;
  if (n === 0) return new Float64Array(0);
  const thresholds = new Set<number>();
  const add = (place: number): void => {
    const value = sorted[Math.min(n - 1, Math.max(0, Math.floor(place)))]!;
    thresholds.add(value);
    const start = firstAtLeast(sorted, value);
    // A value that repeats becomes a bin of its own.
    if (start > 0 && start + 8 < n && sorted[start + 8] === value) {
      thresholds.add(sorted[start - 1]!);
    }
  };
  for (let k = 1; k < 48; k++) add((k * n) / 48);
  for (let tail = n / 75; tail >= 8; tail /= 1.6) {
    add(tail);
    add(n - 1 - tail);
  }
  const own = Float64Array.from(thresholds);
  const tails = ([1, -1] as const)
    .flatMap((sign) => tailCuts(values, { sorted, fewest: minLeaf, ratio: 1.7, sign }));
  return Float64Array.from(new Set([...own, ...tails])).sort();
}

/** Bins of a profile between its tails. */
const FINE_CELLS = 160;

/** Cuts for a profile: many quantiles, and tails down to a few values. No value but NaN: no thresholds. */
export function histogramThresholds(values: Float64Array): Float64Array {
  const few = fewValues(values, MAX_VALUES_OF_ITS_OWN);
  return few ?? quantileCuts(values, { bins: FINE_CELLS, ratio: 1.3, repeats: true });
}

/** Bins of one side of a cross profile between its tails, and the most values that are bins of their own. */
const CROSS_CELLS = 12;
const MOST_CROSS_VALUES = 24;

/** Cuts for one of two features: some quantiles, and tails that halve down to a few values. */
export function pairThresholds(values: Float64Array): Float64Array {
  const few = fewValues(values, MOST_CROSS_VALUES);
  return few ?? quantileCuts(values, { bins: CROSS_CELLS, ratio: 2, repeats: false });
}

/** Values that are sorted to find quantiles, at most about, and the fewest beyond a cut. */
const MOST_SORTED = 1 << 12;
const FEWEST_BEYOND = 16;

/**
 * Quantiles of a sample for `bins` bins of equal mass, and tails beyond which there are fewer and
 * fewer values, by `ratio`, on each side; with `repeats` also both sides of a value that repeats.
 */
function quantileCuts(
  values: Float64Array,
  { bins, ratio, repeats }: { bins: number; ratio: number; repeats: boolean },
): Float64Array {
  const sorted = sortedSample(values);
  const n = sorted.length;
  if (n === 0) return new Float64Array(0);
  const thresholds = new Set<number>();
  for (let k = 1; k < bins; k++) thresholds.add(sorted[Math.floor((k * n) / bins)]!);
  for (let tail = n / bins / ratio; tail >= TAIL_PLACE; tail /= ratio) {
    thresholds.add(sorted[Math.floor(tail)]!);
    thresholds.add(sorted[n - 1 - Math.floor(tail)]!);
  }
  for (const sign of [1, -1] as const) {
    for (const cut of tailCuts(values, { sorted, fewest: FEWEST_BEYOND, ratio, sign })) {
      thresholds.add(cut);
    }
  }
  for (const cut of repeats ? [...thresholds] : []) {
    const start = firstAtLeast(sorted, cut);
    if (start > 0 && sorted[start + 8] === cut) thresholds.add(sorted[start - 1]!);
  }
  return Float64Array.from(thresholds).sort();
}

/** Some of the values in order, NaN left out. */
function sortedSample(values: Float64Array): Float64Array {
  let present = 0;
  for (let i = 0; i < values.length; i++) present += Number(values[i] === values[i]);
  const stride = Math.max(1, Math.floor(present / MOST_SORTED));
  const sample = new Float64Array(Math.ceil(present / stride));
  let n = 0, next = 0;
  for (let i = 0, seen = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!) || seen++ < next) continue;
    next += stride;
    sample[n++] = values[i]!;
  }
  return sample.subarray(0, n).sort();
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

/** Where the tail of a sample begins for which it is too coarse. */
const TAIL_PLACE = 8;

/**
 * Cuts among the most extreme values of one side, which a sample is too coarse for: `fewest` values beyond
 * the last one, `ratio` times as many beyond each before it.
 */
function tailCuts(
  values: Float64Array,
  { sorted, fewest, ratio, sign }: {
    sorted: Float64Array;
    fewest: number;
    ratio: number;
    sign: 1 | -1;
  },
): number[] {
  const place = Math.min(TAIL_PLACE, Math.floor(sorted.length / 4));
  const edge = sign * sorted[sign === 1 ? sorted.length - 1 - place : place]!;
  const tail: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (sign * values[i]! > edge) tail.push(sign * values[i]!);
  }
  const ascending = Float64Array.from(tail).sort();
  const thresholds: number[] = [];
  for (let beyond = fewest; beyond < ascending.length; beyond *= ratio) {
    const at = ascending.length - Math.floor(beyond);
    // Outputs beyond the cut are `x > cut` above, `x <= cut` below.
    thresholds.push(sign * ascending[sign === 1 ? at - 1 : at]!);
  }
  return thresholds.filter((cut) => !Number.isNaN(cut));
}

/** The values of a categorical feature that repeat, the most frequent ones, in order. */
export function categoryThresholds(values: Float64Array): Float64Array {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Float64Array.from(
    [...counts].filter(([, count]) => count >= 3).sort((a, b) => b[1] - a[1]).slice(0, MAX_CUTS)
      .map(([value]) => value),
  ).filter((value) => !Number.isNaN(value)).sort();
}
