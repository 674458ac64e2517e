import { requireFields, requireInteger, requireKind } from "../../../core/numeric/require.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import type { Canary } from "./canary.ts";

/** Guesses "in" for the canaries with the highest scores, "out" for those with the lowest, and abstains on the others. */
export interface GuessRule {
  /** Number of canaries that are guessed to be in. */
  readonly guessedIn: number;
  /** Number of canaries that are guessed to be out. */
  readonly guessedOut: number;
  /** Its part of the chance of error; those of all rules sum to 1. */
  readonly share: number;
}

/** A guess rule, and how many of its guesses were right. */
export interface CountedGuesses extends GuessRule {
  /** From 0 to `guessedIn + guessedOut`. */
  readonly right: number;
}

/** Each number of guesses is the one before, divided by this. */
const RATIO = Math.SQRT2;

/**
 * Parts of the chance of error of the first two numbers k, whose rules guess about nearly all canaries, before all parts are
 * scaled to sum to 1; the j-th number from then on has 1/j for each of its rules. Scores of two values are guessed best by
 * these two on both sides, and their bounds for Gaussian claims rise by 6% of what the equal parts 1 and 1/2 gave; others fall
 * by at most 2% (seed 2710).
 */
const FIRST = { numbers: 2, bothSides: 1.7, oneSide: 0.5 };

/** Fewer guesses show nothing at any usual α: five right ones have chance 1/32 without any leak. */
const FEWEST = 5;

/**
 * Returns the rules that are tried on `canaryCount` canaries: numbers k of guesses, "in" alone or as many on both sides. They begin
 * with ⌊m/2⌋, for scores that say something of every canary; then ⌊m/2 − √m⌋, for scores of two values: rarely have fewer
 * canaries the higher one; and go on from there, each smaller by a factor of √2, down to 5. The shares of the chance of error
 * are largest for the first two on both sides, and fall as 1/j. All of it is fixed by m alone, so a union over the rules is
 * sound.
 *
 * @throws {RangeError} unless canaryCount is an integer of at least 2.
 *
 * @example
 * ```ts
 * import { guessRules } from "@dpcheck/dpcheck/one-run";
 * guessRules(1000).length; // 30
 * ```
 */
export function guessRules(canaryCount: number): GuessRule[] {
  requireInteger("choose guess rules", "canaryCount", canaryCount, { min: 2 });
  const counts = new Set<number>([Math.floor(canaryCount / 2)]);
  for (let k = canaryCount / 2 - Math.sqrt(canaryCount); k >= FEWEST; k /= RATIO) {
    counts.add(Math.floor(k));
  }
  const rules = [...counts].flatMap((k, j) => {
    const isFirst = j < FIRST.numbers, later = 1 / (j + 1);
    return [
      { guessedIn: k, guessedOut: k, share: isFirst ? FIRST.bothSides : later },
      { guessedIn: k, guessedOut: 0, share: isFirst ? FIRST.oneSide : later },
    ];
  });
  const sum = rules.reduce((total, { share }) => total + share, 0);
  return rules.map((rule) => ({ ...rule, share: rule.share / sum }));
}

/**
 * Counts the right guesses of every rule. Equal scores are put in an order that `source` draws, so that the order of the file,
 * which may tell which canaries were in, has no part in it.
 *
 * @throws {RangeError} when a score is NaN, or there are fewer than 2 canaries.
 *
 * @example
 * ```ts
 * import { countGuesses } from "@dpcheck/dpcheck/one-run";
 * import { SeededSource } from "@dpcheck/dpcheck/random";
 * const canaries = [{ included: true, score: 2 }, { included: false, score: 1 }];
 * countGuesses(canaries, { source: new SeededSource(1) })[0]; // guessedIn 1, guessedOut 1, right 2
 * ```
 */
export function countGuesses(
  canaries: readonly Canary[],
  options: { readonly source: Source },
): CountedGuesses[] {
  requireKind("countGuesses", "canaries", canaries, "list");
  const { source } = requireFields("countGuesses", options, { source: "source" });
  const rules = guessRules(canaries.length);
  const ranked = canaries.map((canary) => {
    requireKind("countGuesses", "a canary", canary, "record");
    const { included, score } = canary;
    requireKind("countGuesses", "included of a canary", included, "boolean");
    if (typeof score !== "number" || Number.isNaN(score)) {
      throw new RangeError(
        "Cannot count guesses: score must be a number: current value is NaN or none",
      );
    }
    return { included, score, tie: source.uniform() };
  }).sort((a, b) => a.score === b.score ? a.tie - b.tie : a.score < b.score ? 1 : -1);
  const count = ranked.length;
  /** Number of the first i that are in. */
  const inside = new Uint32Array(count + 1);
  ranked.forEach(({ included }, i) => inside[i + 1] = inside[i]! + (included ? 1 : 0));
  return rules.map(({ guessedIn, guessedOut, share }) => {
    const wrongBelow = inside[count]! - inside[count - guessedOut]!;
    return { guessedIn, guessedOut, share, right: inside[guessedIn]! + guessedOut - wrongBelow };
  });
}
