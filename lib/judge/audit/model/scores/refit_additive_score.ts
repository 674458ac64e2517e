import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { type CountedPartition, featureHistogramFor } from "../partition/feature_histogram.ts";
import { fitAdditive } from "./additive_fit.ts";
import { scoreOf } from "./evaluate_scores.ts";
import { MAX_BINS, placeBins, type ScoreBins, scoreName } from "./score_bins.ts";

/** The most bytes that the bins of all rows may take. */
const MAX_BYTES = 1 << 24;

/**
 * An additive score learned again from more outputs than are stored, for small differences between the sides. Of these
 * outputs only the bins of their values are kept, a byte a number.
 */
export class AdditiveScoreRefit {
  readonly #scoreBins: ScoreBins;
  /** The most rows. */
  readonly #capacity: number;
  readonly #bins: Uint8Array;
  readonly #labels: Uint8Array;
  #count = 0;

  /** Uses the bins of the first fit, and up to `rows` rows. */
  constructor(bins: ScoreBins, rows: number) {
    this.#scoreBins = bins;
    this.#capacity = Math.min(rows, Math.floor(MAX_BYTES / bins.terms));
    this.#bins = new Uint8Array(this.#capacity * bins.terms);
    this.#labels = new Uint8Array(this.#capacity);
  }

  /** Whether it has all its rows. */
  get isFull(): boolean {
    return this.#count === this.#capacity;
  }

  /** Keeps the bins of some rows of one side, until it is full. */
  add(rows: Float64Array, width: number, label: 0 | 1): void {
    const n = Math.min(rows.length / width, this.#capacity - this.#count);
    placeBins(this.#scoreBins, rows, width, n, this.#bins, this.#capacity, this.#count);
    this.#labels.fill(label, this.#count, this.#count += n);
  }

  /** Returns the histogram of the score fitted to all rows, with thresholds at quantiles on `some` rows and counts of 0. */
  finish(some: Pick<LabelledRows, "rows" | "width">): CountedPartition {
    const weights = fitAdditive({
      bins: this.#bins,
      labels: this.#labels,
      columns: this.#scoreBins.terms,
      size: MAX_BINS + 1,
    });
    const score = scoreOf({ ...this.#scoreBins, weights });
    return featureHistogramFor({ kind: "score", name: scoreName(this.#scoreBins), score }, some);
  }
}
