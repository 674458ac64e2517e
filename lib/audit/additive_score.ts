/**
 * A score that adds one term a column: how much likelier the column's value is on the right dataset
 * than on the left. Where coordinates are independent given the dataset it is the log-likelihood
 * ratio itself; elsewhere it is still a direction worth splitting on.
 */
export interface AdditiveScore {
  /** Writes the scores of rows `from` to `from + n` into `out`. */
  fill(rows: Float64Array, width: number, from: number, n: number, out: Float64Array): void;
}

const MAX_CELLS = 16;

/** Quantile thresholds of some values, fewer where values repeat. */
function thresholdsOf(values: Float64Array, cells: number): Float64Array {
  const sorted = values.toSorted();
  const thresholds: number[] = [];
  for (let k = 1; k < cells; k++) {
    const value = sorted[Math.floor((k * sorted.length) / cells)]!;
    // Values are compared by <=, so a repeated value needs the one before it as a threshold too.
    if (value > sorted[0]! || sorted[sorted.length - 1]! > value) {
      const below = sorted[lowerBound(sorted, value) - 1];
      if (below !== undefined && sorted[lowerBound(sorted, value) + 1] === value) {
        thresholds.push(below);
      }
      thresholds.push(value);
    }
  }
  return Float64Array.from(new Set(thresholds)).toSorted().slice(0, MAX_CELLS - 1);
}

/** The first place whose value is at least `value`. */
export function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Learns an additive score from labelled rows.
 *
 * With `differences` the terms are of successive differences instead of the columns themselves; with
 * `pooled` all columns share one term function, which learns faster where they play the same part:
 * `signs` says for which columns the sides change places (−1), and which are left out (0).
 * Terms are shrunk by their standard error, so that columns without signal stay silent.
 */
export function learnAdditiveScore(
  { rows, labels, width }: { rows: Float64Array; labels: Uint8Array; width: number },
  { elements, differences, pooled, signs }: {
    elements: number;
    differences: boolean;
    pooled: boolean;
    signs?: Int8Array | undefined;
  },
): AdditiveScore {
  const n = labels.length;
  const first = differences ? 1 : 0;
  const terms = elements - first;
  const cells = Math.max(2, Math.min(MAX_CELLS, Math.floor((pooled ? n * terms : n) / 64)));
  const thresholds: Float64Array[] = [];
  const weights: Float64Array[] = [];
  const read = (i: number, j: number): number => {
    const at = i * width + j + first;
    return differences ? rows[at]! - rows[at - 1]! : rows[at]!;
  };
  const sign = Int8Array.from({ length: terms }, (_, j) => pooled ? signs?.[j + first] ?? 1 : 1);
  const all = Array.from({ length: terms }, (_, j) => j);
  const groups = pooled ? [all.filter((j) => sign[j] !== 0)] : all.map((j) => [j]);
  for (const group of groups) {
    const step = Math.max(1, Math.floor((n * group.length) / 8192));
    const sample: number[] = [];
    for (let k = 0; k < n * group.length; k += step) {
      const value = read(Math.floor(k / group.length), group[k % group.length]!);
      if (!Number.isNaN(value)) sample.push(value);
    }
    const cuts = sample.length === 0
      ? new Float64Array(0)
      : thresholdsOf(Float64Array.from(sample), cells);
    // The last cell is for missing values, which compare with nothing.
    const counts = new Float64Array(2 * (cuts.length + 2));
    for (let i = 0; i < n; i++) {
      for (const j of group) {
        const value = read(i, j);
        const cell = Number.isNaN(value) ? cuts.length + 1 : lowerBound(cuts, value);
        counts[2 * cell + (sign[j] === -1 ? 1 - labels[i]! : labels[i]!)]!++;
      }
    }
    thresholds.push(cuts);
    weights.push(shrunkLogRatios(counts));
  }
  const table = tableOf(thresholds, weights);
  const layout = { table, terms, first, differences, pooled, sign };
  return {
    fill: (all, stride, from, count, out) => fillScore(layout, all, stride, from, count, out),
  };
}

/** Cuts padded to 15 a term and weights to 17 (16 cells and the missing), all in two flat arrays. */
interface Table {
  readonly cuts: Float64Array;
  readonly weights: Float64Array;
}

function tableOf(thresholds: readonly Float64Array[], weights: readonly Float64Array[]): Table {
  const cuts = new Float64Array((MAX_CELLS - 1) * thresholds.length).fill(Infinity);
  const padded = new Float64Array((MAX_CELLS + 1) * thresholds.length);
  thresholds.forEach((own, j) => {
    cuts.set(own, (MAX_CELLS - 1) * j);
    const weight = weights[j]!;
    padded.set(weight.subarray(0, own.length + 1), (MAX_CELLS + 1) * j);
    padded[(MAX_CELLS + 1) * j + MAX_CELLS] = weight[own.length + 1]!;
  });
  return { cuts, weights: padded };
}

/** Log ratio of right to left counts in each cell, less one standard error towards 0. */
function shrunkLogRatios(counts: Float64Array): Float64Array {
  const cells = counts.length / 2;
  let left = 0, right = 0;
  for (let cell = 0; cell < cells; cell++) {
    left += counts[2 * cell]!;
    right += counts[2 * cell + 1]!;
  }
  const ratios = new Float64Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    const a = counts[2 * cell]! + 0.5, b = counts[2 * cell + 1]! + 0.5;
    const ratio = Math.log(b / a) - Math.log((right + 0.5) / (left + 0.5));
    // James–Stein style: keep the share of the square that is not noise.
    const noise = 1 / a + 1 / b;
    ratios[cell] = ratio * Math.max(0, 1 - noise / (ratio * ratio + 1e-300));
  }
  return ratios;
}

function fillScore(
  { table, terms, first, differences, pooled, sign }: {
    table: Table;
    sign: Int8Array;
    terms: number;
    first: number;
    differences: boolean;
    pooled: boolean;
  },
  rows: Float64Array,
  width: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  const { cuts, weights } = table;
  out.fill(0, 0, n);
  for (let j = 0; j < terms; j++) {
    const factor = sign[j]!;
    if (factor === 0) continue;
    const c = pooled ? 0 : (MAX_CELLS - 1) * j;
    const w = pooled ? 0 : (MAX_CELLS + 1) * j;
    let at = from * width + j + first;
    for (let i = 0; i < n; i++, at += width) {
      const x = differences ? rows[at]! - rows[at - 1]! : rows[at]!;
      // The number of cuts below x, by four halvings of 16 cells.
      let k = x > cuts[c + 7]! ? 8 : 0;
      k += x > cuts[c + k + 3]! ? 4 : 0;
      k += x > cuts[c + k + 1]! ? 2 : 0;
      k += x > cuts[c + k]! ? 1 : 0;
      out[i]! += factor * weights[w + (x === x ? k : MAX_CELLS)]!;
    }
  }
}

/** The mean of two scores. */
export function meanScore(a: AdditiveScore, b: AdditiveScore): AdditiveScore {
  let scratch = new Float64Array(0);
  return {
    fill(rows, width, from, n, out): void {
      if (scratch.length < n) scratch = new Float64Array(n);
      a.fill(rows, width, from, n, out);
      b.fill(rows, width, from, n, scratch);
      for (let i = 0; i < n; i++) out[i] = 0.5 * (out[i]! + scratch[i]!);
    },
  };
}
