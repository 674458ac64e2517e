import { requireInteger } from "../../numeric/require.ts";
import type { Source } from "../../core/source.ts";
import type { Canary } from "./canary.ts";

/** Guesses "in" for the canaries with the highest scores, "out" for those with the lowest, and abstains on the others. */
export interface GuessRule {
  /** How many are guessed to be in. */
  readonly guessedIn: number;
  /** How many are guessed to be out. */
  readonly guessedOut: number;
}

/** A guess rule, and how many of its guesses were right. */
export interface CountedGuesses extends GuessRule {
  /** From 0 to `guessedIn + guessedOut`. */
  readonly right: number;
}

/** Each number of guesses is the one before, divided by this. */
const RATIO = Math.SQRT2;

/** Fewer guesses show nothing at any usual α: five right ones have chance 1/32 without any leak. */
const FEWEST = 5;

/**
 * The rules that are tried on `canaryCount` canaries: numbers k from ⌊m/2⌋ down to 5, each smaller than the one before by a factor of
 * √2, guessed on one side, on the other, or on both. They are fixed by m alone, so a union over them is sound. At
 * least one rule, for any m ≥ 2.
 *
 * @throws {RangeError} unless canaryCount is an integer of at least 2.
 *
 * @example
 * ```ts
 * import { guessRules } from "@dpcheck/dpcheck/one-run";
 * guessRules(1000).length; // 42
 * ```
 */
export function guessRules(canaryCount: number): GuessRule[] {
  requireInteger("choose guess rules", "canaryCount", canaryCount, { min: 2 });
  const half = Math.floor(canaryCount / 2);
  const counts = new Set<number>([half]);
  for (let k = half / RATIO; k >= FEWEST; k /= RATIO) counts.add(Math.round(k));
  return [...counts].flatMap((k) => [
    { guessedIn: k, guessedOut: k },
    { guessedIn: k, guessedOut: 0 },
    { guessedIn: 0, guessedOut: k },
  ]);
}

/**
 * Counts the right guesses of every rule. Equal scores are put in an order that `source` draws, so that the order of the file, which
 * may tell which canaries were in, has no part in it.
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
  { source }: { readonly source: Source },
): CountedGuesses[] {
  const rules = guessRules(canaries.length);
  const ranked = canaries.map(({ included, score }) => {
    if (typeof score !== "number" || Number.isNaN(score)) {
      throw new RangeError(
        "Cannot count guesses: score must be a number: current value is NaN or none",
      );
    }
    return { included, score, tie: source.uniform() };
  }).sort((a, b) => a.score === b.score ? a.tie - b.tie : a.score < b.score ? 1 : -1);
  const count = ranked.length;
  /** How many of the first i are in. */
  const inside = new Uint32Array(count + 1);
  ranked.forEach(({ included }, i) => inside[i + 1] = inside[i]! + (included ? 1 : 0));
  return rules.map(({ guessedIn, guessedOut }) => {
    const wrongBelow = inside[count]! - inside[count - guessedOut]!;
    return { guessedIn, guessedOut, right: inside[guessedIn]! + guessedOut - wrongBelow };
  });
}
