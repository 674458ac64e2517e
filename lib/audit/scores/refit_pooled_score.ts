import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { type CountedPartition, featureHistogramFor } from "../partition/feature_histogram.ts";
import { smoothLogRatios } from "./additive_score.ts";
import { scoreOf } from "./evaluate_scores.ts";
import { countScoreBins, MAX_BINS, type ScoreBins, scoreName } from "./score_bins.ts";

/**
 * The second lesson of a pooled score: one term function for all columns, learned anew from more outputs than
 * are stored. Of these only counts are kept, by bin and label.
 */
export class PooledScoreRefit {
  readonly #layout: ScoreBins;
  readonly #rows: number;
  readonly #counts = new Float64Array(2 * (MAX_BINS + 1));
  #count = 0;

  /** Uses the bins of the first lesson, and at least `rows` rows. */
  constructor(layout: ScoreBins, rows: number) {
    this.#layout = layout;
    this.#rows = rows;
  }

  /** Whether enough rows were seen. */
  get isFull(): boolean {
    return this.#count >= this.#rows;
  }

  /** Counts the bins of some rows of one side. */
  add(rows: Float64Array, width: number, label: 0 | 1): void {
    const labels = new Uint8Array(rows.length / width).fill(label);
    for (const parity of [0, 1]) {
      countScoreBins(this.#layout, rows, width, labels, parity, this.#counts);
    }
    this.#count += labels.length;
  }

  /** The profile of the score that all rows teach, its bins cut on `some` of the rows and still empty. */
  finish(some: Pick<LabelledRows, "rows" | "width">): CountedPartition {
    const score = scoreOf({ ...this.#layout, weights: smoothLogRatios(this.#counts) });
    return featureHistogramFor({ kind: "score", name: scoreName(this.#layout), score }, some);
  }
}
