import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { type CountedPartition, featureHistogramFor } from "../partition/feature_histogram.ts";
import { fitAdditive } from "./additive_fit.ts";
import { scoreOf } from "./evaluate_scores.ts";
import { MAX_BINS, placeBins, type ScoreBins, scoreName } from "./score_bins.ts";

/** The most bytes that the rows of a lesson may take. */
const BYTES = 1 << 24;

/**
 * The second lesson: an additive score learned anew from more outputs than are stored. Of these only
 * the bins of their values are kept, a byte a number. Small differences between the sides need it.
 */
export class AdditiveScoreRefit {
  readonly #layout: ScoreBins;
  readonly #room: number;
  readonly #bins: Uint8Array;
  readonly #labels: Uint8Array;
  #count = 0;

  /** Uses the bins of the first lesson, and up to `rows` rows. */
  constructor(layout: ScoreBins, rows: number) {
    this.#layout = layout;
    this.#room = Math.min(rows, Math.floor(BYTES / layout.terms));
    this.#bins = new Uint8Array(this.#room * layout.terms);
    this.#labels = new Uint8Array(this.#room);
  }

  /** Whether enough rows were seen. */
  get isFull(): boolean {
    return this.#count === this.#room;
  }

  /** Keeps the bins of some rows of one side, as far as there is room. */
  add(rows: Float64Array, width: number, label: 0 | 1): void {
    const n = Math.min(rows.length / width, this.#room - this.#count);
    placeBins(this.#layout, rows, width, n, this.#bins, this.#room, this.#count);
    this.#labels.fill(label, this.#count, this.#count += n);
  }

  /** The profile of the score that all rows teach, its bins cut on `some` of the rows and still empty. */
  finish(some: Pick<LabelledRows, "rows" | "width">): CountedPartition {
    const weights = fitAdditive({
      bins: this.#bins,
      labels: this.#labels,
      columns: this.#layout.terms,
      size: MAX_BINS + 1,
    });
    const score = scoreOf({ ...this.#layout, weights });
    return featureHistogramFor({ kind: "score", name: scoreName(this.#layout), score }, some);
  }
}
