import type { AdditiveScore } from "../encoding/additive_score.ts";
import type { KnownValues } from "../encoding/known_values.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { fitAdditive } from "./additive_fit.ts";
import { scoreOf } from "./evaluate_scores.ts";
import {
  countScoreBins,
  MAX_BINS,
  placeBins,
  type ScoreBins,
  scoreBinsOf,
  type ScoreOptions,
} from "./score_bins.ts";
import { shrinkWeights } from "./shrink_weights.ts";

/**
 * Learns an additive score from labelled rows, and scores these rows.
 *
 * A score fits the rows it was learned from too well. So these rows are cross-fitted: those of even place get the score
 * learned from those of odd place, and the reverse; later outputs get the score learned from all rows. Weights are
 * shrunk, so that those of columns without signal are near 0.
 *
 * @param known the values of columns and differences
 */
export function learnAdditiveScore(
  { rows, labels, width }: LabelledRows,
  options: ScoreOptions,
  known?: KnownValues,
): { score: AdditiveScore; values: Float64Array; bins: ScoreBins } {
  const n = labels.length;
  const bins = scoreBinsOf({ rows, labels, width }, options, known);
  const [even, odd, both] = options.pooled
    ? pooledWeights(bins, { rows, labels, width })
    : ownWeights(bins, { rows, labels, width });
  const values = new Float64Array(n);
  const half = new Float64Array(Math.ceil(n / 2));
  [odd, even].forEach((weights, parity) => {
    const count = (n + 1 - parity) >> 1;
    scoreOf({ ...bins, weights })
      .fill(rows.subarray(parity * width), 2 * width, 0, count, half);
    for (let i = 0; i < count; i++) values[2 * i + parity] = half[i]!;
  });
  return { score: scoreOf({ ...bins, weights: both }), values, bins };
}

/** Weights learned from the rows of even place, of odd place, and all. */
type Weights = readonly [even: Float64Array, odd: Float64Array, both: Float64Array];

/** Returns one term function for all columns: log ratios of the counts. */
function pooledWeights(bins: ScoreBins, { rows, labels, width }: LabelledRows): Weights {
  const even = new Float64Array(2 * (MAX_BINS + 1)), odd = new Float64Array(even.length);
  countScoreBins(bins, rows, width, labels, 0, even);
  countScoreBins(bins, rows, width, labels, 1, odd);
  const both = even.map((count, bin) => count + odd[bin]!);
  return [shrunkLogRatios(even), shrunkLogRatios(odd), shrunkLogRatios(both)];
}

/** Returns a term function for each column, fitted together, for columns may depend on each other. */
function ownWeights(scoreBins: ScoreBins, { rows, labels, width }: LabelledRows): Weights {
  const n = labels.length, { terms } = scoreBins;
  const bins = new Uint8Array(n * terms);
  placeBins(scoreBins, rows, width, n, bins, n, 0);
  const all = { bins, labels, columns: terms, size: MAX_BINS + 1 };
  return [fitAdditive(all, 0), fitAdditive(all, 1), fitAdditive(all)];
}

/** Returns log ratios of right to left counts in each bin, shrunk by {@linkcode shrinkWeights}. */
function shrunkLogRatios(counts: Float64Array): Float64Array {
  const bins = counts.length / 2;
  let left = 0, right = 0;
  for (let bin = 0; bin < bins; bin++) {
    left += counts[2 * bin]!;
    right += counts[2 * bin + 1]!;
  }
  const sums = new Float64Array(bins), precisions = new Float64Array(bins);
  for (let bin = 0; bin < bins; bin++) {
    if (counts[2 * bin]! + counts[2 * bin + 1]! === 0) continue;
    const a = counts[2 * bin]! + 0.5, b = counts[2 * bin + 1]! + 0.5;
    precisions[bin] = 1 / (1 / a + 1 / b);
    sums[bin] = precisions[bin]! * (Math.log(b / a) - Math.log((right + 0.5) / (left + 0.5)));
  }
  const ratios = new Float64Array(bins);
  shrinkWeights(sums, precisions, ratios);
  return ratios;
}
