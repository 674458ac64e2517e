import { byTurns, largestFirst } from "../../../../core/numeric/ranking.ts";
import { STANDARD_ERRORS } from "../../kernel/betting/shares.ts";
import type { WeightedRows } from "../encoding/distinct_rows.ts";
import { type LabelledRows, sideOf } from "../encoding/labelled_rows.ts";
import { CHUNK, compileCountLeaves } from "../partition/count_leaves.ts";
import { type CountedPartition, featureHistograms } from "../partition/feature_histogram.ts";
import { leavesOf } from "../partition/grow_tree.ts";
import { pruneTree } from "../partition/prune_tree.ts";
import { evidenceGain, leafLogOdds } from "../partition/pruning_mixture.ts";
import { recountScores } from "../scores/recount_scores.ts";
import { AdditiveScoreRefit } from "../scores/refit_additive_score.ts";
import type { ScoreBins } from "../scores/score_bins.ts";
import { chooseGuesses, type TestHorizon } from "../../plan/bet_choice/choose_guesses.ts";
import type { Effort } from "./effort.ts";
import type { LearnedFeatures } from "./learned_features.ts";

/** A review follows when the draws have grown by this factor; it drops half of the candidates. */
const REVIEW_FACTOR = { quick: 1.7, thorough: 2.2, sparing: 1.7 };

/** Draws before the first review after the counts were reset. */
const FIRST_REVIEW_AFTER_RESET = 1 << 16;

/** The fewest partitions that a review keeps of those with the largest bounds or gains, the current one included. */
const FEWEST_KEPT = { quick: 3, thorough: 4, sparing: 3 };

/** The test that candidates are compared for in a review: its level, and its draws as a multiple of those so far. */
const REVIEW_ALPHA = 0.02, REVIEW_HORIZON = 8;

/** Rows that all candidates count before the next ones: they stay in the second-level cache. */
const ROWS_AT_ONCE = 2 * CHUNK;

/** Rows of each refit of a score; one follows the other. */
const REFIT_ROWS = { quick: [1 << 20], thorough: [1 << 20], sparing: [1 << 15, 1 << 18, 1 << 20] };

/** The rows, features and scores that a partition was grown on. */
export interface GrownTree extends LearnedFeatures {
  readonly all: LabelledRows;
}

/**
 * Partitions that may replace the current one: histograms of single features, and of a score refitted from more draws. They
 * are counted over all draws; no bet uses one until its expected bound is larger than the current partition's. Each review
 * drops some of them.
 */
export class CandidatePartitions {
  readonly #width: number;
  readonly #effort: Effort;
  #candidates: readonly CountedPartition[];
  /** The refit that still needs rows. */
  #refit: AdditiveScoreRefit | undefined;
  /** Bins of the score to refit: the best one of single columns. */
  readonly #bins: ScoreBins | undefined;
  #refitsBegun = 0;
  /** Partitions by a score that was refitted since: the next review drops them. */
  readonly #superseded = new WeakSet<CountedPartition>();
  #seesFewRows = false;
  #draws: number;
  #reviewAt: number;
  /** Whether the current partition is the grown one, not yet pruned. */
  #isUnpruned = true;

  /** Begins with the histograms of the rows that the partition was grown on. */
  constructor(grown: GrownTree, effort: Effort) {
    this.#width = grown.all.width;
    this.#effort = effort;
    this.#draws = grown.all.labels.length;
    this.#reviewAt = REVIEW_FACTOR[effort] * this.#draws;
    const histograms = featureHistograms(grown);
    this.#candidates = histograms;
    recountScores(this.#candidates, grown.all);
    this.#bins = histograms.map(({ partition }) => grown.bins.get(partition.features[0]!))
      .find((own) => own !== undefined);
    this.#beginRefit();
    for (const label of [0, 1] as const) {
      this.#refit?.add(sideOf(grown.all, label), this.#width, label);
    }
  }

  /** Begins the next refit, if any is left. */
  #beginRefit(): void {
    const rows = REFIT_ROWS[this.#effort][this.#refitsBegun++];
    this.#refit = rows === undefined || this.#bins === undefined
      ? undefined
      : new AdditiveScoreRefit(this.#bins, rows);
  }

  /** Counts rows of one side; the counts need no more than the `distinct` ones, if these are given. */
  count(rows: Float64Array, label: 0 | 1, distinct?: WeightedRows): void {
    const own = distinct?.rows ?? rows, width = this.#width;
    for (let from = 0; from * width < own.length; from += ROWS_AT_ONCE) {
      const to = from + ROWS_AT_ONCE;
      const some = own.subarray(from * width, to * width);
      const weights = distinct?.weights.subarray(from, to);
      for (const { countLeaves, counts } of this.#candidates) {
        countLeaves(some, label, counts, weights);
      }
    }
    this.#refit?.add(rows, this.#width, label);
    this.#draws += rows.length / this.#width;
    this.#seesFewRows = distinct !== undefined;
  }

  /** Sets all counts to 0. */
  resetCounts(): void {
    for (const { counts } of this.#candidates) counts.fill(0);
    this.#draws = 0;
    this.#reviewAt = FIRST_REVIEW_AFTER_RESET;
  }

  /** Whether the last rows had so few distinct ones that a candidate takes next to no time. */
  get seesFewRows(): boolean {
    return this.#seesFewRows;
  }

  /** Whether {@linkcode review} is due. */
  get isReviewDue(): boolean {
    return this.#draws >= this.#reviewAt || this.#refit?.isFull === true;
  }

  /**
   * Reviews the candidates, between batches when that is due: takes in a refit that is full, and drops candidates when the draws
   * have grown enough. Returns the partition that replaces the `current` one, `undefined` if it stays. `rows` are some
   * of the last batch.
   */
  review(current: CountedPartition, rows: Float64Array): CountedPartition | undefined {
    this.#finishRefit(current, rows);
    if (this.#draws < this.#reviewAt) return undefined;
    this.#reviewAt *= REVIEW_FACTOR[this.#effort];
    // A grown partition needs many features, which takes time; a histogram needs one and is not pruned.
    const start = this.#isUnpruned ? pruneCounted(current, this.#width) : current;
    this.#isUnpruned = false;
    this.#candidates = this.#candidates.filter((candidate) => !this.#superseded.has(candidate));
    const most = this.#seesFewRows
      ? Infinity
      : Math.max(FEWEST_KEPT[this.#effort], Math.ceil((this.#candidates.length + 1) / 2));
    const horizon = { alpha: REVIEW_ALPHA, draws: REVIEW_HORIZON * this.#draws };
    const [best, ...others] = this.ranking(start, horizon);
    this.#candidates = byTurns(others, byEvidenceGain(others)).slice(0, most - 1);
    return best === current ? undefined : best;
  }

  /** Makes a candidate of the refit if it is full, and begins the next one. */
  #finishRefit(current: CountedPartition, rows: Float64Array): void {
    if (this.#refit?.isFull !== true) return;
    const refitted = this.#refit.finish({ rows, width: this.#width });
    for (const earlier of [current, ...this.#candidates]) {
      if (isRefit(earlier, refitted)) this.#superseded.add(earlier);
    }
    this.#candidates = [...this.#candidates, refitted];
    this.#beginRefit();
    this.#reviewAt = Math.max(this.#reviewAt, REVIEW_FACTOR[this.#effort] * this.#draws);
  }

  /** The largest {@linkcode informationOf} a candidate; 0 where rows are few, for there a tree has as much. */
  get information(): number {
    return this.#seesFewRows ? 0 : Math.max(0, ...this.#candidates.map(informationOf));
  }

  /** Returns the first of {@linkcode ranking}. */
  best(current: CountedPartition, horizon: TestHorizon): CountedPartition {
    return this.ranking(current, horizon)[0]!;
  }

  /** Returns the current partition and the candidates, those of the largest expected bound first. */
  ranking(current: CountedPartition, horizon: TestHorizon): CountedPartition[] {
    return largestFirst(
      [current, ...this.#candidates],
      (candidate) => expectedBoundOf(candidate, horizon),
    );
  }
}

/** Returns true if both partitions are histograms of one score, of which the later one is a refit. */
function isRefit(earlier: CountedPartition, later: CountedPartition): boolean {
  const [a, b] = [earlier, later].map(({ partition: { features } }) =>
    features.length === 1 && features[0]!.kind === "score" ? features[0]! : undefined
  );
  return a !== undefined && b !== undefined && a.name === b.name;
}

/**
 * Returns candidates by their evidence gain a draw, in all of their bins, the largest first. It needs far fewer draws than the
 * bound, which depends on a few bins, and the first one is often the same.
 */
function byEvidenceGain(candidates: readonly CountedPartition[]): CountedPartition[] {
  return largestFirst(candidates, ({ partition, counts }) => {
    return evidenceGain(partition, counts) / counts.reduce((sum, count) => sum + count, 1);
  });
}

/**
 * Returns the information of an output about its side, in nats a draw: half of the chi-square statistic of the leaves of the
 * pruned tree, less the 1 that each has by chance. Unlike {@linkcode evidenceGain} it is not reduced by the cost of
 * learning, so pairs of few and of many draws compare.
 */
export function informationOf({ partition, counts }: CountedPartition): number {
  const { partition: { left }, counts: own } = pruneTree(partition, counts);
  let twice = 0, draws = 1;
  for (let node = 0; node < left.length; node++) {
    const l = own[2 * node]!, r = own[2 * node + 1]!;
    if (left[node]! >= 0 || l + r === 0) continue;
    twice += (r - l) ** 2 / (l + r) - 1;
    draws += l + r;
  }
  return twice / (2 * draws);
}

/** Does {@linkcode pruneTree} on a counted partition. */
export function pruneCounted(
  { partition, counts }: CountedPartition,
  width: number,
): CountedPartition {
  const smaller = pruneTree(partition, counts);
  return { ...smaller, countLeaves: compileCountLeaves(smaller.partition, width) };
}

function expectedBoundOf({ partition, counts }: CountedPartition, horizon: TestHorizon): number {
  const logOdds = leafLogOdds(partition, { counts, standardErrors: STANDARD_ERRORS });
  const learned = { counts, leaves: leavesOf(partition), logOdds };
  return horizon.boundOf?.(learned) ?? chooseGuesses(learned, horizon).expectedBound;
}
