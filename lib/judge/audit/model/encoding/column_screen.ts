/** Bins of a column, by three thresholds, and one for missing values. */
const BINS = 5, THRESHOLDS = 3;
/** Outputs that thresholds are placed by: the first ones. */
const FIRST_OUTPUTS = 64;
/** Columns that are kept. */
const KEPT = 40;
/** What is added to every count (Krichevsky, Trofimov 1981). */
const PSEUDO_COUNT = 0.5;

/** The weight of each bin of each column, which add up to a score of an output. */
export interface ScreenedScore {
  readonly thresholds: Float64Array;
  readonly weights: Float64Array;
}

/** Result of a screen. */
export interface Screened {
  /** The columns that tell the sides apart best, in their order. */
  readonly columns: readonly number[];
  /** The score learned from all outputs. */
  readonly score: ScreenedScore;
  /** The scores of the outputs counted: each by weights that were learned from the others of its half. */
  readonly crossFitted: Float64Array;
}

/**
 * A first pass over outputs of very many numbers: how often each column has a value in each of a few bins, on either side. It
 * takes a few nanoseconds a number, so that all columns are read; the model works on the best of them (histograms of columns and
 * screening of features as in LightGBM: Ke et al. 2017).
 *
 * A score adds up what all columns say, so that a leak that is spread over them is seen too. Outputs of even place are scored by weights
 * learned from those of odd place, and the reverse. Columns are chosen by all outputs: a split on one pays for that by its prior.
 */
export class ColumnScreen {
  readonly #width: number;
  #thresholds: Float64Array = new Float64Array(0);
  /** Counts at `[((BINS * column + bin) * 2 + label) * 2 + parity]`. */
  #counts = new Uint32Array(0);
  #placedBy = 0;
  #counted = 0;

  /** For rows of `width` numbers. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Counts the rows that were not counted yet, and screens the columns by all of them. */
  screen(
    rows: Float64Array,
    labels: Uint8Array,
  ): Screened {
    const width = this.#width;
    const by = Math.min(labels.length, FIRST_OUTPUTS);
    if (by > this.#placedBy) {
      this.#thresholds = quartiles(rows, { width, outputs: by });
      this.#counts = new Uint32Array(4 * BINS * width);
      this.#placedBy = by;
      this.#counted = 0;
    }
    this.#count(rows, labels);
    const all = this.#weights((even, odd) => even + odd);
    const even = this.#weights((even) => even).weights,
      odd = this.#weights((_, odd) => odd).weights;
    const crossFitted = Float64Array.from(labels, (_, i) =>
      scoreAt(rows, i * width, {
        width,
        thresholds: this.#thresholds,
        weights: i % 2 === 0 ? odd : even,
      }));
    const columns = best(all.gains);
    return { columns, score: { thresholds: this.#thresholds, weights: all.weights }, crossFitted };
  }

  /** Counts rows by column, bin and label: the hot loop. */
  #count(rows: Float64Array, labels: Uint8Array): void {
    const width = this.#width, thresholds = this.#thresholds, counts = this.#counts;
    for (let i = this.#counted; i < labels.length; i++) {
      const own = 2 * labels[i]! + (i & 1);
      for (let j = 0, at = i * width, c = 0; j < width; j++, at++, c += THRESHOLDS) {
        const bin = binOf(rows[at]!, thresholds, c);
        counts[4 * (BINS * j + bin) + own]!++;
      }
    }
    this.#counted = labels.length;
  }

  /**
   * Returns log ratios of the counts of each bin, drawn towards 0 by what all columns together say of how large they are (moments of a
   * normal prior: Efron, Morris 1973), and by how much each column's counts differ from chance: half its chi-square statistic.
   */
  #weights(
    countOf: (even: number, odd: number) => number,
  ): { weights: Float64Array; gains: Float64Array } {
    const counts = this.#counts, width = this.#width;
    const weights = new Float64Array(BINS * width), precisions = new Float64Array(BINS * width);
    const gains = new Float64Array(width);
    let left = 0, right = 0;
    for (let bin = 0; bin < BINS; bin++) {
      left += countOf(counts[4 * bin]!, counts[4 * bin + 1]!);
      right += countOf(counts[4 * bin + 2]!, counts[4 * bin + 3]!);
    }
    const total = left + right;
    const prior = Math.log((right + PSEUDO_COUNT) / (left + PSEUDO_COUNT));
    let squares = 0, sum = 0;
    for (let j = 0, at = 0; j < width; j++) {
      let gain = 0;
      for (let bin = 0; bin < BINS; bin++, at++) {
        const l = countOf(counts[4 * at]!, counts[4 * at + 1]!);
        const r = countOf(counts[4 * at + 2]!, counts[4 * at + 3]!), n = l + r;
        if (n === 0) continue;
        const expected = n * right / total;
        if (left > 0 && right > 0) {
          gain += (r - expected) ** 2 * total ** 2 / (2 * n * left * right);
        }
        const log = Math.log((r + PSEUDO_COUNT) / (l + PSEUDO_COUNT)) - prior;
        const precision = 1 / (1 / (l + PSEUDO_COUNT) + 1 / (r + PSEUDO_COUNT));
        weights[at] = log;
        precisions[at] = precision;
        // A bin that all values are in says nothing, and a bin that takes part counts for what is free in it.
        const free = 1 - n / total;
        squares += log * log * precision - free;
        sum += precision * free;
      }
      gains[j] = gain;
    }
    const variance = sum > 0 ? Math.max(0, squares / sum) : 0;
    for (let at = 0; at < weights.length; at++) {
      const own = variance * precisions[at]!;
      weights[at]! *= own / (1 + own);
    }
    return { weights, gains };
  }
}

/** Returns the places of the largest gains, in order. */
function best(gains: Float64Array): number[] {
  const least = gains.slice().sort()[Math.max(0, gains.length - KEPT)]!;
  const above = [...gains.keys()].filter((j) => gains[j]! > least);
  for (let j = 0; j < gains.length && above.length < KEPT; j++) {
    if (gains[j] === least) above.push(j);
  }
  return above.sort((a, b) => a - b);
}

/** Returns the bin of a number: how many of three thresholds, from place `c` on, it lies above. */
function binOf(x: number, thresholds: Float64Array, c: number): number {
  return x === x
    ? Number(x > thresholds[c]!) + Number(x > thresholds[c + 1]!) + Number(x > thresholds[c + 2]!)
    : BINS - 1;
}

/** Returns how much the row that begins at place `at` speaks for one dataset: the sum of the weights of its columns’ bins. */
export function scoreAt(
  rows: Float64Array,
  at: number,
  { width, thresholds, weights }: ScreenedScore & { readonly width: number },
): number {
  let score = 0;
  for (let j = 0, c = 0, w = 0; j < width; j++, c += THRESHOLDS, w += BINS) {
    score += weights[w + binOf(rows[at + j]!, thresholds, c)]!;
  }
  return score;
}

/** Returns three thresholds a column: its quartiles among the first outputs, or its values where they are few. */
function quartiles(
  rows: Float64Array,
  { width, outputs }: { readonly width: number; readonly outputs: number },
): Float64Array {
  const thresholds = new Float64Array(THRESHOLDS * width).fill(Infinity);
  const values = new Float64Array(outputs);
  for (let j = 0; j < width; j++) {
    let n = 0;
    for (let i = 0, at = j; i < outputs; i++, at += width) {
      const x = rows[at]!;
      if (x === x) values[n++] = x;
    }
    const sorted = values.subarray(0, n).sort();
    // Values are compared by <=: a repeated value needs the one below it as a threshold.
    let distinct = Number(n > 0);
    for (let k = 1; k < n && distinct <= BINS - 1; k++) {
      distinct += Number(sorted[k] !== sorted[k - 1]);
    }
    let c = THRESHOLDS * j;
    if (distinct <= BINS - 1) {
      for (let k = 1; k < n; k++) {
        if (sorted[k] !== sorted[k - 1]) thresholds[c++] = sorted[k - 1]!;
      }
    } else for (let q = 1; q <= THRESHOLDS; q++) thresholds[c++] = sorted[n * q >> 2]!;
  }
  return thresholds;
}
