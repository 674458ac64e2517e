import type { ClaimBet } from "../../kernel/betting/claim_bet.ts";
import type { LeafLaw } from "../../kernel/betting/leaf_law.ts";

/** The goal of a bet, and the draws that it has. */
export interface BetGoal {
  /** Draws, both sides together. */
  readonly draws: number;
  /** Logarithm of the wealth that refutes, ln(1/α). */
  readonly nats: number;
}

/** Returns the mean and variance of the logarithm of a bet's factor in one draw of a law; `undefined` without a bet. */
function growthUnder(
  bet: ClaimBet,
  law: LeafLaw,
  parameter: number,
): { mean: number; variance: number } | undefined {
  const factors = bet.factorsAt(parameter);
  if (factors === undefined) return undefined;
  let mean = 0, square = 0;
  for (const side of ["left", "right"] as const) {
    const shares = law[side], values = factors[side];
    for (let i = 0; i < shares.length; i++) {
      const share = shares[i]!;
      if (share === 0) continue;
      const log = Math.log(values[i]!);
      mean += 0.5 * share * log;
      square += 0.5 * share * log * log;
    }
  }
  return { mean, variance: Math.max(0, square - mean * mean) };
}

/** Returns by how many standard deviations the expected log wealth exceeds the goal; −∞ without a bet. */
export function deviationsAboveGoal(
  bet: ClaimBet,
  { law, parameter, draws, nats }: BetGoal & {
    readonly law: LeafLaw;
    readonly parameter: number;
  },
): number {
  const growth = growthUnder(bet, law, parameter);
  if (growth === undefined) return -Infinity;
  const excess = draws * growth.mean - nats;
  // NaN, from a factor of 0 in a cell of some probability, is not growth.
  if (!(growth.variance > 0)) return excess > 0 ? Infinity : -Infinity;
  return excess / Math.sqrt(draws * growth.variance);
}
