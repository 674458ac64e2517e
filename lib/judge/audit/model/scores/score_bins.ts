import { firstAtLeast } from "../../../../core/numeric/sorted_search.ts";
import { KnownValues } from "../encoding/known_values.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";

/** The terms of an additive score. */
export interface ScoreOptions {
  /** Leading columns that have terms. */
  readonly elements: number;
  /** Terms of successive differences (the first column's from 0) instead of the columns themselves. */
  readonly differences: boolean;
  /** One term function for all columns, which learns faster where they play the same part. */
  readonly pooled: boolean;
  /** For pooled columns: −1 where right values are expected to be the smaller ones, 0 where a column is left out. */
  readonly signs?: Int8Array | undefined;
}

/** Returns the name of a score in reports. */
export function scoreName(
  { differences, pooled }: Pick<ScoreOptions, "differences" | "pooled">,
): string {
  return `${pooled ? "pooledScore" : "score"}(${differences ? "differences" : "output"})`;
}

/** The most bins of a column, without the bin of missing values. */
export const MAX_BINS = 16;

/**
 * Values for each bin of a column. It is a choice that was not measured: in a bin of 128 values the log odds have a standard
 * error of about 2/√128 = 0.18; fewer values a bin would follow the score more closely, with more noise.
 */
const VALUES_PER_BIN = 128;

/** About how many values are sorted for the quantiles of pooled columns. */
const SORTED_VALUES = 4096;

/** Returns quantile thresholds of some values in order, fewer where values repeat. */
function quantileThresholds(sorted: Float64Array, bins: number): Float64Array {
  const thresholds: number[] = [];
  for (let k = 1; k < bins; k++) {
    const value = sorted[Math.floor((k * sorted.length) / bins)]!;
    // Values are compared by <=, so a repeated value needs the one before it as a threshold too.
    if (value > sorted[0]! || sorted[sorted.length - 1]! > value) {
      const below = sorted[firstAtLeast(sorted, value) - 1];
      if (below !== undefined && sorted[firstAtLeast(sorted, value) + 1] === value) {
        thresholds.push(below);
      }
      thresholds.push(value);
    }
  }
  return Float64Array.from(new Set(thresholds)).toSorted().slice(0, MAX_BINS - 1);
}

/**
 * The bins of a score. Columns that are pooled are one group, others a group each; a group has 15 places for thresholds
 * in the flat array, those not needed infinite, and 17 weights: of 16 bins and of missing values.
 */
export interface ScoreBins {
  readonly thresholds: Float64Array;
  readonly terms: number;
  readonly differences: boolean;
  readonly pooled: boolean;
  readonly sign: Int8Array;
}

/**
 * Returns the bins of a score, with thresholds at quantiles of some rows. They do not depend on the labels.
 *
 * @param known the values of columns and differences on these rows
 */
export function scoreBinsOf(
  { rows, labels, width }: LabelledRows,
  { elements, differences, pooled, signs }: ScoreOptions,
  known: KnownValues = new KnownValues({ rows, width }),
): ScoreBins {
  const n = labels.length;
  const sign = Int8Array.from({ length: elements }, (_, j) => pooled ? signs?.[j] ?? 1 : 1);
  const used = [...sign.keys()].filter((j) => sign[j] !== 0);
  const most = Math.max(
    2,
    Math.min(MAX_BINS, Math.floor((pooled ? n * elements : n) / VALUES_PER_BIN)),
  );
  const samples = pooled
    ? [pooledSample(rows, { width, n, columns: used, differences })]
    : used.map((j) => (differences && j > 0 ? known.difference(j) : known.column(j)).sorted);
  const thresholds = new Float64Array(samples.length * (MAX_BINS - 1)).fill(Infinity);
  samples.forEach((sorted, g) => {
    thresholds.set(quantileThresholds(sorted, most), g * (MAX_BINS - 1));
  });
  return { thresholds, terms: elements, differences, pooled, sign };
}

/** Returns some of the values of columns together, in order. */
function pooledSample(
  rows: Float64Array,
  { width, n, columns, differences }: {
    width: number;
    n: number;
    columns: readonly number[];
    differences: boolean;
  },
): Float64Array {
  const step = Math.max(1, Math.floor((n * columns.length) / SORTED_VALUES));
  const sample: number[] = [];
  for (let k = 0; k < n * columns.length; k += step) {
    const column = columns[k % columns.length]!;
    const at = Math.floor(k / columns.length) * width + column;
    const value = differences && column > 0 ? rows[at]! - rows[at - 1]! : rows[at]!;
    if (!Number.isNaN(value)) sample.push(value);
  }
  return Float64Array.from(sample).sort();
}

/**
 * Writes the bin of column j in row i, of `n` rows, to `bins[j * capacity + offset + i]`, columns not pooled.
 */
export function placeBins(
  { thresholds, terms, differences }: ScoreBins,
  rows: Float64Array,
  width: number,
  n: number,
  bins: Uint8Array,
  capacity: number,
  offset: number,
): void {
  for (let j = 0, c = 0; j < terms; j++, c += MAX_BINS - 1) {
    for (let i = 0, at = j; i < n; i++, at += width) {
      const x = differences && j > 0 ? rows[at]! - rows[at - 1]! : rows[at]!;
      let k = 8 * Number(x > thresholds[c + 7]!);
      k += 4 * Number(x > thresholds[c + k + 3]!);
      k += 2 * Number(x > thresholds[c + k + 1]!);
      k += Number(x > thresholds[c + k]!);
      bins[j * capacity + offset + i] = k + MAX_BINS * Number(x !== x);
    }
  }
}

/** Counts pooled values by bin and label, of every second row; a column of sign −1 has its labels exchanged. */
export function countScoreBins(
  scoreBins: ScoreBins,
  rows: Float64Array,
  width: number,
  labels: Uint8Array,
  parity: number,
  counts: Float64Array,
): void {
  const { thresholds, terms, differences, sign } = scoreBins;
  for (let i = parity; i < labels.length; i += 2) {
    let at = i * width, before = 0;
    for (let j = 0; j < terms; j++, at++) {
      const x = rows[at]! - before;
      if (differences) before = rows[at]!;
      const factor = sign[j]!;
      if (factor === 0) continue;
      let k = 8 * Number(x > thresholds[7]!);
      k += 4 * Number(x > thresholds[k + 3]!);
      k += 2 * Number(x > thresholds[k + 1]!);
      k += Number(x > thresholds[k]!);
      // NaN is above no threshold.
      k += MAX_BINS * Number(x !== x);
      counts[2 * k + (factor === 1 ? labels[i]! : 1 - labels[i]!)]!++;
    }
  }
}
