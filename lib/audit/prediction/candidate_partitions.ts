import type { Effort } from "./effort.ts";
import { byTurns, largestFirst } from "../../numeric/ranking.ts";
import { STANDARD_ERRORS } from "../betting/shares.ts";
import type { WeightedRows } from "../encoding/distinct_rows.ts";
import type { Feature } from "../encoding/features.ts";
import { type LabelledRows, sideOf } from "../encoding/labelled_rows.ts";
import { compileCountLeaves } from "../partition/count_leaves.ts";
import {
  type CountedPartition,
  featureHistograms,
  knownFeatures,
} from "../partition/feature_histogram.ts";
import { featurePairHistograms, isOfLengthAndSum } from "../partition/feature_pair_histogram.ts";
import { leavesOf } from "../partition/grow_tree.ts";
import { pruneTree } from "../partition/prune_tree.ts";
import { evidenceGain, leafLogOdds } from "../partition/pruning_mixture.ts";
import type { LearnedScores } from "../scores/learned_scores.ts";
import { recountScores } from "../scores/recount_scores.ts";
import { AdditiveScoreRefit } from "../scores/refit_additive_score.ts";
import { PooledScoreRefit } from "../scores/refit_pooled_score.ts";
import type { ScoreBins } from "../scores/score_bins.ts";
import { chooseGuesses, type TestHorizon } from "./choose_guesses.ts";

/** Rows are added until it is full; then it ends with a rival. */
type Lesson = AdditiveScoreRefit | PooledScoreRefit;

/** What a partition was grown on. */
export interface GrownTree extends LearnedScores {
  readonly all: LabelledRows;
  readonly features: readonly Feature[];
}

/** Each time the draws have grown by this factor, half of the rivals are dropped. */
const NARROW_EVERY = { quick: 1.7, thorough: 2.2, sparing: 1.7 };
/** Cross profiles to begin with; one is kept as long as anything is. */
const CROSSES = { quick: 2, thorough: 4, sparing: 1 };
/** Rows of the lessons in which scores are learned again. */
const LESSONS = { quick: [1 << 20], thorough: [1 << 20], sparing: [1 << 15, 1 << 18, 1 << 20] };
/** Draws before the first review of rivals that began again. */
const FIRST_REVIEW = 1 << 16;
/** Rivals never fewer for what they promise, the partition in force among them. */
const FEWEST = { quick: 3, thorough: 4, sparing: 3 };
/**
 * Standard errors taken off for luck. A rival is hopeless that promises less with the former than the best one does with
 * the latter.
 */
const LUCK = { hopeful: 0, doubtful: 3 };

/**
 * The rivals of a grown partition: profiles of all features, of which fewer and fewer are counted, and scores
 * learned a second time from more draws. They do not bet until one of them promises more than the partition in
 * force.
 */
export class CandidatePartitions {
  readonly #width: number;
  readonly #effort: Effort;
  #others: readonly CountedPartition[];
  readonly #crosses: readonly CountedPartition[];
  /** Lessons that go on. */
  #lessons: readonly Lesson[] = [];
  /** Bins of the scores that are learned again: the best of columns on their own, and all that are pooled. */
  readonly #bins: { readonly own: ScoreBins | undefined; readonly pooled: readonly ScoreBins[] };
  #taught = 0;
  /** Scores that were learned again since, from more outputs: dropped at the next review. */
  readonly #outdone = new WeakSet<CountedPartition>();
  #seesFewRows = false;
  #draws: number;
  #reviewAt: number;
  /** The partition of many features whose splits are still to be believed or not. */
  #unpruned = true;

  /** Begins with the profiles of the rows that the partition was grown on. */
  constructor(grown: GrownTree, effort: Effort) {
    this.#width = grown.all.width;
    this.#effort = effort;
    this.#draws = grown.all.labels.length;
    this.#reviewAt = NARROW_EVERY[effort] * this.#draws;
    const known = knownFeatures(grown.all, grown);
    const profiles = featureHistograms(grown.all, known);
    const { labels } = grown.all;
    this.#crosses = featurePairHistograms(known, {
      ranking: profiles.map(({ partition }) => partition.features[0]!),
      labels,
      width: this.#width,
      most: CROSSES[effort],
    });
    this.#others = [...profiles, ...this.#crosses];
    recountScores(this.#others, grown.all);
    const bins = profiles.map(({ partition }) => grown.bins.get(partition.features[0]!))
      .filter((own) => own !== undefined);
    this.#bins = {
      own: bins.find(({ pooled }) => !pooled),
      // These learn fast and cost little: the one that looks worse at first may be the better one.
      pooled: bins.filter(({ pooled }) => pooled),
    };
    this.#teach();
    // What is stored is a beginning: the scores are cut and counted anew.
    if (this.#lessons.length === 0) return;
    for (const label of [0, 1] as const) this.#addToLessons(sideOf(grown.all, label), label);
  }

  #addToLessons(rows: Float64Array, label: 0 | 1): void {
    for (const lesson of this.#lessons) lesson.add(rows, this.#width, label);
  }

  /** Begins the next lessons, if there are any. */
  #teach(): void {
    const rows = LESSONS[this.#effort][this.#taught++];
    if (rows === undefined) return;
    const { own, pooled } = this.#bins;
    this.#lessons = [
      ...(own === undefined ? [] : [new AdditiveScoreRefit(own, rows)]),
      ...pooled.map((layout) => new PooledScoreRefit(layout, rows)),
    ];
  }

  /** Counts rows of one side; their distinct ones are enough for most of it. */
  count(rows: Float64Array, label: 0 | 1, distinct?: WeightedRows): void {
    for (const { countLeaves: assign, counts } of this.#others) {
      assign(distinct?.rows ?? rows, label, counts, distinct?.weights);
    }
    this.#addToLessons(rows, label);
    this.#draws += rows.length / this.#width;
    this.#seesFewRows = distinct !== undefined;
  }

  /** Begins to count from nothing. */
  renew(): void {
    for (const { counts } of this.#others) counts.fill(0);
    this.#draws = 0;
    this.#reviewAt = FIRST_REVIEW;
  }

  /** Whether the last rows were so few different ones that all rivals cost next to nothing. */
  get seesFewRows(): boolean {
    return this.#seesFewRows;
  }

  /** Whether it is time for a review. */
  get isDue(): boolean {
    return this.#draws >= this.#reviewAt || this.#lessons.some(({ isFull }) => isFull);
  }

  /**
   * After a batch, now and then: drops what promises little, and says what shall be in force from now on
   * if it is another partition than `inForce`. `rows` are some of the batch.
   */
  review(inForce: CountedPartition, rows: Float64Array): CountedPartition | undefined {
    const ended = this.#lessons.filter(({ isFull }) => isFull);
    if (ended.length > 0) {
      const learned = ended.map((lesson) => lesson.finish({ rows, width: this.#width }));
      for (const rival of [inForce, ...this.#others]) {
        if (learned.some((own) => isLearnedAgain(rival, own))) this.#outdone.add(rival);
      }
      this.#others = [...this.#others, ...learned];
      this.#lessons = this.#lessons.filter((lesson) => !ended.includes(lesson));
      if (this.#lessons.length === 0) this.#teach();
      this.#reviewAt = Math.max(this.#reviewAt, NARROW_EVERY[this.#effort] * this.#draws);
    }
    if (this.#draws < this.#reviewAt) return undefined;
    this.#reviewAt *= NARROW_EVERY[this.#effort];
    // A grown partition asks for many features; a profile is kept as fine as it is.
    const current = this.#unpruned ? pruned(inForce, this.#width) : inForce;
    this.#unpruned = false;
    this.#others = this.#others.filter((rival) => !this.#outdone.has(rival));
    const most = this.#seesFewRows
      ? Infinity
      : Math.max(FEWEST[this.#effort], Math.ceil((this.#others.length + 1) / 2));
    const horizon = { alpha: 0.02, draws: 8 * this.#draws };
    const [best, ...others] = this.ranking(current, horizon);
    const hopeful = this.#withoutHopeless(others, best!, horizon);
    const kept = byTurns(hopeful, byGain(hopeful)).slice(0, most - 1);
    // What two features tell together shows late, in bins that few outputs fall into.
    const crosses = others.filter((other) => this.#crosses.includes(other));
    const cross = crosses.find(isOfLengthAndSum) ?? crosses[0];
    this.#others = cross === undefined || kept.includes(cross)
      ? kept
      : [...kept.slice(0, most - 2), cross];
    return best === inForce ? undefined : best;
  }

  /**
   * The rivals that may yet promise more than the best one, and the one that tells most: while there are lessons to
   * learn and where rivals cost next to nothing, all of them.
   */
  #withoutHopeless(
    rivals: readonly CountedPartition[],
    best: CountedPartition,
    horizon: TestHorizon,
  ): readonly CountedPartition[] {
    if (this.#lessons.length > 0 || this.#seesFewRows) return rivals;
    const floor = promiseOf(best, { ...horizon, standardErrors: LUCK.doubtful });
    const [telling] = byGain([best, ...rivals]);
    return rivals.filter((rival) =>
      rival === telling || promiseOf(rival, { ...horizon, standardErrors: LUCK.hopeful }) >= floor
    );
  }

  /** The most that one of them tells a draw; 0 where rows are few, of which none tells more than a tree does. */
  get information(): number {
    return this.#seesFewRows ? 0 : Math.max(0, ...this.#others.map(informationOf));
  }

  /** The most promising of all. */
  best(inForce: CountedPartition, horizon: TestHorizon): CountedPartition {
    return this.ranking(inForce, horizon)[0]!;
  }

  /** The partition in force and its rivals, the most promising first. */
  ranking(inForce: CountedPartition, horizon: TestHorizon): CountedPartition[] {
    return largestFirst([inForce, ...this.#others], (rival) => promiseOf(rival, horizon));
  }
}

/** Whether two rivals ask for one score each, the later of which is the former one learned again. */
function isLearnedAgain(former: CountedPartition, later: CountedPartition): boolean {
  const [a, b] = [former, later].map(({ partition: { features } }) =>
    features.length === 1 && features[0]!.kind === "score" ? features[0]! : undefined
  );
  return a !== undefined && b !== undefined && a.name === b.name;
}

/**
 * Rivals by what they tell a draw, in all of their bins: that shows long before what the clearest ones
 * promise does, and is often the same rival.
 */
function byGain(rivals: readonly CountedPartition[]): CountedPartition[] {
  return largestFirst(rivals, ({ partition, counts }) => {
    return evidenceGain(partition, counts) / counts.reduce((sum, count) => sum + count, 1);
  });
}

/**
 * What an output tells of the label, in nats a draw: half of the chi-square of the bins that are believed in,
 * less the one that chance gives each. Unlike {@linkcode evidenceGain} it pays nothing for what was learned on
 * the way, so that pairs of few and of many draws compare.
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

/** A partition cut back to the splits that are believed in, with its counts. */
export function pruned({ partition, counts }: CountedPartition, width: number): CountedPartition {
  const smaller = pruneTree(partition, counts);
  return { ...smaller, countLeaves: compileCountLeaves(smaller.partition, width) };
}

function promiseOf({ partition, counts }: CountedPartition, horizon: TestHorizon): number {
  const logOdds = leafLogOdds(partition, { counts, standardErrors: STANDARD_ERRORS });
  return chooseGuesses({ counts, leaves: leavesOf(partition), logOdds }, horizon).expectedBound;
}
