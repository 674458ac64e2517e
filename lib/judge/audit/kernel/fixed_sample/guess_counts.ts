import { clopperPearsonLower } from "../../../../core/numeric/clopper_pearson.ts";
import { unfinishedLowerBound } from "./unfinished_guesses.ts";

/** A test of which less than this share of the guesses was made shows nothing. */
const LEAST_SHARE = 1 / 2;
/** The bound is multiplied by this, which lowers it by more than its rounding errors. */
const DOWNWARDS = 1 - 1e-12;

/** Counts of a test of guesses. */
export interface GuessCounts {
  /** The number of guesses that was fixed when it began. */
  readonly goal: number;
  /** Guesses made. */
  readonly made: number;
  /** Right ones among these. */
  readonly right: number;
  /** The claimed ε. */
  readonly claim: number;
  /** The level of the test. */
  readonly alpha: number;
  /** A number in (0, 1), drawn uniformly and independently of all guesses: it stands for the coins of guesses not made. */
  readonly toss: number;
}

/** Returns the lower bound on ε that guesses show, at confidence 1 − α, rounded down; 0 if they show nothing. */
export function boundOfGuesses(counts: GuessCounts): number {
  const { goal, made, right, alpha } = counts;
  if (!areEnough(counts)) return 0;
  if (made < goal) return unfinishedLowerBound(counts);
  const rate = clopperPearsonLower({ successes: right, trials: goal, alpha });
  return Math.max(0, Math.log(rate / (1 - rate)) * DOWNWARDS);
}

/** Returns true if this bound refutes the claim: above it, or, where guesses are missing, equal to it, for the claim is on the grid. */
export function isRefutedBy(bound: number, { goal, made, claim }: GuessCounts): boolean {
  return bound > claim || (bound === claim && made < goal);
}

/** Returns true if enough guesses were made to show anything. */
export function areEnough({ goal, made }: Pick<GuessCounts, "goal" | "made">): boolean {
  return made >= LEAST_SHARE * goal;
}
