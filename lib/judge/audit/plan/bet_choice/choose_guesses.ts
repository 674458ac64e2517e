import { normalTailQuantile } from "../../../../core/numeric/normal_tail.ts";
import type { PredictedLeaves } from "../../kernel/betting/prediction_batch.ts";
import { ONE_STANDARD_ERROR } from "../../kernel/betting/shares.ts";

/** The test that guesses are chosen for. */
export interface TestHorizon {
  readonly alpha: number;
  /** Draws of the test. */
  readonly draws: number;
  /** Standard errors of the learned log odds that are subtracted from the expected bound: 1 if absent. */
  readonly standardErrors?: number;
  /** The bound that a test of another kind is expected to show with what was learned, in place of a test of guesses. */
  readonly boundOf?: (learned: PredictedLeaves) => number;
}

/** The side to guess in each leaf. */
export interface Guesses {
  /** 0 or 1 at leaves where a guess is made, −1 elsewhere. */
  readonly guess: Int8Array;
  /** The lower bound on ε that a test of these guesses is expected to show. */
  readonly expectedBound: number;
}

/**
 * Chooses the leaves in which to guess: those of the largest log odds, less one standard error, as many as make the
 * expected lower bound of the test largest. The expected bound is the log ratio of right to wrong guesses by the point
 * estimates, less the given standard errors of that ratio, and less the error of the test itself: the quantile of the
 * normal distribution at level α times the standard error of `draws` draws.
 */
export function chooseGuesses(
  { leaves, counts, logOdds }: PredictedLeaves,
  { alpha, draws, standardErrors = 1 }: TestHorizon,
): Guesses {
  const estimates = logOdds[0]!, shrunk = logOdds[ONE_STANDARD_ERROR]!;
  const total = leaves.reduce((n, leaf) => n + counts[2 * leaf]! + counts[2 * leaf + 1]!, 1);
  const z = normalTailQuantile(alpha);
  const order = leaves.toSorted((a, b) => Math.abs(shrunk[b]!) - Math.abs(shrunk[a]!));
  let expectedBound = -Infinity, chosen = 0, right = 0.5, wrong = 0.5;
  order.forEach((leaf, k) => {
    const count = counts[2 * leaf]! + counts[2 * leaf + 1]!;
    const odds = shrunk[leaf]! > 0 ? estimates[leaf]! : -estimates[leaf]!;
    const rate = 1 / (1 + Math.exp(-odds));
    right += count * rate;
    wrong += count * (1 - rate);
    const error = Math.sqrt(1 / right + 1 / wrong);
    const bound = Math.log(right / wrong) - standardErrors * error -
      z * error * Math.sqrt(total / draws);
    if (bound > expectedBound) {
      expectedBound = bound;
      chosen = k + 1;
    }
  });
  const guess = new Int8Array(counts.length / 2).fill(-1);
  for (const leaf of order.slice(0, chosen)) guess[leaf] = shrunk[leaf]! > 0 ? 1 : 0;
  return { guess, expectedBound };
}
