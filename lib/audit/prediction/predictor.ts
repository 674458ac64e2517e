import type { Effort } from "./effort.ts";
import type { LocationShiftBatch, PredictionBatch } from "../betting/prediction_batch.ts";
import { STANDARD_ERRORS } from "../betting/shares.ts";
import { DistinctRows } from "../encoding/distinct_rows.ts";
import { type Encoder, encoderOf } from "../encoding/encoder.ts";
import { featuresOf } from "../encoding/features.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import type { DatasetDifference } from "../location_shift/dataset_difference.ts";
import { LocationShiftPredictor } from "../location_shift/location_shift_predictor.ts";
import { compileCountLeaves } from "../partition/count_leaves.ts";
import type { CountedPartition } from "../partition/feature_histogram.ts";
import {
  type GrowOptions,
  growTree,
  leavesOf,
  type Partition,
  trivialPartition,
} from "../partition/grow_tree.ts";
import { leafPerRow } from "../partition/leaf_per_row.ts";
import { leafLogOdds } from "../partition/pruning_mixture.ts";
import { learnedScores } from "../scores/learned_scores.ts";
import { recountScores } from "../scores/recount_scores.ts";
import { countOf, type Outputs } from "../subjects/outputs.ts";
import {
  CandidatePartitions,
  type GrownTree,
  informationOf,
  pruned,
} from "./candidate_partitions.ts";
import type { TestHorizon } from "./choose_guesses.ts";

const MAX_STORED_DRAWS = 1 << 19;
/** Numbers stored, by the effort of learning. */
const MAX_STORED_NUMBERS = { quick: 1 << 20, thorough: 1 << 18, sparing: 1 << 16 };
/** As few stored draws shape a fine partition by luck: a sparing predictor counts them no further. */
const FEW_STORED = 1 << 13;
/** Below this many stored draws the partition is grown anew oftener than at each doubling. */
const GROW_OFTEN = 1 << 12;
/** Who is not eager grows no partition on fewer draws. */
const GROW_FIRST = 1 << 10;

/** The size of the next batch as a share of the draws so far. */
const BATCH_SHARE = { quick: 1 / 16, thorough: 1 / 4, sparing: 1 };

/**
 * Learns to tell the outputs on one dataset from those on the other, and predicts every batch before it learns from
 * it. Outputs are stored until there are MAX_STORED_DRAWS; whenever they have doubled, a partition is grown on them,
 * and they are its first counts. That they shaped it and fill it too makes it optimistic; the small prior
 * probability of a split pays for that. Once the store is full only counts are kept, of the partition and of its
 * {@linkcode CandidatePartitions}. None of this can make a bet unsound: a batch is always predicted before it is learned from.
 */
export class Predictor {
  /** Numbers whose bits outputs are compared with, if bits are looked at. */
  readonly centres: readonly number[] | undefined;
  /** How soon it must know. */
  readonly effort: Effort;
  /** Follows outputs that move where the data do; at other paces bets hold too small a share of α for that. */
  readonly locationShift: LocationShiftPredictor | undefined;
  readonly #stored: { outputs: Outputs; label: 0 | 1 }[] = [];
  readonly #signs: Int8Array | undefined;
  #storedDraws = 0;
  #grownAt = 0;
  #full = false;
  #rivals: CandidatePartitions | undefined;
  #encoder: Encoder | undefined;
  #distinct: DistinctRows | undefined;
  #inForce: CountedPartition = {
    partition: trivialPartition,
    countLeaves: compileCountLeaves(trivialPartition, 1),
    counts: new Float64Array(2),
  };
  #leaves: Int32Array = Int32Array.of(0);
  /** Whether the partition in force has a bin for each row. */
  #hasTable = false;
  /** What was worked out of the counts as they are. */
  #known: { logOdds?: Float64Array[]; information?: number } = {};
  #draws = 0;

  /**
   * With `centres` (numbers that occur in the two datasets) the bits of doubles are features too;
   * `difference` says which way the data move between the two sides.
   * At the effort "thorough" the partition is grown more rarely, at a sparing one on fewer outputs too.
   */
  constructor(
    { centres, difference, effort = "quick" }: {
      centres?: readonly number[] | undefined;
      difference?: DatasetDifference;
      effort?: Effort;
    } = {},
  ) {
    this.effort = effort;
    this.centres = centres;
    this.#signs = difference?.each && Int8Array.from(difference.each, Math.sign);
    if (effort === "quick" && difference !== undefined) {
      this.locationShift = new LocationShiftPredictor(difference);
    }
  }

  /** How large its next batch shall be, as a share of its draws: odds are learned between batches, which takes time. */
  get batchShare(): number {
    return BATCH_SHARE[this.effort];
  }

  /** Draws learned from. */
  get draws(): number {
    return this.#draws;
  }

  /** Whether outputs are so few different ones that all rivals are counted to the end. */
  get seesFewRows(): boolean {
    return this.#hasTable || (this.#rivals?.seesFewRows ?? false);
  }

  /**
   * Whether all there is to know of the outputs is counted: they are few different ones, or single numbers
   * whose bits are not looked at.
   */
  get isSimple(): boolean {
    return this.seesFewRows || (this.#full && this.#width === 1 && this.centres === undefined);
  }

  /** The partition in force. */
  get partition(): Partition {
    return this.#inForce.partition;
  }

  /** The encoder in force. */
  get encoder(): Encoder | undefined {
    return this.#encoder;
  }

  /** Draws counted in the partition in force, at `[2 * node + label]`, leaves only. */
  get counts(): Float64Array {
    return this.#inForce.counts;
  }

  /** The leaves of the partition in force. */
  get leaves(): Int32Array {
    return this.#leaves;
  }

  /** Predicted log odds at every node for each caution. */
  get logOdds(): readonly Float64Array[] {
    this.#known.logOdds ??= leafLogOdds(this.#inForce.partition, {
      counts: this.#inForce.counts,
      standardErrors: STANDARD_ERRORS,
    });
    return this.#known.logOdds;
  }

  /**
   * Fixes the partition for good, cut back to the splits that are believed in by now: a test that
   * fixes its event beforehand needs that. It is the grown one or one of its rivals, whichever
   * promises the larger bound from `draws` more draws at level `alpha`.
   */
  freeze(horizon: TestHorizon): void {
    if (!this.#full) this.#settle();
    const best = this.#rivals?.best(this.#inForce, horizon) ?? this.#inForce;
    this.#rivals = undefined;
    this.#use(pruned(best, this.#width), this.#encoder);
  }

  /** What the most telling partition tells of the label, in nats a draw. */
  get information(): number {
    this.#known.information ??= Math.max(
      informationOf(this.#inForce),
      this.#rivals?.information ?? 0,
    );
    return this.#known.information;
  }

  /**
   * Forgets what was counted and keeps what is counted: the partition and its rivals then begin again from
   * nothing, and what they promise owes nothing to the luck for which they were chosen.
   */
  resetCounts(): void {
    if (this.#draws === 0) return;
    if (!this.#full) this.#settle();
    this.#inForce.counts.fill(0);
    this.#rivals?.renew();
    this.#draws = 0;
    this.#known = {};
  }

  /**
   * Grows the last partition and forgets the outputs. It is finer than what the stored draws could
   * justify: later draws still decide which of its splits are believed.
   */
  #settle(): void {
    if (this.#storedDraws > 0) {
      const grown = this.#grow({ minGain: 1 });
      if (grown !== undefined) {
        recountScores([this.#inForce], grown.all);
        this.#rivals = new CandidatePartitions(grown, this.effort);
      }
    }
    this.#stored.length = 0;
    this.#full = true;
  }

  get #width(): number {
    return this.#encoder?.columns.length ?? 1;
  }

  #use(counted: CountedPartition, encoder: Encoder | undefined): void {
    // Single numbers are as soon counted as compared.
    if (encoder !== this.#encoder) {
      this.#distinct = encoder === undefined || encoder.columns.length < 2
        ? undefined
        : new DistinctRows(encoder.columns.length);
    }
    this.#encoder = encoder;
    this.#inForce = counted;
    this.#leaves = leavesOf(counted.partition);
    this.#known = {};
  }

  /** Predicts a batch, then learns from it. */
  observe(left: Outputs, right: Outputs): PredictionBatch {
    const before = this.#inForce.counts.slice();
    const logOdds = this.logOdds;
    const counts = new Float64Array(before.length);
    const draws = countOf(left) + countOf(right);
    let shifted: LocationShiftBatch | undefined;
    if (this.#encoder === undefined) counts.set([countOf(left), countOf(right)]);
    else {
      const sides = { left: this.#encoder.encode(left), right: this.#encoder.encode(right) };
      this.#count(sides.left, 0, counts);
      this.#count(sides.right, 1, counts);
      shifted = this.locationShift?.count(sides, this.#width);
    }
    const batch = { counts, logOdds, leaves: this.#leaves, before, draws, shifted };
    for (let i = 0; i < counts.length; i++) this.#inForce.counts[i]! += counts[i]!;
    this.#draws += draws;
    this.#known = {};
    this.#store(left, 0);
    this.#store(right, 1);
    if (!this.#full && this.#storedDraws >= this.#growAt()) this.#grow();
    if (!this.#full && this.#isFull()) {
      this.#settle();
      const isFine = this.effort === "sparing" && this.#storedDraws <= FEW_STORED;
      if (isFine && !this.#hasTable) this.#inForce.counts.fill(0);
    }
    if (this.#rivals?.isDue) {
      const next = this.#rivals.review(this.#inForce, this.#encoder!.encode(left));
      if (next !== undefined) this.#use(next, this.#encoder);
    }
    return batch;
  }

  /** Draws at which the partition is grown anew. */
  #growAt(): number {
    if (this.effort === "quick") return (this.#grownAt < GROW_OFTEN ? 1.4 : 2) * this.#grownAt;
    return Math.max(GROW_FIRST, (this.effort === "thorough" ? 4 : 8) * this.#grownAt);
  }

  #isFull(): boolean {
    return this.#storedDraws >= MAX_STORED_DRAWS ||
      this.#storedDraws * this.#width >= MAX_STORED_NUMBERS[this.effort];
  }

  #count(rows: Float64Array, label: 0 | 1, counts: Float64Array): void {
    const distinct = this.#distinct?.of(rows);
    this.#inForce.countLeaves(distinct?.rows ?? rows, label, counts, distinct?.weights);
    this.#rivals?.count(rows, label, distinct);
  }

  #store(outputs: Outputs, label: 0 | 1): void {
    if (this.#full || countOf(outputs) === 0) return;
    this.#stored.push({ outputs, label });
    this.#storedDraws += countOf(outputs);
  }

  /** Grows a partition on what is stored; nothing more is said of it where a table of rows does as well. */
  #grow(options: GrowOptions = {}): GrownTree | undefined {
    this.#grownAt = this.#storedDraws;
    const encoder = encoderOf(this.#stored.map(({ outputs }) => outputs));
    const all = this.#encodeStored(encoder);
    const bins = this.effort === "quick" ? undefined : leafPerRow(all, encoder);
    this.#hasTable = bins !== undefined;
    if (bins !== undefined) {
      this.#use(bins, encoder);
      return undefined;
    }
    this.locationShift?.learn(all, encoder);
    const scores = learnedScores(all, { elements: encoder.elements, signs: this.#signs });
    const features = [
      ...featuresOf(encoder, { rows: all.rows, centres: this.centres }),
      ...scores.known.keys(),
    ];
    const grown = growTree({ ...all, features, known: scores.known }, options);
    this.#use({ ...grown, countLeaves: compileCountLeaves(grown.partition, all.width) }, encoder);
    return { all, features, ...scores };
  }

  #encodeStored(encoder: Encoder): LabelledRows {
    const width = encoder.columns.length;
    const rows = new Float64Array(this.#storedDraws * width);
    const labels = new Uint8Array(this.#storedDraws);
    let size = 0;
    for (const { outputs, label } of this.#stored) {
      const block = encoder.encode(outputs);
      rows.set(block, size * width);
      labels.fill(label, size, size += block.length / width);
    }
    return { rows, labels, width };
  }
}
