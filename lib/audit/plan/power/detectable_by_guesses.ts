import { logBinomialTail } from "../../../numeric/binomial_tail.ts";
import { binomialQuantile } from "../../../numeric/binomial_quantile.ts";
import {
  LARGEST_EPSILON,
  largestRightRate,
  LEVEL_MARGIN,
} from "../../kernel/fixed_sample/unfinished_guesses.ts";

/** The tosses of missing guesses are averaged over this many cells of equal probability, each at its least number. */
const CELLS = 128;
/** The parameter is found to within this share. */
const PRECISION = 1e-4;

/**
 * The smallest ε above the claimed one that is refuted with the given power, when every guess made is right with probability
 * θ(ε) = e^ε/(1 + e^ε): the power is that of binomial numbers. Guesses that were not made are tossed as under the claim.
 * Rounded up; infinite if even guesses that are always right are too few.
 */
export function detectableByGuesses(
  { goal, made, claim, alpha, power }: {
    /** The number of guesses at which the test ends. */
    readonly goal: number;
    /** Guesses made. */
    readonly made: number;
    /** The claimed ε. */
    readonly claim: number;
    readonly alpha: number;
    readonly power: number;
  },
): number {
  const claimed = largestRightRate(claim);
  const needed = leastRefuting({ goal, rate: claimed, alpha });
  if (needed > goal) return Infinity;
  const missing = goal - made;
  const tossed = missing === 0 ? [0] : Array.from(
    { length: CELLS },
    (_, cell) =>
      cell === 0 ? 0 : binomialQuantile(cell / CELLS, { trials: missing, rate: claimed }),
  );
  const isSeen = (epsilon: number): boolean => {
    const rate = largestRightRate(epsilon);
    const sum = tossed.reduce(
      (sum, right) => sum + Math.exp(logBinomialTail(needed - right, made, rate)),
      0,
    );
    return sum >= power * tossed.length;
  };
  let low = claim, high = LARGEST_EPSILON;
  if (low >= high || !isSeen(high)) return Infinity;
  while (high - low > PRECISION * low) {
    const middle = (low + high) / 2;
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The smallest number of right guesses that refutes the claim; one more than all if none does. */
function leastRefuting(
  { goal, rate, alpha }: { goal: number; rate: number; alpha: number },
): number {
  const level = Math.log(alpha) - LEVEL_MARGIN;
  let low = 0, high = goal + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (logBinomialTail(middle, goal, rate) <= level) high = middle;
    else low = middle;
  }
  return high;
}
