import type { AdditiveScore } from "../encoding/additive_score.ts";
import { MAX_BINS, type ScoreBins } from "./score_bins.ts";

// Bins of a column in the two loops. They are constants of this file, for imported ones are loaded for every number.
const FEW_BINS = 4;
const MANY_BINS = 16;

/** Bins with the weight of each. */
interface WeightedScoreBins extends ScoreBins {
  readonly weights: Float64Array;
}

/**
 * Returns the score with these weights. Each column has a binary search tree of its thresholds, in which the children of place
 * k are at 2k and 2k + 1: the search needs no branches.
 */
export function scoreOf(bins: WeightedScoreBins): AdditiveScore {
  const isWide = bins.thresholds.some((threshold, at) =>
    at % (MAX_BINS - 1) >= FEW_BINS - 1 && threshold < Infinity
  );
  const fillFrom = isWide ? fillFromManyThresholds : fillFromFewThresholds;
  const trees = treesOf(bins, isWide ? MANY_BINS : FEW_BINS);
  return {
    data: bins,
    fill: (all, stride, from, count, out) => fillFrom(trees, all, stride, from, count, out),
  };
}

/** For each column `size` − 1 thresholds from place 1 on, the weights of `size` bins, and that of missing values. */
interface Trees {
  readonly terms: number;
  readonly differences: boolean;
  readonly size: number;
  readonly thresholds: Float64Array;
  readonly weights: Float64Array;
  readonly missing: Float64Array;
}

function treesOf(
  { thresholds, weights, terms, differences, pooled, sign }: WeightedScoreBins,
  size: number,
): Trees {
  const trees = {
    terms,
    differences,
    size,
    thresholds: new Float64Array(size * terms),
    weights: new Float64Array(size * terms),
    missing: new Float64Array(terms),
  };
  for (let j = 0; j < terms; j++) {
    const group = pooled ? 0 : j;
    const own = thresholds.subarray(group * (MAX_BINS - 1));
    const weight = (bin: number): number => sign[j]! * weights[group * (MAX_BINS + 1) + bin]!;
    for (let k = 1; k < size; k++) {
      // The first place in a level of the tree is the middle of the leftmost part, the next ones are a part further on.
      const half = size >> (32 - Math.clz32(k));
      const inLevel = k - (1 << (31 - Math.clz32(k)));
      trees.thresholds[j * size + k] = own[half * (2 * inLevel + 1) - 1]!;
    }
    for (let bin = 0; bin < size; bin++) trees.weights[j * size + bin] = weight(bin);
    trees.missing[j] = weight(MAX_BINS);
  }
  return trees;
}

// Comparisons are added up as numbers, for a branch on random data is mispredicted half the time. Missing values often
// come in runs, where a branch is predicted well.
// The two loops are alike on purpose: one loop for any number of halvings took 1.4 to 2 times as long.

/** Scores of columns of few values: at most 3 thresholds, found by two halvings. */
function fillFromFewThresholds(
  { terms, differences, thresholds, weights, missing }: Trees,
  rows: Float64Array,
  width: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    let at = (from + i) * width, tree = 0, before = 0, score = 0;
    for (let j = 0; j < terms; j++, at++, tree += FEW_BINS) {
      const y = rows[at]!;
      const x = y - before;
      if (differences) before = y;
      if (x !== x) {
        score += missing[j]!;
        continue;
      }
      let k = 2 + Number(x > thresholds[tree + 1]!);
      k = 2 * k + Number(x > thresholds[tree + k]!);
      score += weights[tree + k - FEW_BINS]!;
    }
    out[i] = score;
  }
}

/** Scores of any columns: up to 15 thresholds, found by four halvings. */
function fillFromManyThresholds(
  { terms, differences, thresholds, weights, missing }: Trees,
  rows: Float64Array,
  width: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    let at = (from + i) * width, tree = 0, before = 0, score = 0;
    for (let j = 0; j < terms; j++, at++, tree += MANY_BINS) {
      const y = rows[at]!;
      const x = y - before;
      if (differences) before = y;
      if (x !== x) {
        score += missing[j]!;
        continue;
      }
      let k = 2 + Number(x > thresholds[tree + 1]!);
      k = 2 * k + Number(x > thresholds[tree + k]!);
      k = 2 * k + Number(x > thresholds[tree + k]!);
      k = 2 * k + Number(x > thresholds[tree + k]!);
      score += weights[tree + k - MANY_BINS]!;
    }
    out[i] = score;
  }
}
