import { logSumExp } from "../../core/numeric/log_sum_exp.ts";

/** Two laws of one output: logarithms of chances, outcome by outcome. */
export interface TwoLaws {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** Chances below this are rounded: what they tell apart is rarer than any claim cares for. */
export const LEAST_LOG: number = Math.log(1e-280);
/** Orders at which Rényi divergences are compared with a concentrated claim. */
const ORDERS = [1.01, 1.5, 2, 3, 5, 10, 30, 100];

/** Returns the least ρ that the left law keeps against the right one at the orders that are tried. */
export function concentratedLoss(laws: TwoLaws): number {
  return Math.max(...ORDERS.map((order) => renyiDivergence(laws, order) / order));
}

/**
 * Returns the Rényi divergence of one order; infinite where the left law has outputs that the right one lacks. Of the power of each ratio of
 * chances only what lies above its tangent at 1 is summed: that is never negative, and keeps the digits of near laws.
 */
export function renyiDivergence({ left, right }: TwoLaws, order: number): number {
  let excess = 0;
  for (const [i, log] of left.entries()) {
    const other = right[i]!, loss = log - other;
    if (Math.max(log, other) < LEAST_LOG) continue;
    excess += Math.exp(other) * (Math.expm1(order * loss) - order * Math.expm1(loss));
  }
  if (Number.isFinite(excess)) return Math.log1p(excess) / (order - 1);
  const logs = left.flatMap((log, i) =>
    log < LEAST_LOG ? [] : [order * log - (order - 1) * right[i]!]
  );
  return logSumExp(logs) / (order - 1);
}

/** Returns the δ of one ε from the left law to the right one: Σ max(0, p − e^ε·q). */
export function deltaOfLaws({ left, right }: TwoLaws, epsilon: number): number {
  return left.reduce(
    (sum, log, i) =>
      log === -Infinity
        ? sum
        : sum + Math.exp(log) * Math.max(0, -Math.expm1(epsilon + right[i]! - log)),
    0,
  );
}
