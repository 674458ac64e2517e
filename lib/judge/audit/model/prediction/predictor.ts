import type {
  LocationShiftBatch,
  PredictedBatch,
  PredictionBatch,
} from "../../kernel/betting/prediction_batch.ts";
import { STANDARD_ERRORS } from "../../kernel/betting/shares.ts";
import type { AdditiveScore } from "../encoding/additive_score.ts";
import { DistinctRows } from "../encoding/distinct_rows.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import { DensityPredictor } from "../density/density_predictor.ts";
import type { DatasetDifference } from "../location_shift/dataset_difference.ts";
import { LocationShiftPredictor } from "../location_shift/location_shift_predictor.ts";
import { compileCountLeaves } from "../partition/count_leaves.ts";
import type { CountedPartition } from "../partition/feature_histogram.ts";
import {
  type GrowOptions,
  leavesOf,
  type Partition,
  trivialPartition,
} from "../partition/grow_tree.ts";
import { leafPerRow } from "../partition/leaf_per_row.ts";
import { leafLogOdds } from "../partition/pruning_mixture.ts";
import { ScorePredictor } from "../scores/score_predictor.ts";
import { recountScores } from "../scores/recount_scores.ts";
import { withoutExcepted } from "../../subjects/excepted_outputs.ts";
import { countOf, type Outputs } from "../../kernel/outputs.ts";
import {
  CandidatePartitions,
  type GrownTree,
  informationOf,
  pruneCounted,
} from "./candidate_partitions.ts";
import type { TestHorizon } from "../../plan/bet_choice/choose_guesses.ts";
import type { Effort } from "./effort.ts";
import { growOnRows } from "./grow_on_rows.ts";
import { BATCH_SHARE, nextGrowth } from "./next_growth.ts";
import { OutputStore } from "./output_store.ts";
import { RareOutputs } from "./rare_outputs.ts";

/**
 * With effort `sparing`, the last tree begins with counts of 0 if at most this many draws are stored: a fine tree fits
 * so few draws too well.
 */
const FEW_STORED_DRAWS = 1 << 13;

/** Nats that a split of the last tree must gain: less than usual, for later draws decide which splits are real. */
const LAST_TREE_MIN_GAIN = 1;

/** A partition of at most this many features takes little time a draw. */
const FEW_FEATURES = 2;

/** A partition that is fixed, with its encoder, the draws that were learned from, and those that satisfy no excepted event. */
interface LearnedPartition extends CountedPartition {
  readonly encoder: Encoder | undefined;
  readonly draws: number;
  readonly kept: number;
  /** See {@linkcode Predictor.rarerShare}. */
  readonly rarerShare: number;
}

/**
 * Learns which dataset of a pair an output comes from, and predicts every batch before it learns from it: that alone
 * makes the bets on its predictions sound. Outputs are stored until the store is full. Each time their number has grown
 * by a factor, a tree is grown on them, and they are its first counts. These counts are too good on average, for the
 * same draws shaped the tree; the small prior probability of a split makes up for that. When the store is full only
 * counts are kept, of the current partition and of its {@linkcode CandidatePartitions}.
 */
export class Predictor {
  /** Numbers around which the bits of outputs are features; `undefined` if no bits are. */
  readonly centres: readonly number[] | undefined;
  /** How much time it may take. */
  readonly effort: Effort;
  /** With effort `quick` alone: elsewhere bets on a shift have too small a share of α. */
  readonly locationShift: LocationShiftPredictor | undefined;
  /** With effort `quick` alone, as the location shift. */
  readonly score: ScorePredictor | undefined;
  /** Densities of outputs of few numbers, with effort `quick` alone. */
  readonly #density: DensityPredictor | undefined;
  /** Outputs that hardly ever come, whenever they come. */
  readonly rare: RareOutputs = new RareOutputs();
  readonly #store: OutputStore;
  readonly #signs: Int8Array | undefined;
  /** The stored draws that the last tree was grown on. */
  #grownAt = 0;
  /** Whether outputs are single numbers, of which some are not whole. */
  #isFraction: boolean | undefined;
  /** Whether the last tree is grown, and the store empty for good. */
  #isClosed = false;
  #candidates: CandidatePartitions | undefined;
  #encoder: Encoder | undefined;
  #distinct: DistinctRows | undefined;
  #current: CountedPartition = {
    partition: trivialPartition,
    countLeaves: compileCountLeaves(trivialPartition, 1),
    counts: new Float64Array(2),
  };
  #leaves: Int32Array = Int32Array.of(0);
  /** Whether the current partition has a leaf for each row. */
  #hasLeafPerRow = false;
  /** Results computed from the present counts. */
  #cached: { logOdds?: Float64Array[]; information?: number } = {};
  #draws = 0;
  /** Draws among these that satisfy no excepted event. */
  #kept = 0;
  #learnedShare: number | undefined;

  /**
   * With `centres` (numbers that occur in the two datasets) the bits of doubles are features too. `difference` is that
   * of the two datasets: pooled scores use its signs, the location shift its distance too.
   */
  constructor(
    { centres, difference, effort = "quick", learned }: {
      centres?: readonly number[] | undefined;
      difference?: DatasetDifference;
      effort?: Effort;
      /** Data of another predictor, from when its partition was fixed. */
      learned?: LearnedPartition;
    } = {},
  ) {
    this.effort = effort;
    this.#store = new OutputStore(effort);
    this.centres = centres;
    if (learned !== undefined) {
      this.#isClosed = true;
      this.#setCurrent(learned, learned.encoder);
      this.#draws = learned.draws;
      this.#kept = learned.kept;
      this.#learnedShare = learned.rarerShare;
    }
    this.#signs = difference?.each && Int8Array.from(difference.each, Math.sign);
    if (effort === "quick") {
      this.score = new ScorePredictor();
      if (learned === undefined) this.#density = new DensityPredictor();
    }
    if (effort === "quick" && difference !== undefined) {
      this.locationShift = new LocationShiftPredictor(difference);
    }
  }

  /** The size of its next batch as a share of its draws: log odds are computed between batches, which takes time. */
  get batchShare(): number {
    return BATCH_SHARE[this.effort];
  }

  /** Draws learned from. */
  get draws(): number {
    return this.#draws;
  }

  /** The share of draws that satisfy no excepted event: on the others nothing is bet, and nothing is learned from them. */
  get keptShare(): number {
    return this.#draws === 0 ? 1 : this.#kept / this.#draws;
  }

  /** The share of outputs in the rarer part when they are divided as evenly as their values allow: 1/2 at most. */
  get rarerShare(): number {
    return this.#learnedShare ?? this.rare.rarerShare;
  }

  /** Whether outputs have so few distinct rows that every candidate partition stays. */
  get seesFewRows(): boolean {
    return this.#hasLeafPerRow || (this.#candidates?.seesFewRows ?? false);
  }

  /**
   * Whether the counts hold all information about the outputs: their distinct rows are few, or they are single numbers
   * without features of their bits.
   */
  get isSimple(): boolean {
    return this.seesFewRows || (this.#isClosed && this.#width === 1 && this.centres === undefined);
  }

  /** Whether outputs are single numbers, of which some are not whole; `undefined` before the first ones. */
  get isFraction(): boolean | undefined {
    return this.#isFraction;
  }

  /** The current partition. */
  get partition(): Partition {
    return this.#current.partition;
  }

  /** The current encoder. */
  get encoder(): Encoder | undefined {
    return this.#encoder;
  }

  /** Draws counted in the current partition, at `[2 * node + label]`, leaves only. */
  get counts(): Float64Array {
    return this.#current.counts;
  }

  /** The leaves of the current partition. */
  get leaves(): Int32Array {
    return this.#leaves;
  }

  /** Predicted log odds of "right" at each node, one vector for each of {@linkcode STANDARD_ERRORS} subtracted. */
  get logOdds(): readonly Float64Array[] {
    this.#cached.logOdds ??= leafLogOdds(this.#current.partition, {
      counts: this.#current.counts,
      standardErrors: STANDARD_ERRORS,
    });
    return this.#cached.logOdds;
  }

  /**
   * Fixes the partition for good: of the current one and its candidates the one of the largest expected bound, pruned.
   * A test needs that whose event is fixed beforehand.
   */
  freeze(horizon: TestHorizon): void {
    this.#close();
    const best = this.#candidates?.best(this.#current, horizon) ?? this.#current;
    this.#candidates = undefined;
    // Bets on all leaves lose by merging those that are alike; a partition of one feature or two takes little time.
    const isFast = horizon.boundOf !== undefined && best.partition.features.length <= FEW_FEATURES;
    this.#setCurrent(isFast ? best : pruneCounted(best, this.#width), this.#encoder);
  }

  /** The largest information of an output about its side in any partition, in nats a draw ({@linkcode informationOf}). */
  get information(): number {
    this.#cached.information ??= Math.max(
      informationOf(this.#current),
      this.#candidates?.information ?? 0,
    );
    return this.#cached.information;
  }

  /**
   * Sets all counts to 0 and keeps the partitions. Where its pair was chosen by the counts so far, these are
   * too good on average; the counts from now on have no such bias.
   */
  resetCounts(): void {
    if (this.#draws === 0) return;
    this.#close();
    this.#current.counts.fill(0);
    this.#candidates?.resetCounts();
    this.#draws = this.#kept = 0;
    this.#cached = {};
  }

  /** Grows the last tree, finds its candidates and removes the stored outputs. */
  #close(): void {
    if (this.#isClosed) return;
    if (this.#store.draws > 0) {
      const grown = this.#grow({ minGain: LAST_TREE_MIN_GAIN });
      if (grown !== undefined) {
        recountScores([this.#current], grown.all);
        this.#candidates = new CandidatePartitions(grown, this.effort);
      }
    }
    this.#store.clear();
    this.#isClosed = true;
  }

  get #width(): number {
    return this.#encoder?.columns.length ?? 1;
  }

  #setCurrent(counted: CountedPartition, encoder: Encoder | undefined): void {
    if (encoder !== this.#encoder) {
      // To count single numbers takes no longer than to find equal ones.
      this.#distinct = encoder === undefined || encoder.columns.length < 2
        ? undefined
        : new DistinctRows(encoder.columns.length);
    }
    this.#encoder = encoder;
    this.#current = counted;
    this.#leaves = leavesOf(counted.partition);
    this.#cached = {};
  }

  /** Predicts a batch, then learns from it. */
  observe(drawnLeft: Outputs, drawnRight: Outputs): PredictionBatch {
    const left = withoutExcepted(drawnLeft), right = withoutExcepted(drawnRight);
    const before = this.#current.counts.slice();
    const logOdds = this.logOdds;
    const counts = new Float64Array(before.length);
    const draws = countOf(drawnLeft) + countOf(drawnRight);
    let shifted: LocationShiftBatch | undefined, scored: PredictedBatch | undefined;
    if (this.#encoder === undefined) counts.set([countOf(left), countOf(right)]);
    else {
      const sides = { left: this.#encoder.encode(left), right: this.#encoder.encode(right) };
      this.#count(sides.left, 0, counts);
      this.#count(sides.right, 1, counts);
      shifted = this.locationShift?.count(sides, this.#width);
      scored = this.#density?.count(sides, this.#width) ?? this.score?.count(sides, this.#width);
    }
    const rare = this.rare.observe(left, right, draws);
    const batch = { counts, logOdds, leaves: this.#leaves, before, draws, shifted, scored, rare };
    for (let i = 0; i < counts.length; i++) this.#current.counts[i]! += counts[i]!;
    this.#draws += draws;
    this.#kept += countOf(left) + countOf(right);
    this.#cached = {};
    if (!this.#isClosed) this.#learn(left, right);
    if (this.#candidates?.isReviewDue) {
      const next = this.#candidates.review(this.#current, this.#encoder!.encode(left));
      if (next !== undefined) this.#setCurrent(next, this.#encoder);
    }
    return batch;
  }

  /** Stores a batch, and grows a tree if it is time. */
  #learn(left: Outputs, right: Outputs): void {
    this.#store.add(left, 0);
    this.#store.add(right, 1);
    const { draws } = this.#store;
    const columns = this.#encoder?.screenedFrom ?? this.#width;
    if (draws > 0 && draws >= nextGrowth(this.effort, { grownAt: this.#grownAt, columns })) {
      this.#grow();
    }
    if (!this.#store.isFull(this.#width)) return;
    this.#close();
    const isFewDraws = this.effort === "sparing" && draws <= FEW_STORED_DRAWS;
    if (isFewDraws && !this.#hasLeafPerRow) this.#current.counts.fill(0);
  }

  #count(rows: Float64Array, label: 0 | 1, counts: Float64Array): void {
    const distinct = this.#distinct?.of(rows);
    this.#current.countLeaves(distinct?.rows ?? rows, label, counts, distinct?.weights);
    this.#candidates?.count(rows, label, distinct);
  }

  /** Grows a tree on the stored outputs and returns it; `undefined` where a leaf for each row takes its place. */
  #grow(options: GrowOptions = {}): GrownTree | undefined {
    this.#grownAt = this.#store.draws;
    const { encoder, all } = this.#store.encoded();
    this.#isFraction = all.width === 1 && all.rows.some((x) => Number.isFinite(x) && x % 1 !== 0);
    const rowLeaves = this.effort === "quick" ? undefined : leafPerRow(all, encoder);
    this.#hasLeafPerRow = rowLeaves !== undefined;
    if (rowLeaves !== undefined) {
      this.#setCurrent(rowLeaves, encoder);
      return undefined;
    }
    this.locationShift?.learn(all, encoder);
    this.#density?.learn(all);
    const { grown, current } = growOnRows(all, {
      encoder,
      centres: this.centres,
      signs: this.#signs,
      effort: this.effort,
      ...options,
    });
    this.score?.learn(all.labels, scoresOf(grown));
    this.#setCurrent(current, encoder);
    return grown;
  }
}

/** Yields the scores that were learned, with their cross-fitted values. */
function* scoresOf({ features, known }: GrownTree): Generator<[AdditiveScore, Float64Array]> {
  for (const feature of features) {
    if (feature.kind === "score") yield [feature.score, known.of(feature).values];
  }
}
