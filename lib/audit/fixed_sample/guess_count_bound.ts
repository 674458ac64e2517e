import type { Source } from "../../core/source.ts";
import { clopperPearsonLower } from "../../numeric/clopper_pearson.ts";
import type { PredictionBatch } from "../betting/prediction_batch.ts";
import type { FixedSampleBound } from "./fixed_sample_bound.ts";
import { unfinishedLowerBound } from "./unfinished_guesses.ts";

/** A test of which less than this share of the guesses was made shows nothing. */
const LEAST_SHARE = 1 / 2;
/**
 * A batch is so small that it makes more guesses than are left only if their number is so many standard deviations above its
 * expectation.
 */
const DEVIATIONS = 3;
/** When so few guesses are left, a batch is expected to make half of them: guesses beyond the last cost little then. */
const FEW_LEFT = 8;
/** Numbers of draws are rounded down, but not where rounding errors alone put them below an integer. */
const ROUNDING = 1e-6;
/** The bound is made smaller by this share, more than its arithmetic can be wrong. */
const DOWNWARDS = 1 - 1e-12;

/**
 * The test of pure claims at the end of a budget: it counts right guesses.
 *
 * A partition, a set of its leaves and a number of guesses are fixed. Whenever an output falls into one of these leaves, the
 * likelier side is guessed, until that number of guesses is made. Under ε-DP every guess is right with probability at most
 * θ = e^ε/(1+e^ε), given everything before. So the number of right guesses is stochastically at most a binomial one, and the
 * Clopper–Pearson lower bound (1934) of the rate of right guesses, as log odds, is a lower bound on ε. The test uses both
 * directions at once and is read once, which makes it sharper than the bets at the end of a budget.
 *
 * The test ends at a guess and not at a draw or a time, for the program decides how fast it answers and how often it gives an
 * output in which a guess is made. Guesses that are not made before the budget is spent are replaced by coins of the auditor
 * ({@linkcode unfinishedLowerBound}); if they are more than half, nothing is shown. So a program that stalls costs power,
 * never soundness. When a batch makes more guesses than are left, the first ones count. Their order is not known, so all its
 * wrong guesses are assumed to be among them, as far as they fit in (docs/decisions/guess_count_bound.md).
 */
export class GuessCountBound implements FixedSampleBound {
  readonly #claim: number;
  readonly #alpha: number;
  readonly #guess: Int8Array;
  /** The number of guesses at which the test ends. */
  readonly #goal: number;
  readonly #toss: number;
  /** Draws learned from and counted, and guesses among them: their ratio is the rate of guesses. */
  #drawsSeen = 1;
  #guessesSeen = 1;
  #right = 0;
  #made = 0;
  #bound: number | undefined;

  /**
   * Fixes the guesses, and as many of them as are expected in `draws` more draws by the counts so far.
   *
   * @param guess 0 or 1 at nodes where that side is guessed, −1 elsewhere
   * @throws {RangeError} when a guess is another number.
   */
  constructor(
    guess: Int8Array,
    { learned, epsilon, alpha, draws, source }: {
      /** The counts so far. */
      readonly learned: Pick<PredictionBatch, "counts" | "leaves">;
      /** The claimed ε. */
      readonly epsilon: number;
      readonly alpha: number;
      readonly draws: number;
      /** Throws the coins for guesses that are not made. */
      readonly source: Source;
    },
  ) {
    const other = guess.find((side) => side < -1 || side > 1);
    if (other !== undefined) {
      throw new RangeError(
        `Cannot begin a test: a guess must be 0, 1 or -1: current value is ${other}`,
      );
    }
    this.#claim = epsilon;
    this.#alpha = alpha;
    this.#toss = source.uniform();
    this.#guess = guess;
    this.#count(learned);
    this.#goal = Math.max(1, Math.round(draws * this.#guessesSeen / this.#drawsSeen));
  }

  /** The number of guesses at which the test ends. */
  get goal(): number {
    return this.#goal;
  }

  /** Guesses made. */
  get made(): number {
    return this.#made;
  }

  /** Whether enough guesses were made to show anything. */
  get areEnough(): boolean {
    return this.#made >= LEAST_SHARE * this.#goal;
  }

  /** The most draws that are unlikely to make more guesses than are left. */
  get mostDraws(): number {
    const left = this.#goal - this.#made;
    if (left === 0) return Infinity;
    const rate = this.#guessesSeen / this.#drawsSeen;
    const spread = DEVIATIONS * Math.sqrt(1 - rate);
    // Solves n·rate + DEVIATIONS·√(n·rate·(1 − rate)) = left for n·rate.
    const root = (Math.sqrt(spread ** 2 + 4 * left) - spread) / 2;
    const wanted = Math.max(root ** 2, Math.min(left, FEW_LEFT) / 2);
    return Math.max(1, Math.floor(wanted / rate + ROUNDING));
  }

  /** Counts the guesses of a batch, in the same partition. */
  add(batch: Pick<PredictionBatch, "counts" | "leaves">): void {
    const left = this.#goal - this.#made, { right, made } = this.#count(batch);
    this.#made += Math.min(made, left);
    this.#right += Math.min(right, Math.max(0, left - (made - right)));
    this.#bound = undefined;
  }

  /** Counts the guesses among some draws, and the right ones among these. */
  #count(
    { counts, leaves }: Pick<PredictionBatch, "counts" | "leaves">,
  ): { right: number; made: number } {
    let right = 0, made = 0;
    for (const leaf of leaves) {
      const guess = this.#guess[leaf]!, draws = counts[2 * leaf]! + counts[2 * leaf + 1]!;
      this.#drawsSeen += draws;
      if (guess < 0) continue;
      right += counts[2 * leaf + guess]!;
      made += draws;
    }
    this.#guessesSeen += made;
    return { right, made };
  }

  /** The lower bound on ε, at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number {
    return this.#bound ??= this.#computeBound();
  }

  #computeBound(): number {
    const [goal, made, right, alpha] = [this.#goal, this.#made, this.#right, this.#alpha];
    if (!this.areEnough) return 0;
    if (made < goal) {
      return unfinishedLowerBound({
        goal,
        made,
        right,
        alpha,
        claim: this.#claim,
        toss: this.#toss,
      });
    }
    const rate = clopperPearsonLower({ successes: right, trials: goal, alpha });
    return Math.max(0, Math.log(rate / (1 - rate)) * DOWNWARDS);
  }

  /** Whether the bound lies above the claim; where guesses are missing, also whether it is the claim, which is on the grid. */
  refutes(): boolean {
    const bound = this.lowerBound();
    return bound > this.#claim || (bound === this.#claim && this.#made < this.#goal);
  }
}
