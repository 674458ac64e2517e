/**
 * A score that adds one term a column, the log ratio of the column's densities on the right and the left dataset. Where
 * columns are independent given the dataset it is the log-likelihood ratio; elsewhere it is a feature like any other.
 */
export interface AdditiveScore {
  /** Plain data to make an equal one of. */
  readonly data: AdditiveScoreData;
  /** Writes the scores of rows `from` to `from + n` into `out`. */
  fill(rows: Float64Array, width: number, from: number, n: number, out: Float64Array): void;
}

/** Data of an additive score: the bins of its columns, and the weight of each bin. */
export interface AdditiveScoreData {
  readonly thresholds: Float64Array;
  readonly weights: Float64Array;
  readonly terms: number;
  readonly differences: boolean;
  readonly pooled: boolean;
  readonly sign: Int8Array;
}
