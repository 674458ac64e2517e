import { logSumExp } from "../../../core/numeric/log_sum_exp.ts";
import type { Rate } from "../../../core/numeric/rates_differ.ts";

/** Stakes of the bettors, from 1 down: the ratio of each to the one before, and their number. */
const RATIO = Math.SQRT1_2, BETTORS = 41;
/** The bound is found to within this many nats, from below. */
const PRECISION = 1e-6;
/** The log wealth to reach is raised by this, and by this share: more than the rounding errors of the wealth. */
const ROUNDING_MARGIN = 1e-9;

/**
 * Returns the lower bound on ε that the counts of one event show at level α when each draw was of the left dataset or of the right one
 * by a fair coin, and a draw may depend on all draws before it. 0 if the counts show none.
 *
 * A bettor with stake s multiplies its wealth by 1 + s(1 − δ/2) at a hit of the favoured dataset, by 1 − s(e^ε + δ/2) at a hit
 * of the other one, and by 1 − sδ/2 at a draw that is not a hit. Where (ε, δ)-DP holds given all draws before, with p ≤ e^ε·q + δ,
 * the factor is at most 1 + s(p − e^ε·q − δ)/2 ≤ 1 in expectation, so that the average wealth of all bettors reaches 2/α with
 * probability at most α/2 (Ville 1939). Each direction has α/2. The wealth falls in ε: the bound is the last ε that it refutes.
 */
export function eventEpsilonInOrder(
  { left, right }: { readonly left: Rate; readonly right: Rate },
  { delta, alpha }: { readonly delta: number; readonly alpha: number },
): number {
  const misses = left.draws + right.draws - left.hits - right.hits;
  const level = Math.log(2 / alpha) * (1 + ROUNDING_MARGIN) + ROUNDING_MARGIN;
  const refuted = (epsilon: number, hits: { favoured: number; other: number }): boolean =>
    logWealth({ ...hits, misses }, { epsilon, delta }) >= level;
  return Math.max(
    lastRefuted((epsilon) => refuted(epsilon, { favoured: left.hits, other: right.hits })),
    lastRefuted((epsilon) => refuted(epsilon, { favoured: right.hits, other: left.hits })),
  );
}

/** Returns the logarithm of the average wealth of all bettors. Those whose wealth could fall below 0 do not play and have none. */
export function logWealth(
  { favoured, other, misses }: { favoured: number; other: number; misses: number },
  { epsilon, delta }: { epsilon: number; delta: number },
): number {
  const wealths: number[] = [];
  for (let k = 0; k < BETTORS; k++) {
    const stake = RATIO ** k, loss = stake * (Math.exp(epsilon) + delta / 2);
    if (loss >= 1) continue;
    wealths.push(
      favoured * Math.log1p(stake * (1 - delta / 2)) + other * Math.log1p(-loss) +
        misses * Math.log1p(-stake * delta / 2),
    );
  }
  return wealths.length === 0 ? -Infinity : logSumExp(wealths) - Math.log(BETTORS);
}

function lastRefuted(refuted: (epsilon: number) => boolean): number {
  if (!refuted(0)) return 0;
  // Above the inverse of the smallest stake no bettor plays.
  let low = 0, high = -BETTORS * Math.log(RATIO);
  while (high - low > PRECISION) {
    const middle = (low + high) / 2;
    if (refuted(middle)) low = middle;
    else high = middle;
  }
  return low;
}
