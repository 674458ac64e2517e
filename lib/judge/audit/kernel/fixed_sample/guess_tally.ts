import type { PredictionBatch } from "../betting/prediction_batch.ts";
import { withLost } from "../betting/with_lost.ts";

/**
 * A batch is so small that it makes more guesses than are left only if their number is this many standard deviations above its
 * expectation.
 */
const DEVIATIONS = 3;
/**
 * A batch is expected to make at least half of the guesses that are left, or half of this many where more are left: guesses
 * beyond the last cost little.
 */
const FEW_LEFT = 8;
/** Numbers of draws are rounded down, but not where rounding errors alone put them below an integer. */
const ROUNDING = 1e-6;

/** Draws at `[2 * leaf + label]`, the leaves, and draws whose outputs did not come. */
export type CountedBatch = Pick<PredictionBatch, "counts" | "leaves" | "lost">;

/** Numbers of guesses and of draws. */
export class GuessRate {
  readonly #guess: Int8Array;
  /** Draws counted, and guesses among them; both begin at 1. */
  #draws = 1;
  #guesses = 1;

  /**
   * Guesses in leaves where `guess` is 0 or 1, that side; none where it is −1.
   *
   * @throws {RangeError} when a guess is another number.
   */
  constructor(guess: Int8Array) {
    const other = guess.find((side) => side < -1 || side > 1);
    if (other !== undefined) {
      throw new RangeError(
        `Cannot begin a test: a guess must be 0, 1 or -1: current value is ${other}`,
      );
    }
    this.#guess = guess;
  }

  /** The expected number of guesses in a draw. */
  get value(): number {
    return this.#guesses / this.#draws;
  }

  /** Counts the guesses among some draws, and the right ones among these. */
  count({ counts: drawn, leaves, lost }: CountedBatch): { right: number; made: number } {
    // A lost draw is a wrong guess where there is one for its side: wherever its output had been, no fewer would be right.
    const counts = lost === undefined ? drawn : withLost(drawn, {
      lost,
      leaves,
      odds: this.#guess.map((guess) => (guess < 0 ? 0 : 2 * guess - 1)),
    });
    let right = 0, made = 0;
    for (const leaf of leaves) {
      const guess = this.#guess[leaf]!, draws = counts[2 * leaf]! + counts[2 * leaf + 1]!;
      this.#draws += draws;
      if (guess < 0) continue;
      right += counts[2 * leaf + guess]!;
      made += draws;
    }
    this.#guesses += made;
    return { right, made };
  }
}

/**
 * The guesses of a test up to its last one, whose number is fixed when it begins. When a batch makes more guesses than are left,
 * the first ones count. Their order is not known, so all its wrong guesses are assumed to be among them, as far as they fit in.
 */
export class GuessTally {
  /** The number of guesses at which the tally ends. */
  readonly goal: number;
  readonly #rate: GuessRate;
  #right = 0;
  #made = 0;

  /** Counts `goal` guesses; `rate` says how many are expected in a draw. */
  constructor(goal: number, rate: GuessRate) {
    this.goal = goal;
    this.#rate = rate;
  }

  /** Guesses made, at most the goal. */
  get made(): number {
    return this.#made;
  }

  /** Right ones among these. */
  get right(): number {
    return this.#right;
  }

  /** The most draws that are unlikely to make more guesses than are left; infinite when none is left. */
  get mostDraws(): number {
    const left = this.goal - this.#made;
    if (left === 0) return Infinity;
    const rate = this.#rate.value;
    const spread = DEVIATIONS * Math.sqrt(1 - rate);
    // Solves n·rate + DEVIATIONS·√(n·rate·(1 − rate)) = left for n·rate.
    const root = (Math.sqrt(spread ** 2 + 4 * left) - spread) / 2;
    const wanted = Math.max(root ** 2, Math.min(left, FEW_LEFT) / 2);
    return Math.max(1, Math.floor(wanted / rate + ROUNDING));
  }

  /** Counts the guesses of a batch. */
  add(batch: CountedBatch): void {
    const left = this.goal - this.#made, { right, made } = this.#rate.count(batch);
    this.#made += Math.min(made, left);
    this.#right += Math.min(right, Math.max(0, left - (made - right)));
  }
}
