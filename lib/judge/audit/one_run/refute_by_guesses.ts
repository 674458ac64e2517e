import type { Claim } from "../../../core/claims/claim.ts";
import { scaledClaim } from "../../../core/claims/claim_curve.ts";
import { tradeOff } from "../../../core/claims/trade_off/trade_off.ts";
import { binomialGuessTail } from "./binomial_guess_tail.ts";
import type { CountedGuesses } from "./guess_rules.ts";
import { type Guesses, isTailPossible } from "./trade_off_tail.ts";

/** One rule's right guesses, the number of canaries, and its share of the chance of error. */
interface GuessTest extends CountedGuesses {
  /** Number of canaries. */
  readonly canaries: number;
  /** The chance that a true claim may be refuted, in (0, 1). */
  readonly level: number;
}

/** Parameters are not looked for above this: e^64 is more than any count of canaries can show. */
const MOST = 64;

/**
 * Returns true if this many right guesses, or more, have chance at most `level` under the claim: by {@linkcode binomialGuessTail} for a
 * pure or an approximate claim, by {@linkcode isTailPossible} for every kind. Both bounds hold, so the smaller one does.
 */
export function refutesClaim(claim: Claim, test: GuessTest): boolean {
  const guesses = asGuesses(test);
  // As good as coins: no claim is refuted, and the bounds need not be computed.
  if (2 * guesses.right <= guesses.guesses) return false;
  if (claim.kind === "pure" || claim.kind === "approximate") {
    const delta = claim.kind === "pure" ? 0 : claim.delta;
    const { epsilon } = claim;
    if (binomialGuessTail({ ...guesses, epsilon, delta }) <= test.level) return true;
    // No bound on a pure claim is below the binomial one: randomised response attains it.
    if (delta === 0) return false;
  }
  return !isTailPossible(test.level, { ...guesses, tradeOff: tradeOff(claim) });
}

/**
 * Returns the largest parameter (ε, ρ or μ) up to which claims of this kind are refuted, rounded down; `least` where that is
 * no more than `least`.
 */
export function largestRefuted(claim: Claim, test: GuessTest, least: number): number {
  const refutes = (value: number): boolean => refutesClaim(scaledClaim(claim, value), test);
  let low = Math.max(least, 2 ** -20);
  if (!refutes(low)) return least;
  let step = 0.5;
  while (low < MOST && refutes(low + step)) {
    low += step;
    step *= 2;
  }
  if (low >= MOST) return MOST;
  for (let high = low + step; high - low > 1e-6 * (1 + low);) {
    const middle = (low + high) / 2;
    if (refutes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function asGuesses({ guessedIn, guessedOut, right, canaries }: GuessTest): Guesses {
  return {
    right,
    canaries,
    guesses: guessedIn + guessedOut,
    sides: guessedIn > 0 && guessedOut > 0 ? 2 : 1,
  };
}
