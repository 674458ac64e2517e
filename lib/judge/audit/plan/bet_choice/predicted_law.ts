import type { LeafLaw } from "../../kernel/betting/leaf_law.ts";
import type { PredictedLeaves } from "../../kernel/betting/prediction_batch.ts";

/** The predicted shares of draws in the leaves, and the log odds of "right" in each. */
export interface PredictedShares {
  readonly mass: Float64Array;
  readonly odds: Float64Array;
}

/**
 * Returns the shares and log odds that a partition predicts, leaf by leaf in the order of `leaves`, and then a cell of no mass
 * and no odds: for outputs of excepted events, which are in no leaf.
 */
export function predictedShares({ leaves, counts, logOdds }: PredictedLeaves): PredictedShares {
  const own = Float64Array.from(leaves, (leaf) => counts[2 * leaf]! + counts[2 * leaf + 1]!);
  const all = own.reduce((sum, count) => sum + count, 0);
  const odds = logOdds[0]!;
  const mass = all === 0 ? own.fill(1 / own.length) : own.map((count) => count / all);
  return {
    mass: Float64Array.of(...mass, 0),
    odds: Float64Array.of(...Array.from(leaves, (leaf) => odds[leaf]!), 0),
  };
}

/** Log odds are cut off here: the probabilities of a law stay above 0. */
const MOST_ODDS = 30;

/** Returns the law with these shares, and with log odds that are `scale` times the predicted ones. */
export function lawOf({ mass, odds }: PredictedShares, scale = 1): LeafLaw {
  const side = (sign: 1 | -1): Float64Array => {
    const own = mass.map((share, i) => {
      const scaled = Math.max(-MOST_ODDS, Math.min(MOST_ODDS, scale * odds[i]!));
      return share / (1 + Math.exp(-sign * scaled));
    });
    const sum = own.reduce((total, share) => total + share, 0);
    return own.map((share) => share / sum);
  };
  return { left: side(-1), right: side(1) };
}
