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
  const sign = Int8Array.from({ length: terms }, (_, j) => pooled ? signs?.[j + first] ?? 1 : 1);
  const used = [...sign.keys()].filter((j) => sign[j] !== 0);
  const cells = Math.max(2, Math.min(MAX_CELLS, Math.floor((pooled ? n * terms : n) / 64)));
  const groups = pooled ? [used] : used.map((j) => [j]);
  const cuts = new Float64Array(groups.length * (MAX_CELLS - 1)).fill(Infinity);
  groups.forEach((group, g) => {
    const sample = sampleOf(rows, { width, n, first, group, differences });
    cuts.set(thresholdsOf(sample, cells), g * (MAX_CELLS - 1));
  });
  const layout: Layout = {
    cuts,
    weights: new Float64Array(groups.length * (MAX_CELLS + 1)),
    terms,
    first,
    differences,
    pooled,
    sign,
  };
  const counts = new Float64Array(2 * layout.weights.length);
  countCells(layout, rows, width, labels, counts);
  for (let g = 0; g < groups.length; g++) {
    const at = g * (MAX_CELLS + 1);
    layout.weights.set(
      shrunkLogRatios(counts.subarray(2 * at, 2 * (at + MAX_CELLS + 1))),
      at,
    );
  }
  if (cuts.some((cut, at) => at % (MAX_CELLS - 1) > 2 && cut < Infinity)) {
    const grid = gridOf(layout, groups.length);
    return {
      fill: (all, stride, from, count, out) =>
        fillFromGrid(layout, grid, all, stride, from, count, out),
    };
  }
  return {
    fill: (all, stride, from, count, out) => fillFromCuts(layout, all, stride, from, count, out),
  };
}

/** Some of the values of a group of columns. */
function sampleOf(
  rows: Float64Array,
  { width, n, first, group, differences }: {
    width: number;
    n: number;
    first: number;
    group: readonly number[];
    differences: boolean;
  },
): Float64Array {
  const step = Math.max(1, Math.floor((n * group.length) / 4096));
  const sample: number[] = [];
  for (let k = 0; k < n * group.length; k += step) {
    const at = Math.floor(k / group.length) * width + group[k % group.length]! + first;
    const value = differences ? rows[at]! - rows[at - 1]! : rows[at]!;
    if (!Number.isNaN(value)) sample.push(value);
  }
  return Float64Array.from(sample);
}

/**
 * Cuts padded to 15 a group of columns and weights to 17 (16 cells and the missing), flat. Pooled
 * columns are one group, others a group each.
 */
interface Layout {
  readonly cuts: Float64Array;
  readonly weights: Float64Array;
  readonly terms: number;
  readonly first: number;
  readonly differences: boolean;
  readonly pooled: boolean;
  readonly sign: Int8Array;
}

/** Counts values by cell and label; a column of sign −1 has its labels exchanged. */
function countCells(
  { cuts, terms, first, differences, pooled, sign }: Layout,
  rows: Float64Array,
  width: number,
  labels: Uint8Array,
  counts: Float64Array,
): void {
  const cutStep = pooled ? 0 : MAX_CELLS - 1, weightStep = pooled ? 0 : MAX_CELLS + 1;
  for (let i = 0; i < labels.length; i++) {
    let c = 0, w = 0, at = i * width + first;
    for (let j = 0; j < terms; j++, at++, c += cutStep, w += weightStep) {
      const factor = sign[j]!;
      if (factor === 0) continue;
      const x = differences ? rows[at]! - rows[at - 1]! : rows[at]!;
      let k = x > cuts[c + 7]! ? 8 : 0;
      k += x > cuts[c + k + 3]! ? 4 : 0;
      k += x > cuts[c + k + 1]! ? 2 : 0;
      k += x > cuts[c + k]! ? 1 : 0;
      if (x !== x) k = MAX_CELLS;
      counts[2 * (w + k) + (factor === 1 ? labels[i]! : 1 - labels[i]!)]!++;
    }
  }
}

/** Log ratio of right to left counts in each cell, the share kept that is not noise. */
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
    // James–Stein style: the square of the ratio less the variance of its noise.
    const noise = 1 / a + 1 / b;
    ratios[cell] = ratio * Math.max(0, 1 - noise / (ratio * ratio + 1e-300));
  }
  return ratios;
}

/** Scores of columns of few values: at most 3 cuts, found by two halvings. */
function fillFromCuts(
  { cuts, weights, terms, first, differences, pooled, sign }: Layout,
  rows: Float64Array,
  width: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  const cutStep = pooled ? 0 : MAX_CELLS - 1, weightStep = pooled ? 0 : MAX_CELLS + 1;
  for (let i = 0; i < n; i++) {
    let c = 0, w = 0, at = (from + i) * width + first, score = 0;
    for (let j = 0; j < terms; j++, at++, c += cutStep, w += weightStep) {
      const factor = sign[j]!;
      if (factor === 0) continue;
      const x = differences ? rows[at]! - rows[at - 1]! : rows[at]!;
      let k = x > cuts[c + 1]! ? 2 : 0;
      k += x > cuts[c + k]! ? 1 : 0;
      score += factor * weights[w + (x === x ? k : MAX_CELLS)]!;
    }
    out[i] = score;
  }
}

/** Equal cells between the outermost cuts, two beyond them and one for missing values. */
const GRID_CELLS = 128;
const GRID_STEP = GRID_CELLS + 3;

/** The weights by equal cells of the line instead of quantiles: found by one product, no search. */
interface Grid {
  readonly low: Float64Array;
  readonly scale: Float64Array;
  readonly weights: Float64Array;
}

function gridOf({ cuts, weights }: Layout, groups: number): Grid {
  const low = new Float64Array(groups), scale = new Float64Array(groups);
  const table = new Float64Array(groups * GRID_STEP);
  for (let g = 0; g < groups; g++) {
    const own = cuts.subarray(g * (MAX_CELLS - 1), (g + 1) * (MAX_CELLS - 1))
      .filter((cut) => cut < Infinity);
    const at = g * (MAX_CELLS + 1);
    const span = own.length > 1 ? own[own.length - 1]! - own[0]! : 1;
    low[g] = own[0] ?? 0;
    scale[g] = GRID_CELLS / span;
    for (let cell = -1; cell <= GRID_CELLS; cell++) {
      const middle = low[g]! + (cell + 0.5) / scale[g]!;
      table[g * GRID_STEP + cell + 1] = weights[at + lowerBound(own, middle)]!;
    }
    table[g * GRID_STEP + GRID_STEP - 1] = weights[at + MAX_CELLS]!;
  }
  return { low, scale, weights: table };
}

function fillFromGrid(
  { terms, first, differences, pooled, sign }: Layout,
  { low, scale, weights }: Grid,
  rows: Float64Array,
  width: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  const groupStep = pooled ? 0 : 1;
  for (let i = 0; i < n; i++) {
    let g = 0, at = (from + i) * width + first, score = 0;
    for (let j = 0; j < terms; j++, at++, g += groupStep) {
      const factor = sign[j]!;
      if (factor === 0) continue;
      const x = differences ? rows[at]! - rows[at - 1]! : rows[at]!;
      const place = (x - low[g]!) * scale[g]!;
      const cell = x === x
        ? (place < 0 ? 0 : place < GRID_CELLS ? (place | 0) + 1 : GRID_CELLS + 1)
        : GRID_STEP - 1;
      score += factor * weights[g * GRID_STEP + cell]!;
    }
    out[i] = score;
  }
}
