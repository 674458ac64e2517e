import type { Source } from "../../../../core/mechanism/source.ts";
import type { FixedSampleBound } from "./fixed_sample_bound.ts";
import { areEnough, boundOfGuesses, type GuessCounts, isRefutedBy } from "./guess_counts.ts";
import { type CountedBatch, GuessRate, GuessTally } from "./guess_tally.ts";

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
  readonly #toss: number;
  readonly #tally: GuessTally;
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
      readonly learned: CountedBatch;
      /** The claimed ε. */
      readonly epsilon: number;
      readonly alpha: number;
      readonly draws: number;
      /** Throws the coins for guesses that are not made. */
      readonly source: Source;
    },
  ) {
    this.#claim = epsilon;
    this.#alpha = alpha;
    this.#toss = source.uniform();
    const rate = new GuessRate(guess);
    rate.count(learned);
    this.#tally = new GuessTally(Math.max(1, Math.round(draws * rate.value)), rate);
  }

  /** The number of guesses at which the test ends. */
  get goal(): number {
    return this.#tally.goal;
  }

  /** Guesses made. */
  get made(): number {
    return this.#tally.made;
  }

  /** Whether enough guesses were made to show anything. */
  get areEnough(): boolean {
    return areEnough(this.#tally);
  }

  /** The most draws that are unlikely to make more guesses than are left. */
  get mostDraws(): number {
    return this.#tally.mostDraws;
  }

  /** Counts the guesses of a batch, in the same partition. */
  add(batch: CountedBatch): void {
    this.#tally.add(batch);
    this.#bound = undefined;
  }

  /** Returns the lower bound on ε, at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number {
    return this.#bound ??= boundOfGuesses(this.#counts);
  }

  /** Returns true if the bound lies above the claim; where guesses are missing, also whether it is the claim, which is on the grid. */
  refutes(): boolean {
    return isRefutedBy(this.lowerBound(), this.#counts);
  }

  get #counts(): GuessCounts {
    const { goal, made, right } = this.#tally;
    return { goal, made, right, claim: this.#claim, alpha: this.#alpha, toss: this.#toss };
  }
}
