import { atMost, decimalOf, multiplyDecimals } from "../numeric/decimal.ts";
import { requireInteger, requirePositive } from "../numeric/require.ts";
import { nextDown } from "../numeric/round_outward.ts";

/**
 * One of `parts` equal shares of an amount that adds up (ε, δ or ρ), rounded down so that all shares
 * together never exceed it: 11 shares of 1 fit a budget of 1, while 11 times the double nearest to 1/11
 * do not.
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
  const whole = decimalOf(amount), count = decimalOf(parts);
  while (!atMost(multiplyDecimals(decimalOf(share), count), whole)) share = nextDown(share);
  return share;
}
