import { logSigmoid } from "../../../numeric/log_sigmoid.ts";

/**
 * The bets against ε-DP on one batch, for a whole ascending grid of ε at once.
 *
 * With θ₊ = e^ε/(1+e^ε), θ₋ = 1−θ₊, a predicted r(y) = P(right | y) and c = clip(r, [θ₋, θ₊]), a draw
 * with label b multiplies the wealth by (r/c)^b·((1−r)/(1−c))^(1−b), whose expectation is at most 1
 * under ε-DP whatever r is, as long as r was fixed before the draw: the true P(right | y) lies in [θ₋, θ₊], the
 * factor's expectation is 1 where r does too, and elsewhere it is linear in the true probability with its maximum, 1, at c.
 * A leaf with |log odds| l bets against exactly the ε below l, on its likelier label: with a draws of that label and b
 * of the other it adds a·(ln σ(l) − ln θ₊) + b·(ln σ(−l) − ln θ₋). Sorted by l, all leaves and all ε cost one sweep.
 *
 * @param grid the ε to bet against
 * @param counts draws of the batch at `[2 * leaf + label]`
 * @param logOdds predicted log odds of the right dataset at each leaf, fixed before the batch
 * @param leaves the leaves to bet on
 * @param into logarithms of wealth, one for each ε, added to
 */
export function betPure(
  { epsilon: grid, logUpper, logLower }: PureGrid,
  { counts, logOdds, leaves, into }: {
    counts: Float64Array;
    logOdds: Float64Array;
    leaves: Int32Array;
    into: Float64Array;
  },
): void {
  const sorted = leaves.toSorted((a, b) => Math.abs(logOdds[b]!) - Math.abs(logOdds[a]!));
  let gain = 0, right = 0, wrong = 0, next = 0;
  for (let j = grid.length - 1; j >= 0; j--) {
    const epsilon = grid[j]!;
    for (; next < sorted.length; next++) {
      const leaf = sorted[next]!, l = Math.abs(logOdds[leaf]!);
      if (l <= epsilon) break;
      const likelier = logOdds[leaf]! > 0 ? 1 : 0;
      const a = counts[2 * leaf + likelier]!, b = counts[2 * leaf + 1 - likelier]!;
      gain += a * logSigmoid(l) + b * logSigmoid(-l);
      right += a;
      wrong += b;
    }
    into[j]! += gain - right * logUpper[j]! - wrong * logLower[j]!;
  }
}

/** Ascending ε, in nats, with ln θ₊ and ln θ₋ of each. */
export interface PureGrid {
  readonly epsilon: Float64Array;
  readonly logUpper: Float64Array;
  readonly logLower: Float64Array;
}

/** The grid of some ascending ε. */
export function pureGrid(epsilon: Float64Array): PureGrid {
  return {
    epsilon,
    logUpper: epsilon.map(logSigmoid),
    logLower: epsilon.map((x) => logSigmoid(-x)),
  };
}
