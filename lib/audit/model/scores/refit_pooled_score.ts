import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { type CountedPartition, featureHistogramFor } from "../partition/feature_histogram.ts";
import { shrunkLogRatios } from "./learn_additive_score.ts";
import { scoreOf } from "./evaluate_scores.ts";
import { countScoreBins, MAX_BINS, type ScoreBins, scoreName } from "./score_bins.ts";

/**
 * A pooled score (one term function for all columns) learned again from more outputs than are stored. Of these outputs
 * only counts are kept, by bin and label.
 */
export class PooledScoreRefit {
  readonly #scoreBins: ScoreBins;
  readonly #rows: number;
  readonly #counts = new Float64Array(2 * (MAX_BINS + 1));
  #count = 0;

  /** Uses the bins of the first fit, and at least `rows` rows. */
  constructor(bins: ScoreBins, rows: number) {
    this.#scoreBins = bins;
    this.#rows = rows;
  }

  /** Whether it has all its rows. */
  get isFull(): boolean {
    return this.#count >= this.#rows;
  }

  /** Counts the bins of some rows of one side. */
  add(rows: Float64Array, width: number, label: 0 | 1): void {
    const labels = new Uint8Array(rows.length / width).fill(label);
    for (const parity of [0, 1]) {
      countScoreBins(this.#scoreBins, rows, width, labels, parity, this.#counts);
    }
    this.#count += labels.length;
  }

  /** The histogram of the score learned from all rows, with thresholds at quantiles on `some` rows and counts of 0. */
  finish(some: Pick<LabelledRows, "rows" | "width">): CountedPartition {
    const score = scoreOf({ ...this.#scoreBins, weights: shrunkLogRatios(this.#counts) });
    return featureHistogramFor({ kind: "score", name: scoreName(this.#scoreBins), score }, some);
  }
}
