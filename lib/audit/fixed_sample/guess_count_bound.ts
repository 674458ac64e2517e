import type { Source } from "../../core/source.ts";
import { clopperPearsonLower } from "../../numeric/clopper_pearson.ts";
import { normalTailQuantile } from "../../numeric/normal_tail.ts";
import type { PredictionBatch } from "../betting/prediction_batch.ts";
import type { FixedSampleBound } from "./fixed_sample_bound.ts";
import { chooseGuesses, type PredictedLeaves } from "../prediction/choose_guesses.ts";
import { unfinishedLowerBound } from "./unfinished_guesses.ts";

/** Of a test that is not finished this share of the guesses must have been made, or it shows nothing. */
const LEAST_SHARE = 1 / 2;
/**
 * Batches are so small that they make more guesses than are left only if they are so many standard errors lucky. When few
 * are left a batch may make half of them: little is lost with it, and the last one is to come soon.
 */
const MARGIN = 3;
const FEW_LEFT = 8;

/**
 * The guess test: for pure claims, the fixed-sample companion of the bets.
 *
 * A partition and a set of its leaves are fixed, and a number of guesses. Whenever an output falls into one of the
 * leaves, the likelier side is guessed, until the guesses are as many. Under ε-DP every guess is right with probability
 * at most θ = e^ε/(1+e^ε), given everything before, so the number of right guesses is stochastically below a binomial
 * one, and the Clopper–Pearson lower bound of the success rate, read as log odds, is a lower bound on ε. It uses
 * both directions at once and spends nothing on when to stop, which makes it sharper than the bets at
 * the end of a budget; it may only be looked at once, there.
 *
 * The test ends at a guess and not at a draw or by the clock, for the program decides how fast it answers and how often
 * it gives an output in which a guess is made. Guesses that are not reached before the budget is spent are tossed for
 * ({@linkcode unfinishedLowerBound}); if they are more than half, nothing is shown. So speed and silence cost power,
 * never soundness. Of a batch that makes more guesses than are left, the first ones count, and as nobody knows which
 * these are, as many of them as can be are taken for wrong.
 */
export class GuessCountBound implements FixedSampleBound {
  readonly #claim: number;
  readonly #alpha: number;
  readonly #guess: Int8Array;
  /** How many guesses there are to be. */
  readonly #goal: number;
  readonly #toss: number;
  /** Draws and guesses of what was learned from and what was counted: how often a guess is made. */
  #drawsSeen = 1;
  #guessesSeen = 1;
  #right = 0;
  #made = 0;
  #bound: number | undefined;

  /** Chooses the leaves from what was learned of them, for as many guesses as are to be expected of `draws` more draws. */
  constructor(
    learned: PredictedLeaves,
    { epsilon, alpha, draws, source }: {
      epsilon: number;
      alpha: number;
      draws: number;
      /** Tosses for guesses that are not reached. */
      source: Source;
    },
  ) {
    this.#claim = epsilon;
    this.#alpha = alpha;
    this.#toss = source.uniform();
    ({ guess: this.#guess } = chooseGuesses(learned, { alpha, draws }));
    this.#see(learned);
    this.#goal = Math.max(1, Math.round(draws * this.#guessesSeen / this.#drawsSeen));
  }

  /** How many draws are likely not to make more guesses than are left. */
  get mostDraws(): number {
    const left = this.#goal - this.#made;
    if (left === 0) return Infinity;
    const rate = this.#guessesSeen / this.#drawsSeen;
    const spread = MARGIN * Math.sqrt(1 - rate);
    // n·rate + MARGIN·√(n·rate·(1 − rate)) = left
    const root = (Math.sqrt(spread ** 2 + 4 * left) - spread) / 2;
    const wanted = Math.max(root ** 2, Math.min(left, FEW_LEFT) / 2);
    return Math.max(1, Math.floor(wanted / rate + 1e-6));
  }

  /** Counts the guesses of a batch, in the same partition. */
  add(batch: Pick<PredictionBatch, "counts" | "leaves">): void {
    const left = this.#goal - this.#made;
    if (left === 0) return;
    const { right, made } = this.#see(batch);
    this.#made += Math.min(made, left);
    this.#right += made <= left ? right : Math.max(0, left - (made - right));
    this.#bound = undefined;
  }

  /** The guesses among these draws, those of them that are right, and how often they are made. */
  #see(
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
    return this.#bound ??= this.#workedOut();
  }

  #workedOut(): number {
    const [goal, made, right, alpha] = [this.#goal, this.#made, this.#right, this.#alpha];
    if (!this.#isEnough) return 0;
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
    return rate > 0.5 ? Math.log(rate / (1 - rate)) * (1 - 1e-12) : 0;
  }

  get #isEnough(): boolean {
    return this.#made >= LEAST_SHARE * this.#goal;
  }

  /** Whether the bound lies above the claim, or the claim is the last ε that tossed guesses refute. */
  refutes(): boolean {
    const bound = this.lowerBound();
    return bound > this.#claim || (bound === this.#claim && this.#made < this.#goal);
  }

  /** The ε that would have been shown to exceed the claim with the given power by as many guesses. */
  detectable(power: number): number | null {
    if (!this.#isEnough) return null;
    const theta = 1 / (1 + Math.exp(-this.#claim));
    const error = Math.sqrt(this.#goal / (theta * (1 - theta))) / this.#made;
    return this.#claim + (normalTailQuantile(this.#alpha) + normalTailQuantile(1 - power)) * error;
  }
}
