/** Guesses about canaries, each of which was in by a fair coin. */
export interface Guesses {
  /** Number of right guesses: the tail begins here. */
  readonly right: number;
  /** Number of guesses; on the other canaries the rule abstained. */
  readonly guesses: number;
  /** Number of canaries. */
  readonly canaries: number;
  /** 2 where both "in" and "out" is guessed, 1 where only one of them is. */
  readonly sides: 1 | 2;
}

/** The shares by which values of the trade-off function are lowered and the sum is raised: far more than their rounding errors. */
const VALUE_MARGIN = 1e-12, SUM_MARGIN = 1e-9;

/**
 * Returns true if a mechanism that keeps a trade-off function g can have P(W ≥ v) ≥ `tail`, where W is the number of right guesses, v is
 * `right` and g(u) is the smallest Q(S) allowed where P(S) = u. (Mahloujifar, Melis, Chaudhuri 2024, Theorem 3.2 and Algorithm 3.)
 *
 * Why. Let r be the number of guesses and fix c ≥ 1. For canary i with coin s, let S be the outputs on which i is guessed to be
 * s and at least c − 1 other guesses are right. With coin s this says that i is guessed right and W ≥ c; with the other coin,
 * that i is guessed wrong and W ≥ c − 1. So g bounds the one by the other. Average over i, over the other coins and over s
 * (over the one s that is ever guessed, where there is one side only); g is convex, hence by Jensen's inequality, with N =
 * canaries·sides/2,
 *
 *     g(R_c) ≤ H_(c−1),   R_c = E[W; W ≥ c]/N,   H_c = E[r − W; W ≥ c]/N.
 *
 * With p_j = P(W = j) and ρ_j = j/(r − j), increasing in j, R_c = Σ_(j≥c) ρ_j (H_j − H_(j+1)), which increases in each H_j. So the
 * least total probability has H_(c−1) = max(H_c, g(R_c)) from the top down, and all of the tail at v. If even that total,
 * (R_0 + H_0)·N/r, exceeds 1, there is no such mechanism. The set of possible tails is an interval that contains 0, for the
 * constraints are convex: what is impossible at `tail` is impossible above it.
 *
 * @param tradeOff g: convex, at most u.
 */
export function isTailPossible(
  tail: number,
  { tradeOff, right, guesses, canaries, sides }: Guesses & {
    readonly tradeOff: (u: number) => number;
  },
): boolean {
  const scale = canaries * sides / 2;
  let r = tail * right / scale;
  let h = tail * (guesses - right) / scale;
  for (let wins = right - 1; wins >= 0; wins--) {
    const next = tradeOff(Math.min(1, r)) * (1 - VALUE_MARGIN);
    // R and H stay as they are from here on.
    if (!(next > h)) break;
    r += wins / (guesses - wins) * (next - h);
    h = next;
    if ((r + h) * scale > guesses * (1 + SUM_MARGIN)) return false;
  }
  return (r + h) * scale <= guesses * (1 + SUM_MARGIN);
}
