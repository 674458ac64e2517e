import { type AdditiveScore, learnAdditiveScore } from "./additive_score.ts";
import { type Assign, compileAssign } from "./assign.ts";
import { countOf, type Encoder, encoderOf } from "./encode.ts";
import { type Feature, featuresOf } from "./features.ts";
import { leafLogOdds } from "./mixture.ts";
import { type GrowOptions, growPartition, type Partition, trivialPartition } from "./partition.ts";
import { prunePartition } from "./prune.ts";
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

const MAX_STORED_NUMBERS = 1 << 23;
const MAX_STORED_DRAWS = 1 << 19;
/** Below this many stored draws the partition is grown anew oftener than at each doubling. */
const GROW_OFTEN = 1 << 12;

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
  readonly #stored: { outputs: Outputs; label: 0 | 1 }[] = [];
  readonly #signs: Int8Array | undefined;
  #storedDraws = 0;
  #grownAt = 0;
  #full = false;
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
   */
  constructor(
    { centres, signs }: {
      centres?: readonly number[] | undefined;
      signs?: Int8Array | undefined;
    } = {},
  ) {
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
   * fixes its event beforehand needs that.
   */
  freeze(): void {
    if (!this.#full) this.#settle();
    this.#use(prunePartition(this.#partition, this.#counts), this.#encoder);
  }

  /**
   * Grows the last partition and forgets the outputs. It is finer than what the stored draws could
   * justify: later draws still decide which of its splits are believed.
   */
  #settle(): void {
    if (this.#grownAt > 0 || this.#storedDraws > 0) this.#grow({ minGain: 1 });
    this.#stored.length = 0;
    this.#full = true;
  }

  #use(
    { partition, counts }: { partition: Partition; counts: Float64Array },
    encoder: Encoder | undefined,
  ): void {
    this.#encoder = encoder;
    this.#partition = partition;
    this.#counts = counts;
    this.#assign = compileAssign(partition, encoder?.columns.length ?? 1);
    this.#leaves = Int32Array.from(partition.left.keys()).filter((node) =>
      partition.left[node]! < 0
    );
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
    const factor = this.#storedDraws < GROW_OFTEN ? 1.4 : 2;
    if (!this.#full && this.#storedDraws >= factor * this.#grownAt) this.#grow();
    if (!this.#full && this.#isFull()) this.#settle();
    return batch;
  }

  #isFull(): boolean {
    const width = this.#encoder?.columns.length ?? 1;
    return this.#storedDraws >= MAX_STORED_DRAWS ||
      this.#storedDraws * width >= MAX_STORED_NUMBERS;
  }

  #count(outputs: Outputs, label: 0 | 1, counts: Float64Array): void {
    if (this.#encoder === undefined) counts[label]! += countOf(outputs);
    else this.#assign(this.#encoder.encode(outputs), label, counts);
  }

  #store(outputs: Outputs, label: 0 | 1): void {
    if (this.#full || countOf(outputs) === 0) return;
    this.#stored.push({ outputs, label });
    this.#storedDraws += countOf(outputs);
  }

  #grow(options: GrowOptions = {}): void {
    this.#grownAt = this.#storedDraws;
    const encoder = encoderOf(this.#stored.map(({ outputs }) => outputs));
    const all = this.#encodeStored(encoder);
    const features: Feature[] = featuresOf(encoder, { rows: all.rows, centres: this.centres });
    const scores = encoder.elements > 1
      ? crossFitScores(all, { elements: encoder.elements, signs: this.#signs })
      : new Map<Feature, Float64Array>();
    features.push(...scores.keys());
    this.#use(growPartition({ ...all, features, known: scores }, options), encoder);
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

/** Whether some numbers, missing ones left out, take few different values. */
function fewValues(numbers: Float64Array): boolean {
  const values = new Set<number>();
  for (const x of numbers.subarray(0, 2000)) if (!Number.isNaN(x)) values.add(x);
  return values.size <= 8;
}

/** Encoded outputs with the side each came from. */
interface LabelledRows {
  readonly rows: Float64Array;
  readonly labels: Uint8Array;
  readonly width: number;
}

/** The rows of even (`parity` 0) or odd place. */
function everySecond({ rows, labels, width }: LabelledRows, parity: 0 | 1): LabelledRows {
  const n = Math.floor((labels.length + 1 - parity) / 2);
  const part = { rows: new Float64Array(n * width), labels: new Uint8Array(n), width };
  for (let i = 0; i < n; i++) {
    const from = 2 * i + parity;
    part.labels[i] = labels[from]!;
    for (let j = 0; j < width; j++) part.rows[i * width + j] = rows[from * width + j]!;
  }
  return part;
}

/**
 * The learned scores, of values and of successive differences, each column on its own and all
 * pooled, with their values on the rows they were learned from. A score fits its own training rows
 * too well, so it is learned twice, on the rows of even and of odd place, and each half is scored by
 * what the other half taught; later outputs get the score that all rows taught.
 */
function crossFitScores(
  all: LabelledRows,
  { elements, signs }: { elements: number; signs: Int8Array | undefined },
): Map<Feature, Float64Array> {
  const even = everySecond(all, 0), odd = everySecond(all, 1);
  const n = all.labels.length;
  const scratch = new Float64Array(Math.ceil(n / 2));
  const scores = new Map<Feature, Float64Array>();
  const add = (name: string, differences: boolean, pooled: boolean): void => {
    const options = {
      elements,
      differences,
      pooled,
      signs: signs?.length === elements ? signs : undefined,
    };
    const ofEven = learnAdditiveScore(even, options), ofOdd = learnAdditiveScore(odd, options);
    const values = new Float64Array(n);
    const place = (score: AdditiveScore, half: LabelledRows, parity: 0 | 1): void => {
      score.fill(half.rows, half.width, 0, half.labels.length, scratch);
      for (let i = 0; i < half.labels.length; i++) values[2 * i + parity] = scratch[i]!;
    };
    place(ofOdd, even, 0);
    place(ofEven, odd, 1);
    scores.set({ kind: "score", name, score: learnAdditiveScore(all, options) }, values);
  };
  add("score(output)", false, false);
  add("pooledScore(output)", false, true);
  // Differences of a few repeated values say nothing that the values do not.
  if (!fewValues(all.rows)) {
    add("score(differences)", true, false);
    add("pooledScore(differences)", true, true);
  }
  return scores;
}
