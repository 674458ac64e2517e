import { logBinomialTail } from "../../../../core/numeric/binomial_tail.ts";
import { binomialQuantile } from "../../../../core/numeric/binomial_quantile.ts";

/** The grid of ε: the ratio of each value to the one before, and the first value as a share of the claim. */
const RATIO = 1.0001, FIRST = 1 / 16;
/** The largest ε tested: beyond it θ is 1 in doubles. */
export const LARGEST_EPSILON = 36;
/** The logarithm of the level is lowered by this: more than the rounding errors of the tails. */
export const LEVEL_MARGIN = 1e-9;

/** The counts of a test that ended before its last guess. */
interface UnfinishedGuesses {
  /** Guesses made. */
  readonly made: number;
  /** Right ones among these. */
  readonly right: number;
  /** The number of guesses at which the test was to end. */
  readonly goal: number;
  /** The level of the test. */
  readonly alpha: number;
  /** The claimed ε, which is among those tested. */
  readonly claim: number;
  /** A number in (0, 1), drawn uniformly and independently of all guesses. */
  readonly toss: number;
}

/**
 * Returns the lower bound on ε of guesses of which some were not made. Each missing guess is replaced by a coin of the auditor. When ε
 * is tested the coin is "right" with probability θ = e^ε/(1 + e^ε), the largest probability with which a guess that is made
 * is right if ε-DP holds. So the right ones among all `goal` guesses are stochastically at most binomial (goal, θ), whatever
 * the end of the guesses depended on. Every ε of a fixed grid is tested in ascending order, all by one uniform number `toss`;
 * the bound is the last one before the first that is not refuted.
 *
 * Many values are tested at once: all are refuted where the tail of the largest one is small enough with the tosses of the smallest
 * one, for the tail grows with θ and falls with tosses, which grow with θ too.
 */
export function unfinishedLowerBound(
  { made, right, goal, alpha, claim, toss }: UnfinishedGuesses,
): number {
  const level = Math.log(alpha) - LEVEL_MARGIN;
  const first = Math.ceil(Math.log(FIRST) / Math.log(RATIO));
  const last = Math.floor(Math.log(LARGEST_EPSILON / claim) / Math.log(RATIO));
  const epsilonAt = (k: number): number => claim * RATIO ** k;
  /** Returns true if this shows that values `from` to `to` are refuted: exactly where there is one. */
  const areRefuted = (from: number, to: number): boolean => {
    const tossed = binomialQuantile(toss, {
      trials: goal - made,
      rate: largestRightRate(epsilonAt(from)),
    });
    return logBinomialTail(right + tossed, goal, largestRightRate(epsilonAt(to))) <= level;
  };
  let next = first;
  for (let step = 1; next <= last;) {
    const to = Math.min(last, next + step - 1);
    if (areRefuted(next, to)) {
      next = to + 1;
      step *= 2;
    } else if (to > next) step = Math.ceil(step / 4);
    else break;
  }
  return next === first ? 0 : epsilonAt(next - 1);
}

/** Returns the largest probability with which a guess is right under ε-DP. */
export function largestRightRate(epsilon: number): number {
  return 1 / (1 + Math.exp(-epsilon));
}
