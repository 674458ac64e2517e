import type { Claim } from "../../../core/claims/claim.ts";
import { scaledClaim } from "../../../core/claims/claim_curve.ts";
import { binomialQuantile } from "../../../core/numeric/binomial_quantile.ts";
import { tradeOff } from "../../../core/claims/trade_off/trade_off.ts";
import { type GuessRule, guessRules } from "./guess_rules.ts";
import { largestRefuted, refutesClaim } from "./refute_by_guesses.ts";

/** A run: how many canaries, and the chance of error of all rules together. */
interface Run {
  readonly canaries: number;
  readonly alpha: number;
}

/** Parameters are not looked for above this. */
const MOST = 1024;
/** The probability with which a claim is to be refuted. */
const POWER = 0.9;

/**
 * Returns the number of a rule's guesses that are right, or more, with probability 0.9, where scores tell as much as the claim allows: the k
 * highest scores are those above a threshold that is passed with chance u by canaries that are in and with chance g(u) by the
 * others, (u + g(u))/2 = k/m; the lowest are their mirror image. The number of right ones is taken to be binomial.
 */
function likelyRight(claim: Claim, rule: GuessRule, canaries: number): number {
  const g = tradeOff(claim);
  const rightOf = (guesses: number): number => {
    let low = 0, high = 1;
    for (let step = 0; step < 50; step++) {
      const middle = (low + high) / 2;
      if (canaries * (middle + g(middle)) / 2 <= guesses) low = middle;
      else high = middle;
    }
    return Math.min(guesses, canaries * high / 2);
  };
  const trials = rule.guessedIn + rule.guessedOut;
  const expected = rightOf(rule.guessedIn) + rightOf(rule.guessedOut);
  return binomialQuantile(1 - POWER, { trials, rate: Math.min(1, expected / trials) });
}

/**
 * Returns the least parameter at which scores that tell as much as claims with that parameter allow would refute the claim with
 * probability 0.9; or, where no claim is tested, would show a bound above 0. Infinity where even right guesses alone would not.
 */
export function detectableParameter(
  claim: Claim,
  { canaries, alpha, isTested }: Run & { readonly isTested: boolean },
): number {
  const tested = isTested ? claim : scaledClaim(claim, 2 ** -20);
  const rules = guessRules(canaries);
  const isSeen = (value: number): boolean => {
    const truth = scaledClaim(claim, value);
    return rules.some((rule) =>
      refutesClaim(tested, {
        ...rule,
        canaries,
        level: alpha * rule.share,
        right: likelyRight(truth, rule, canaries),
      })
    );
  };
  let low = 0, high = 1;
  while (high <= MOST && !isSeen(high)) [low, high] = [high, 2 * high];
  if (high > MOST) return Infinity;
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2;
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns the bound of guesses that are all right, whichever rule makes them. */
export function mostThatCanBeShown(claim: Claim, { canaries, alpha }: Run): number {
  let most = 0;
  for (const rule of guessRules(canaries)) {
    const right = rule.guessedIn + rule.guessedOut;
    most = largestRefuted(claim, { ...rule, right, canaries, level: alpha * rule.share }, most);
  }
  return most;
}
