import { learnAdditiveScore } from "./additive_score.ts";
import { type Assign, compileAssign } from "./assign.ts";
import { countOf, type Encoder, encoderOf } from "./encode.ts";
import { type Feature, featuresOf } from "./features.ts";
import { chooseGuesses } from "./guesses.ts";
import { leafLogOdds } from "./mixture.ts";
import { type GrowOptions, growPartition, type Partition, trivialPartition } from "./partition.ts";
import { type Profile, profilesOf } from "./profile.ts";
import { prunePartition } from "./prune.ts";
import type { Cells, LabelledRows } from "./score_cells.ts";
import { SecondLesson } from "./second_lesson.ts";
import type { Outputs } from "./subject.ts";

/** What a learner predicted for a batch, and what came. */
export interface Batch {
  /** Draws of the batch at `[2 * node + label]`, leaves only. */
  readonly counts: Float64Array;
  /** Predicted log odds of "right" at each node, one vector per caution, fixed before the batch. */
  readonly logOdds: readonly Float64Array[];
  readonly leaves: Int32Array;
  /** Draws seen before the batch, at `[2 * node + label]`: what the prediction was learned from. */
  readonly before: Float64Array;
  readonly draws: number;
}

/** How far bettors draw their prediction towards "no difference", in standard errors. */
export const CAUTIONS: readonly number[] = [0, 0.5, 1];

const MAX_STORED_DRAWS = 1 << 19;
/** Numbers stored, by the pace of learning. */
const MAX_STORED_NUMBERS = { eager: 1 << 20, patient: 1 << 20, sparing: 1 << 18 };
/** Each time the draws have grown by this factor, the half of the profiles that promises less is dropped. */
const NARROW_EVERY = 1.7;
const FEWEST_RIVALS = { eager: 3, patient: 3, sparing: 2 };
/** Below this many stored draws the partition is grown anew oftener than at each doubling. */
const GROW_OFTEN = 1 << 12;
/** Who is not eager grows no partition on fewer draws. */
const GROW_FIRST = 1 << 10;

/**
 * Whether a learner wants to know as soon as it can, wants to know well in the end, or has to share its time
 * with many others.
 */
export type Pace = "eager" | "patient" | "sparing";

/**
 * Learns to tell the outputs on one dataset from those on the other, and predicts every batch before
 * it learns from it. Outputs are stored until there are MAX_STORED_DRAWS; whenever they have
 * doubled, a partition is grown on them, and they are its first counts. That they shaped it and fill it
 * too makes it optimistic; the small prior probability of a split pays for that. Once the store is
 * full only counts are kept. None of this can make a bet unsound: a batch is always predicted before
 * it is learned from.
 */
export class Learner {
  /** Numbers whose bits outputs are compared with, if bits are looked at. */
  readonly centres: readonly number[] | undefined;
  /** How soon it must know. */
  readonly pace: Pace;
  readonly #stored: { outputs: Outputs; label: 0 | 1 }[] = [];
  readonly #signs: Int8Array | undefined;
  #storedDraws = 0;
  #grownAt = 0;
  #full = false;
  #profiles: readonly Profile[] = [];
  #lesson: SecondLesson | undefined;
  #narrowAt = Infinity;
  /** Whether the partition in force is the grown one, not a profile. */
  #isGrown = true;
  #encoder: Encoder | undefined;
  #partition: Partition = trivialPartition;
  #assign: Assign = compileAssign(trivialPartition, 1);
  #leaves: Int32Array = Int32Array.of(0);
  #counts: Float64Array = new Float64Array(2);
  #logOdds: Float64Array[] | undefined;
  #draws = 0;

  /**
   * With `centres` (numbers that occur in the two datasets) the bits of doubles are features too;
   * `signs` says in which direction each number of the dataset moves between the two sides.
   * At a patient pace the partition is grown more rarely, at a sparing one on fewer outputs too.
   */
  constructor(
    { centres, signs, pace = "eager" }: {
      centres?: readonly number[] | undefined;
      signs?: Int8Array | undefined;
      pace?: Pace;
    } = {},
  ) {
    this.pace = pace;
    this.centres = centres;
    this.#signs = signs;
  }

  /** Draws learned from. */
  get draws(): number {
    return this.#draws;
  }

  /** The partition in force. */
  get partition(): Partition {
    return this.#partition;
  }

  /** The encoder in force. */
  get encoder(): Encoder | undefined {
    return this.#encoder;
  }

  /** Counts of all draws at `[2 * node + label]`, leaves only. */
  get counts(): Float64Array {
    return this.#counts;
  }

  /** The leaves of the partition in force. */
  get leaves(): Int32Array {
    return this.#leaves;
  }

  /** Predicted log odds at every node for each caution. */
  get logOdds(): readonly Float64Array[] {
    this.#logOdds ??= leafLogOdds(this.#partition, { counts: this.#counts, cautions: CAUTIONS });
    return this.#logOdds;
  }

  /**
   * Fixes the partition for good, cut back to the splits that are believed in by now: a test that
   * fixes its event beforehand needs that. It is the grown one or one of the profiles, whichever
   * promises the larger bound from `draws` more draws at level `alpha`.
   */
  freeze(horizon: Horizon): void {
    if (!this.#full) this.#settle();
    this.#lesson = undefined;
    this.#narrow(1, horizon);
    this.#use(prunePartition(this.#partition, this.#counts), this.#encoder);
  }

  /** Keeps the most promising of the partition in force, cut back, and the profiles; the best is then in force. */
  #narrow(most: number, horizon: Horizon): void {
    // A grown partition asks for many features; a profile is kept as fine as it is.
    if (this.#isGrown) this.#use(prunePartition(this.#partition, this.#counts), this.#encoder);
    const current = { partition: this.#partition, assign: this.#assign, counts: this.#counts };
    const rivals = [current, ...this.#profiles];
    const promises = new Map(rivals.map((rival) => [rival, promiseOf(rival, horizon)]));
    const [best, ...others] = rivals.toSorted((a, b) => promises.get(b)! - promises.get(a)!);
    this.#profiles = others.slice(0, most - 1);
    if (best === current) return;
    this.#use(best!, this.#encoder);
    this.#isGrown = false;
  }

  /**
   * Grows the last partition and forgets the outputs. It is finer than what the stored draws could
   * justify: later draws still decide which of its splits are believed.
   */
  #settle(): void {
    if (this.#storedDraws > 0) {
      const { all, features, known, cells } = this.#grow({ minGain: 1 });
      this.#profiles = profilesOf(all, { features, known });
      const learned = this.#profiles.map(({ partition }) => cells.get(partition.features[0]!))
        .find((own) => own !== undefined);
      if (learned !== undefined) this.#lesson = new SecondLesson(learned);
    }
    this.#stored.length = 0;
    this.#full = true;
    this.#narrowAt = NARROW_EVERY * this.#draws;
  }

  #use(
    { partition, counts }: { partition: Partition; counts: Float64Array },
    encoder: Encoder | undefined,
  ): void {
    this.#encoder = encoder;
    this.#partition = partition;
    this.#counts = counts;
    this.#assign = compileAssign(partition, encoder?.columns.length ?? 1);
    this.#leaves = leavesOf(partition);
    this.#logOdds = undefined;
  }

  /** Predicts a batch, then learns from it. */
  observe(left: Outputs, right: Outputs): Batch {
    const before = this.#counts.slice();
    const logOdds = this.logOdds;
    const counts = new Float64Array(before.length);
    this.#count(left, 0, counts);
    this.#count(right, 1, counts);
    const draws = countOf(left) + countOf(right);
    const batch = { counts, logOdds, leaves: this.#leaves, before, draws };
    for (let i = 0; i < counts.length; i++) this.#counts[i]! += counts[i]!;
    this.#draws += draws;
    this.#logOdds = undefined;
    this.#store(left, 0);
    this.#store(right, 1);
    if (!this.#full && this.#storedDraws >= this.#growAt()) this.#grow();
    if (!this.#full && this.#isFull()) this.#settle();
    if (this.#full && this.#profiles.length > 0 && this.#draws >= this.#narrowAt) {
      this.#narrowAt *= NARROW_EVERY;
      const most = Math.max(FEWEST_RIVALS[this.pace], Math.ceil((this.#profiles.length + 1) / 2));
      this.#narrow(most, { alpha: 0.02, draws: 8 * this.#draws });
    }
    if (this.#lesson?.isFull) {
      const width = this.#encoder!.columns.length;
      const rows = this.#encoder!.encode(left);
      this.#profiles = [...this.#profiles, this.#lesson.finish({ rows, width })];
      this.#lesson = undefined;
      this.#narrowAt = Math.max(this.#narrowAt, NARROW_EVERY * this.#draws);
    }
    return batch;
  }

  /** Draws at which the partition is grown anew. */
  #growAt(): number {
    if (this.pace !== "eager") return Math.max(GROW_FIRST, 4 * this.#grownAt);
    return (this.#grownAt < GROW_OFTEN ? 1.4 : 2) * this.#grownAt;
  }

  #isFull(): boolean {
    const width = this.#encoder?.columns.length ?? 1;
    return this.#storedDraws >= MAX_STORED_DRAWS ||
      this.#storedDraws * width >= MAX_STORED_NUMBERS[this.pace];
  }

  #count(outputs: Outputs, label: 0 | 1, counts: Float64Array): void {
    if (this.#encoder === undefined) {
      counts[label]! += countOf(outputs);
      return;
    }
    const rows = this.#encoder.encode(outputs);
    this.#assign(rows, label, counts);
    for (const profile of this.#profiles) profile.assign(rows, label, profile.counts);
    this.#lesson?.add(rows, this.#encoder.columns.length, label);
  }

  #store(outputs: Outputs, label: 0 | 1): void {
    if (this.#full || countOf(outputs) === 0) return;
    this.#stored.push({ outputs, label });
    this.#storedDraws += countOf(outputs);
  }

  #grow(options: GrowOptions = {}): Grown {
    this.#grownAt = this.#storedDraws;
    const encoder = encoderOf(this.#stored.map(({ outputs }) => outputs));
    const all = this.#encodeStored(encoder);
    const features: Feature[] = featuresOf(encoder, { rows: all.rows, centres: this.centres });
    const { known, cells } = encoder.elements > 1
      ? scoresOf(all, { elements: encoder.elements, signs: this.#signs })
      : { known: new Map<Feature, Float64Array>(), cells: new Map<Feature, Cells>() };
    features.push(...known.keys());
    this.#use(growPartition({ ...all, features, known }, options), encoder);
    return { all, features, known, cells };
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

/** What a partition was grown on. */
interface Grown {
  readonly all: LabelledRows;
  readonly features: readonly Feature[];
  /** Values of learned features on the rows. */
  readonly known: ReadonlyMap<Feature, Float64Array>;
  /** Cells of the learned scores of columns on their own. */
  readonly cells: ReadonlyMap<Feature, Cells>;
}

/** What a partition is judged for: the level of a test to come and its draws. */
interface Horizon {
  readonly alpha: number;
  readonly draws: number;
}

function promiseOf({ partition, counts }: Profile, horizon: Horizon): number {
  const logOdds = leafLogOdds(partition, { counts, cautions: CAUTIONS });
  return chooseGuesses({ counts, leaves: leavesOf(partition), logOdds }, horizon).promise;
}

function leavesOf({ left }: Partition): Int32Array {
  return Int32Array.from(left.keys()).filter((node) => left[node]! < 0);
}

/** Whether some numbers, missing ones left out, take few different values. */
function fewValues(numbers: Float64Array): boolean {
  const values = new Set<number>();
  for (const x of numbers.subarray(0, 2000)) if (!Number.isNaN(x)) values.add(x);
  return values.size <= 8;
}

/** The learned scores, of values and of successive differences, each column on its own and all pooled. */
function scoresOf(
  all: LabelledRows,
  { elements, signs }: { elements: number; signs: Int8Array | undefined },
): Pick<Grown, "known" | "cells"> {
  const known = new Map<Feature, Float64Array>();
  const cells = new Map<Feature, Cells>();
  const add = (name: string, differences: boolean, pooled: boolean): void => {
    const { score, values, cells: own } = learnAdditiveScore(all, {
      elements,
      differences,
      pooled,
      signs: signs?.length === elements ? signs : undefined,
    });
    const feature: Feature = { kind: "score", name, score };
    known.set(feature, values);
    if (!pooled) cells.set(feature, own);
  };
  add("score(output)", false, false);
  add("pooledScore(output)", false, true);
  // Differences of a few repeated values say nothing that the values do not.
  if (!fewValues(all.rows)) {
    add("score(differences)", true, false);
    add("pooledScore(differences)", true, true);
  }
  return { known, cells };
}
