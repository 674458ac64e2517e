import { gaussianDelta } from "../../../../core/numeric/gaussian_delta.ts";
import { type ClaimBet, requireStakes, unlessNegative } from "./claim_bet.ts";

/**
 * The stakes of a bet against (ε, δ) in both directions at once: P(S) ≤ e^ε·Q(S) + δ and Q(S) ≤ e^ε·P(S) + δ for every set S of
 * outputs, where P and Q are the laws on the right and on the left dataset.
 *
 * A draw multiplies the wealth by
 *
 *   1 + 2s(y)·(1[right] − e^ε·1[left]) − s̄δ + 2s′(y)·(1[left] − e^ε·1[right]) − s̄′δ
 *
 * with 0 ≤ s ≤ s̄ and 0 ≤ s′ ≤ s̄′ fixed beforehand. As s/s̄ has values in [0, 1], E_P[s] − e^ε·E_Q[s] ≤ s̄δ, and so
 * for s′: the expectation is at most 1.
 */
export interface EventStakes {
  /** s at each cell: for "right". */
  readonly onRight: Float64Array;
  /** s′ at each cell: for "left". */
  readonly onLeft: Float64Array;
}

/**
 * Returns s̄ + s̄′, the largest stakes, which are paid for δ at every draw.
 *
 * @throws {RangeError} when a stake is negative.
 */
function stakesPaid({ onRight, onLeft }: EventStakes): number {
  requireStakes(onRight);
  requireStakes(onLeft);
  return largest(onRight) + largest(onLeft);
}

function largest(stakes: Float64Array): number {
  return stakes.reduce((most, stake) => Math.max(most, stake), 0);
}

/**
 * Returns the bet with these stakes against (ε, δ) for every ε and this δ.
 *
 * @throws {RangeError} when a stake is negative.
 */
export function approximateBet(stakes: EventStakes, { delta }: { delta: number }): ClaimBet {
  const price = stakesPaid(stakes) * delta;
  return { factorsAt: (epsilon) => factorsOf(stakes, { epsilon, price }) };
}

/**
 * Returns the bet with these stakes on the point (ε, δ(ε)) of the curve of every Gaussian claim, for this ε: μ-Gaussian privacy
 * implies (ε, δ) with δ = Φ(−ε/μ + μ/2) − e^ε·Φ(−ε/μ − μ/2) (Dong, Roth, Su 2022, Corollary 2.13).
 *
 * @throws {RangeError} when a stake is negative.
 */
export function gaussianBet(stakes: EventStakes, { epsilon }: { epsilon: number }): ClaimBet {
  const paid = stakesPaid(stakes);
  return {
    factorsAt: (mu) =>
      factorsOf(stakes, { epsilon, price: mu > 0 ? paid * gaussianDelta(mu, epsilon) : 0 }),
  };
}

function factorsOf(
  { onRight, onLeft }: EventStakes,
  { epsilon, price }: { epsilon: number; price: number },
): ReturnType<typeof unlessNegative> {
  const growth = Math.exp(epsilon), left = onLeft.slice(), right = onRight.slice();
  // 0 times an infinite e^ε would be NaN.
  const lost = (stake: number): number => stake === 0 ? 0 : growth * stake;
  for (let i = 0; i < left.length; i++) {
    left[i] = 1 + 2 * (onLeft[i]! - lost(onRight[i]!)) - price;
    right[i] = 1 + 2 * (onRight[i]! - lost(onLeft[i]!)) - price;
  }
  return unlessNegative({ left, right });
}
