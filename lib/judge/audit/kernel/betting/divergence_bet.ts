import { type ClaimBet, requireStakes, unlessNegative } from "./claim_bet.ts";
import type { LeafValues } from "./leaf_law.ts";

/**
 * The stakes of a bet against D_a(P‖Q) ≤ b and D_a(Q‖P) ≤ b for one order a > 1, where P and Q are the laws of the outputs on
 * the right and on the left dataset.
 *
 * For every function t > 0 of the output, a·E_P[t^(a−1)] − (a−1)·E_Q[t^a] ≤ e^((a−1)b). Proof: pᵃq^(1−a) is convex and
 * homogeneous in (p, q), so it lies above its tangent plane at (t, 1), which is a·t^(a−1)·p − (a−1)·tᵃ·q; the integral of
 * pᵃq^(1−a) is e^((a−1)D_a(P‖Q)). The two sides are equal where t = p/q.
 *
 * A draw with label "right" has density p and one with label "left" has density q, each with probability ½. So
 *
 *   1 + s·(2a·1[right]·t^(a−1) − 2(a−1)·1[left]·tᵃ − e^((a−1)b))
 *     + s′·(2a·1[left]·t^(1−a) − 2(a−1)·1[right]·t^(−a) − e^((a−1)b))
 *
 * has expectation at most 1 under the claim, for stakes s, s′ ≥ 0 fixed beforehand.
 */
export interface DivergenceStakes {
  /** The order a. */
  readonly order: number;
  /** s: against D_a of the right law from the left one. */
  readonly ofRight: number;
  /** s′: against D_a of the left law from the right one. */
  readonly ofLeft: number;
  /** ln t at each cell. */
  readonly logRatio: Float64Array;
}

/**
 * Returns the bet with these stakes against Rényi claims of this order, or against concentrated claims.
 *
 * @throws {RangeError} when a stake is negative.
 */
export function divergenceBet(stakes: DivergenceStakes, kind: "renyi" | "zcdp"): ClaimBet {
  requireStakes([stakes.ofRight, stakes.ofLeft]);
  const gains = divergenceGains(stakes);
  return {
    factorsAt: (parameter) => {
      const rest = 1 - divergencePrice(stakes, divergenceLimit(stakes.order, { kind, parameter }));
      return unlessNegative({
        left: gains.left.map((gain) => gain + rest),
        right: gains.right.map((gain) => gain + rest),
      });
    },
  };
}

/** Returns the largest D_order that a claim allows: ρ-zCDP allows ρ·order (Bun, Steinke 2016). */
export function divergenceLimit(
  order: number,
  { kind, parameter }: { kind: "renyi" | "zcdp"; parameter: number },
): number {
  return kind === "renyi" ? parameter : parameter * order;
}

/** Returns (s + s′)·e^((a−1)b), the price of a bet. */
function divergencePrice(
  { order, ofRight, ofLeft }: Omit<DivergenceStakes, "logRatio">,
  limit: number,
): number {
  return (ofRight + ofLeft) * Math.exp((order - 1) * limit);
}

/** Returns the factors of the bet, less 1 and plus the price. */
export function divergenceGains(
  { order, ofRight, ofLeft, logRatio }: DivergenceStakes,
): LeafValues {
  const left = new Float64Array(logRatio.length), right = new Float64Array(logRatio.length);
  logRatio.forEach((log, i) => {
    // 0 times an infinite power would be NaN.
    const power = (exponent: number, stake: number): number =>
      stake === 0 ? 0 : 2 * stake * Math.exp(exponent * log);
    right[i] = order * power(order - 1, ofRight) - (order - 1) * power(-order, ofLeft);
    left[i] = order * power(1 - order, ofLeft) - (order - 1) * power(order, ofRight);
  });
  return { left, right };
}
