import { logBinomialLowerTail, logBinomialTail } from "../../numeric/binomial_tail.ts";

/** Each ε that is tested is so many times the last one; the first is this share of the claim. */
const RATIO = 1.005;
const FIRST = 1 / 16;
/** No larger ε is tested: beyond it guesses are right with probability 1 in doubles. */
const LAST = 36;

/** Guesses that were to be more. */
interface UnfinishedGuesses {
  /** Those made, and those of them that were right. */
  readonly made: number;
  readonly right: number;
  /** As many as there were to be. */
  readonly goal: number;
  readonly alpha: number;
  /** The claimed ε, which is among those tested. */
  readonly claim: number;
  /** A number in (0, 1), drawn uniformly and independently of all guesses. */
  readonly toss: number;
}

/**
 * The lower bound on ε of guesses of which some were not reached: these are tossed for. Where ε is tested, each is
 * right with probability θ = e^ε/(1 + e^ε), which is the most that the claim of ε allows a guess that is made. So all
 * `goal` of them together are right no oftener than a binomial number, whoever decided when to stop making them, and
 * whatever they knew. Every ε of a fixed grid is tested so, upwards, by one toss; the bound is the last one before the
 * first that is not refuted.
 */
export function unfinishedLowerBound(
  { made, right, goal, alpha, claim, toss }: UnfinishedGuesses,
): number {
  const level = Math.log(alpha) - 1e-9;
  let bound = 0;
  for (let k = Math.ceil(Math.log(FIRST) / Math.log(RATIO));; k++) {
    const epsilon = claim * RATIO ** k;
    if (epsilon > LAST) return bound;
    const rate = 1 / (1 + Math.exp(-epsilon));
    const tossed = binomialQuantile(toss, { trials: goal - made, rate });
    if (logBinomialTail(right + tossed, goal, rate) > level) return bound;
    bound = epsilon;
  }
}

/** The smallest number that a binomial one does not exceed with this probability or more. */
function binomialQuantile(
  probability: number,
  { trials, rate }: { trials: number; rate: number },
): number {
  const log = Math.log(probability);
  let low = -1, high = trials;
  // The quantile lies above `low` and is not above `high`. It is mostly near the mean.
  let middle = Math.floor(trials * rate), step = Math.sqrt(trials * rate * (1 - rate)) + 1;
  while (high - low > 1) {
    if (logBinomialLowerTail(middle, trials, rate) >= log) {
      high = middle;
      middle = Math.floor(Math.max(low + 1, high - step));
    } else {
      low = middle;
      middle = Math.ceil(Math.min(high - 1, low + step));
    }
    // Beyond the first steps outwards, halve.
    step *= 2;
    if (low >= 0 && high < trials) middle = low + ((high - low) >> 1);
  }
  return high;
}
