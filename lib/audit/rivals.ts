import { compileAssign } from "./assign.ts";
import type { Feature } from "./features.ts";
import { chooseGuesses, type Horizon } from "./guesses.ts";
import type { LearnedScores } from "./learned_scores.ts";
import { CAUTIONS, leafLogOdds } from "./mixture.ts";
import { leavesOf } from "./partition.ts";
import { type Counted, profilesOf } from "./profile.ts";
import { prunePartition } from "./prune.ts";
import type { LabelledRows } from "./score_cells.ts";
import { SecondGrowth } from "./second_growth.ts";
import { SecondLesson } from "./second_lesson.ts";

/**
 * Whether a learner wants to know as soon as it can, wants to know well in the end, or has to share its time
 * with many others.
 */
export type Pace = "eager" | "patient" | "sparing";

/** What a partition was grown on. */
export interface Grown extends LearnedScores {
  readonly all: LabelledRows;
  readonly features: readonly Feature[];
}

/** Each time the draws have grown by this factor, the half of the rivals that promises less is dropped. */
const NARROW_EVERY = 1.7;
const FEWEST = { eager: 3, patient: 6, sparing: 2 };

/**
 * The rivals of a grown partition: profiles of all features, of which fewer and fewer are counted; a score
 * learned a second time from more draws; and a partition grown a second time from the best features. They
 * do not bet until one of them promises more than the partition in force.
 */
export class Rivals {
  readonly #width: number;
  readonly #pace: Pace;
  #others: readonly Counted[];
  #lesson: SecondLesson | SecondGrowth | undefined;
  #hasGrown = false;
  #draws: number;
  #reviewAt: number;
  /** The partition of many features whose splits are still to be believed or not. */
  #unpruned = true;

  /** Begins with the profiles of the rows that the partition was grown on. */
  constructor(grown: Grown, pace: Pace) {
    this.#width = grown.all.width;
    this.#pace = pace;
    this.#draws = grown.all.labels.length;
    this.#reviewAt = NARROW_EVERY * this.#draws;
    this.#others = profilesOf(grown.all, grown);
    const own = this.#others.map(({ partition }) => grown.cells.get(partition.features[0]!))
      .find((cells) => cells !== undefined);
    if (own !== undefined) this.#lesson = new SecondLesson(own);
  }

  /** Counts rows of one side. */
  count(rows: Float64Array, label: 0 | 1): void {
    for (const { assign, counts } of this.#others) assign(rows, label, counts);
    this.#lesson?.add(rows, this.#width, label);
    this.#draws += rows.length / this.#width;
  }

  /** Whether it is time for a review. */
  get isDue(): boolean {
    return this.#lesson?.isFull === true || this.#draws >= this.#reviewAt;
  }

  /**
   * After a batch, now and then: drops what promises little, and says what shall be in force from now on
   * if it is another partition than `inForce`. `rows` are some of the batch.
   */
  review(inForce: Counted, rows: Float64Array): Counted | undefined {
    if (this.#lesson?.isFull) {
      this.#others = [...this.#others, this.#lesson.finish({ rows, width: this.#width })];
      this.#lesson = undefined;
      this.#reviewAt = Math.max(this.#reviewAt, NARROW_EVERY * this.#draws);
    }
    if (this.#draws < this.#reviewAt) return undefined;
    this.#reviewAt *= NARROW_EVERY;
    // A grown partition asks for many features; a profile is kept as fine as it is.
    const current = this.#unpruned ? pruned(inForce, this.#width) : inForce;
    this.#unpruned = false;
    const most = Math.max(FEWEST[this.#pace], Math.ceil((this.#others.length + 1) / 2));
    const [best, ...others] = this.#ranked(current, { alpha: 0.02, draws: 8 * this.#draws });
    this.#others = others.slice(0, most - 1);
    if (this.#lesson === undefined && !this.#hasGrown && this.#pace !== "sparing") {
      this.#hasGrown = true;
      const features = [best!, ...others].flatMap(({ partition }) => partition.features);
      this.#lesson = SecondGrowth.of(features);
    }
    return best === inForce ? undefined : best;
  }

  /** The most promising of all. */
  best(inForce: Counted, horizon: Horizon): Counted {
    return this.#ranked(inForce, horizon)[0]!;
  }

  #ranked(inForce: Counted, horizon: Horizon): Counted[] {
    const rivals = [inForce, ...this.#others];
    const promises = new Map(rivals.map((rival) => [rival, promiseOf(rival, horizon)]));
    return rivals.toSorted((a, b) => promises.get(b)! - promises.get(a)!);
  }
}

/** A partition cut back to the splits that are believed in, with its counts. */
export function pruned({ partition, counts }: Counted, width: number): Counted {
  const smaller = prunePartition(partition, counts);
  return { ...smaller, assign: compileAssign(smaller.partition, width) };
}

function promiseOf({ partition, counts }: Counted, horizon: Horizon): number {
  const logOdds = leafLogOdds(partition, { counts, cautions: CAUTIONS });
  return chooseGuesses({ counts, leaves: leavesOf(partition), logOdds }, horizon).promise;
}
