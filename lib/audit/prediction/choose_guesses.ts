import { normalTailQuantile } from "../../numeric/normal_tail.ts";
import { ONE_STANDARD_ERROR } from "../betting/shares.ts";

/** What was learned of the bins of a partition. */
export interface PredictedLeaves {
  readonly leaves: Int32Array;
  /** Draws at `[2 * node + label]`, leaves only. */
  readonly counts: Float64Array;
  /** Predicted log odds of "right" at each node, by caution. */
  readonly logOdds: readonly Float64Array[];
}

/** A test to come: its level and its draws. */
export interface TestHorizon {
  readonly alpha: number;
  readonly draws: number;
  /** Standard errors taken off for what the bins promise by luck: 1 if absent. */
  readonly luck?: number;
}

/** Which side to guess in each bin, and how far that is likely to lead. */
export interface Guesses {
  /** 0 or 1 at nodes where a guess is made, −1 elsewhere. */
  readonly guess: Int8Array;
  /** The lower bound on ε that a test of these guesses is likely to show. */
  readonly promise: number;
}

/**
 * Chooses the bins in which to guess: the clearest ones, as many as make the lower bound expected of
 * `draws` more draws largest. What the bins promise is what is believed of them, less what may be luck.
 */
export function chooseGuesses(
  { leaves, counts, logOdds }: PredictedLeaves,
  { alpha, draws, luck = 1 }: TestHorizon,
): Guesses {
  const believed = logOdds[0]!, cautious = logOdds[ONE_STANDARD_ERROR]!;
  const total = leaves.reduce((n, leaf) => n + counts[2 * leaf]! + counts[2 * leaf + 1]!, 1);
  const z = normalTailQuantile(alpha);
  const order = leaves.toSorted((a, b) => Math.abs(cautious[b]!) - Math.abs(cautious[a]!));
  let promise = -Infinity, chosen = 0, right = 0.5, wrong = 0.5;
  order.forEach((leaf, k) => {
    const count = counts[2 * leaf]! + counts[2 * leaf + 1]!;
    const odds = cautious[leaf]! > 0 ? believed[leaf]! : -believed[leaf]!;
    const rate = 1 / (1 + Math.exp(-odds));
    right += count * rate;
    wrong += count * (1 - rate);
    // So much off for what the leaves promise by luck, z standard errors for the test to come.
    const error = Math.sqrt(1 / right + 1 / wrong);
    const bound = Math.log(right / wrong) - luck * error - z * error * Math.sqrt(total / draws);
    if (bound > promise) {
      promise = bound;
      chosen = k + 1;
    }
  });
  const guess = new Int8Array(counts.length / 2).fill(-1);
  for (const leaf of order.slice(0, chosen)) guess[leaf] = cautious[leaf]! > 0 ? 1 : 0;
  return { guess, promise };
}
