import { clopperPearsonLower } from "../numeric/clopper_pearson.ts";
import { normalTailQuantile } from "../numeric/normal_tail.ts";
import type { FinalTest } from "./final_test.ts";
import { chooseGuesses, type LearnedCells } from "./guesses.ts";
import type { Batch } from "./batch.ts";

/**
 * The guess test: for pure claims, the fixed-sample companion of the bets.
 *
 * A partition and a set of its leaves are fixed. Whenever an output falls into one of them, the
 * likelier side is guessed. Under ε-DP every guess is right with probability at most e^ε/(1+e^ε), given
 * everything before, so the number of right guesses is stochastically below a binomial one, and the
 * Clopper–Pearson lower bound of the success rate, read as log odds, is a lower bound on ε. It uses
 * both directions at once and spends nothing on when to stop, which makes it sharper than the bets at
 * the end of a budget; it may only be looked at once, there.
 */
export class GuessTest implements FinalTest {
  readonly #claim: number;
  readonly #alpha: number;
  readonly #guess: Int8Array;
  #right = 0;
  #trials = 0;

  /** Chooses the leaves from what was learned of them, for about `draws` more draws. */
  constructor(
    learned: LearnedCells,
    { epsilon, alpha, draws }: { epsilon: number; alpha: number; draws: number },
  ) {
    this.#claim = epsilon;
    this.#alpha = alpha;
    ({ guess: this.#guess } = chooseGuesses(learned, { alpha, draws }));
  }

  /** Counts the guesses of a batch, in the same partition. */
  add({ counts, leaves }: Pick<Batch, "counts" | "leaves">): void {
    for (const leaf of leaves) {
      const guess = this.#guess[leaf]!;
      if (guess < 0) continue;
      this.#right += counts[2 * leaf + guess]!;
      this.#trials += counts[2 * leaf]! + counts[2 * leaf + 1]!;
    }
  }

  /** The lower bound on ε, at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number {
    if (this.#trials === 0) return 0;
    const rate = clopperPearsonLower({
      successes: this.#right,
      trials: this.#trials,
      alpha: this.#alpha,
    });
    return rate > 0.5 ? Math.log(rate / (1 - rate)) * (1 - 1e-12) : 0;
  }

  /** Whether the bound lies above the claim. */
  refutes(): boolean {
    return this.lowerBound() > this.#claim;
  }

  /** The ε that would have been shown to exceed the claim with the given power by as many guesses. */
  detectable(power: number): number | null {
    if (this.#trials === 0) return null;
    const theta = 1 / (1 + Math.exp(-this.#claim));
    const error = 1 / Math.sqrt(this.#trials * theta * (1 - theta));
    return this.#claim + (normalTailQuantile(this.#alpha) + normalTailQuantile(1 - power)) * error;
  }
}
