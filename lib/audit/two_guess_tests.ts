import type { FinalTest } from "./final_test.ts";
import { GuessTest } from "./guess_test.ts";
import type { LearnedCells } from "./guesses.ts";
import type { Batch } from "./batch.ts";

/** The share of α that the test of the favourite gets. */
const FAVOURITE = 3 / 4;

/**
 * Two guess tests on the same draws: of the partition in force, with most of α, and of its runner-up, with the
 * rest. Where outputs have many parts, what is chosen on some million draws is often not what tells most:
 * events of one draw in a thousand are hard to compare. The larger of the two bounds holds at α.
 */
export class TwoGuessTests implements FinalTest {
  readonly #favourite: GuessTest;
  readonly #runnerUp: GuessTest;

  /** Chooses the leaves of both, as {@linkcode GuessTest} does. */
  constructor(
    { favourite, runnerUp }: { favourite: LearnedCells; runnerUp: LearnedCells },
    { alpha, ...options }: { epsilon: number; alpha: number; draws: number },
  ) {
    this.#favourite = new GuessTest(favourite, { ...options, alpha: FAVOURITE * alpha });
    this.#runnerUp = new GuessTest(runnerUp, { ...options, alpha: (1 - FAVOURITE) * alpha });
  }

  /** Counts a batch in both partitions. */
  add(batch: Batch): void {
    this.#favourite.add(batch);
    if (batch.runnerUp !== undefined) this.#runnerUp.add(batch.runnerUp);
  }

  /** The larger bound. */
  lowerBound(): number {
    return Math.max(this.#favourite.lowerBound(), this.#runnerUp.lowerBound());
  }

  /** Whether one of the bounds lies above the claim. */
  refutes(): boolean {
    return this.#favourite.refutes() || this.#runnerUp.refutes();
  }

  /** What the favourite alone would have shown. */
  detectable(power: number): number | null {
    return this.#favourite.detectable(power);
  }
}
