import { logBinomialTail } from "../../../core/numeric/binomial_tail.ts";
import type { Guesses } from "./trade_off_tail.ts";

/** More than the relative rounding error of a binomial tail. */
const ROUNDING_MARGIN = 1e-9;

/**
 * Returns an upper bound on P(W ≥ right), W the number of right guesses about the coins of canaries, under (ε, δ)-differential privacy
 * of the program for each coin: whatever the guesses are that depend on its output.
 *
 * Pure: given the output and the coins before, the odds of a coin lie between e^−ε and e^ε, since the chances of the output with
 * the one side and the other do, averaged over the coins to come. So W is at most Binomial(r, q) in the stochastic order,
 * q = e^ε/(1 + e^ε) (Steinke, Nasr, Jagielski 2023, Theorem 5.2).
 *
 * With δ the smaller of two bounds, where β = P(W* ≥ v), W* ~ Binomial(r, q), and m is the number of canaries:
 *
 * - β + 2mδ·max_i P(v − i ≤ W* < v)/i (the same, Theorem 5.2 with δ);
 * - β + (δ·sides/4)·C. Let P₊ and P₋ be the chances of an output with coin i in and out, given the coins before, and t the guess. The chance that it
 *   is right exceeds q by at most d = (1 − q)(P_t − e^ε P_(−t))₊/(P₊ + P₋); the output has chance (P₊ + P₋)/2, so
 *   E d ≤ (1 − q)·δ·sides/2 ≤ δ·sides/4. Replace the chance by q for one guess after the other: each time P(W ≥ v) falls by at most E d times
 *   the largest chance of one value of Binomial(j, q), where j guesses are still to come. C is the sum of these over j < m where
 *   nothing is abstained, and m otherwise, for then j depends on the output.
 */
export function binomialGuessTail(
  { epsilon, delta, right, guesses, canaries, sides }: Guesses & {
    readonly epsilon: number;
    readonly delta: number;
  },
): number {
  const q = 1 / (1 + Math.exp(-epsilon));
  const tail = Math.exp(logBinomialTail(right, guesses, q)) * (1 + ROUNDING_MARGIN);
  if (delta === 0 || right === 0) return Math.min(1, tail);
  const steinke = 2 * canaries * delta * densestWindow({ right, guesses, q });
  const windows = guesses === canaries ? sumOfModes(guesses, q) : canaries;
  return Math.min(1, tail + Math.min(steinke, windows * delta * sides / 4) * (1 + ROUNDING_MARGIN));
}

/** Returns max_i P(v − i ≤ W* < v)/i. */
function densestWindow(
  { right, guesses, q }: { right: number; guesses: number; q: number },
): number {
  if (q === 1) return right === guesses ? 0 : 1;
  const odds = (1 - q) / q;
  let density = Math.exp(
    logBinomialTail(right - 1, guesses, q) +
      Math.log(
        -Math.expm1(logBinomialTail(right, guesses, q) - logBinomialTail(right - 1, guesses, q)),
      ),
  );
  let sum = 0, densest = 0;
  for (let i = 1; i <= right; i++) {
    sum += density;
    densest = Math.max(densest, sum / i);
    const wins = right - i;
    density *= wins / (guesses - wins + 1) * odds;
    // The average falls once a term is below it, for the terms are unimodal.
    if (i > 1 && density < sum / i && sum / i < densest) break;
  }
  return densest;
}

/** Returns Σ over j < count of the largest probability of Binomial(j, q), from above: at most 1, and at most 1/√(2ejq(1 − q)). */
function sumOfModes(count: number, q: number): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += Math.min(1, 1 / Math.sqrt(2 * Math.E * j * q * (1 - q)));
  return sum;
}
