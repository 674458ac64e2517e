import { atMost, dyadicOf, multiplyDyadics } from "../numeric/dyadic.ts";
import { requireInteger, requirePositive } from "../numeric/require.ts";
import { nextDown } from "../numeric/round_outward.ts";

/**
 * One of `parts` equal shares of an amount that adds up (ε, δ or ρ), rounded down so that all shares
 * together never exceed it: 10 shares of 1 fit a budget of 1, while ten times the double 0.1, which is above one
 * tenth, do not.
 *
 * @throws {RangeError} unless the amount is positive and parts a positive integer.
 *
 * @example
 * ```ts
 * import { pure } from "../core/claim.ts";
 * import { replaceOne } from "../core/relation.ts";
 * import { shareOf } from "./share_of.ts";
 * const each = pure({ epsilon: shareOf(1, { parts: 11 }), relation: replaceOne });
 * ```
 */
export function shareOf(amount: number, { parts }: { parts: number }): number {
  requirePositive("share an amount", "amount", amount);
  requireInteger("share an amount", "parts", parts, { min: 1 });
  let share = amount / parts;
  const whole = dyadicOf(amount), count = dyadicOf(parts);
  while (!atMost(multiplyDyadics(dyadicOf(share), count), whole)) share = nextDown(share);
  return share;
}
