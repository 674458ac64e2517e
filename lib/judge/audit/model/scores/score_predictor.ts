import { logSigmoid } from "../../../../core/numeric/log_sigmoid.ts";
import type { PredictedBatch } from "../../kernel/betting/prediction_batch.ts";
import type { AdditiveScore } from "../encoding/additive_score.ts";
import { type BinIndex, binIndex, countBins } from "../encoding/bin_index.ts";

/** Bins of equal mass. */
const BINS = 64;
/** Steps of Newton's method, and the most that the factor of a score may be. */
const STEPS = 4, MOST_FACTOR = 2;

/** A score in bins. */
interface Learned {
  readonly score: AdditiveScore;
  readonly index: BinIndex;
  readonly leaves: Int32Array;
  readonly odds: Float64Array;
  /** Draws at `[2 * bin + label]`. */
  readonly counts: Float64Array;
}

/**
 * Predicts that the log odds of an output are those that its additive score says, times one factor. Where the numbers of an output
 * are independent given the dataset that is true, and no leaf must be counted before it is bet on: to learn the terms takes
 * fewer draws than to learn the odds of each of their sums.
 */
export class ScorePredictor {
  #learned: Learned | undefined;

  /**
   * Takes the score that predicts labels best.
   *
   * @param scores with their values on rows that they were not learned from
   */
  learn(labels: Uint8Array, scores: Iterable<readonly [AdditiveScore, Float64Array]>): void {
    let most = 0;
    this.#learned = undefined;
    for (const [score, values] of scores) {
      const factor = factorOf(values, labels), gain = gainOf(values, labels, factor);
      if (gain <= most) continue;
      most = gain;
      this.#learned = inBins(score, { values, labels, factor });
    }
  }

  /** Counts rows from both sides, with what was predicted of them before; `undefined` where no score predicts anything. */
  count(
    sides: Readonly<Record<"left" | "right", Float64Array>>,
    width: number,
  ): PredictedBatch | undefined {
    const learned = this.#learned;
    if (learned === undefined) return undefined;
    const { score, index, leaves, odds } = learned;
    const before = learned.counts.slice(), counts = new Float64Array(before.length);
    [sides.left, sides.right].forEach((rows, label) => {
      const values = new Float64Array(rows.length / width);
      score.fill(rows, width, 0, values.length, values);
      addCounts(index, values, label, counts);
    });
    counts.forEach((count, i) => learned.counts[i]! += count);
    return { counts, before, leaves, odds };
  }
}

/** Returns the factor of the values with which they predict labels best, at least 0. */
function factorOf(values: Float64Array, labels: Uint8Array): number {
  let factor = 1;
  for (let step = 0; step < STEPS; step++) {
    let gradient = 0, curvature = 0;
    values.forEach((value, i) => {
      const p = 1 / (1 + Math.exp(-factor * value));
      gradient += (labels[i]! - p) * value;
      curvature += p * (1 - p) * value * value;
    });
    if (!(curvature > 0)) return 0;
    factor = Math.min(MOST_FACTOR, Math.max(0, factor + gradient / curvature));
  }
  return factor;
}

/** Returns the logarithm of the likelihood ratio of the labels by these log odds and by chance, in nats. */
function gainOf(values: Float64Array, labels: Uint8Array, factor: number): number {
  return values.reduce(
    (sum, value, i) => sum + logSigmoid((labels[i] === 1 ? 1 : -1) * factor * value) + Math.LN2,
    0,
  );
}

function inBins(
  score: AdditiveScore,
  { values, labels, factor }: {
    readonly values: Float64Array;
    readonly labels: Uint8Array;
    readonly factor: number;
  },
): Learned {
  const sorted = values.slice().sort(), n = sorted.length;
  const thresholds = new Set<number>();
  for (let k = 1; k < BINS; k++) thresholds.add(sorted[Math.floor(k * n / BINS)]!);
  thresholds.delete(sorted[n - 1]!);
  const index = binIndex(Float64Array.from(thresholds));
  const counts = new Float64Array(2 * (thresholds.size + 2));
  for (const label of [0, 1]) {
    addCounts(index, values.filter((_, i) => labels[i] === label), label, counts);
  }
  // The odds of a bin are those of its mean value. Missing values have no bin: a score has a weight for them.
  const odds = new Float64Array(counts.length / 2);
  const ends = [...thresholds, Infinity];
  let bin = 0;
  sorted.forEach((value) => {
    while (value > ends[bin]!) bin++;
    odds[bin]! += value;
  });
  return {
    score,
    index,
    leaves: Int32Array.from(odds.keys()),
    counts,
    odds: odds.map((sum, i) =>
      sum === 0 ? 0 : factor * sum / (counts[2 * i]! + counts[2 * i + 1]!)
    ),
  };
}

function addCounts(
  index: BinIndex,
  values: Float64Array,
  label: number,
  counts: Float64Array,
): void {
  const hits = new Float64Array(counts.length / 2);
  countBins(index, values, values.length, hits);
  hits.forEach((count, bin) => counts[2 * bin + label]! += count);
}
