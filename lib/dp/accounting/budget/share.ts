import {
  type Amount,
  amountDown,
  decimalOf,
  exactOf,
  numberDown,
} from "../../../core/numeric/amount.ts";
import { divide, rational } from "../../../core/numeric/rational.ts";
import { requireInteger, requirePositive } from "../../../core/numeric/require.ts";

/**
 * One of `parts` equal shares of an amount that adds up (ε, δ or ρ), as the largest double that is at most it, and whose decimal is. So shares fit
 * wherever the amounts that they stand for do, as eleven times `share(1, 11)` fit a budget of 1, and noise that is scaled by them costs no more: the double 0.1 is a little above one tenth,
 * and `share(0.1)` is the one below it.
 *
 * @param amount decimal text, or a number, which stands for the shortest decimal that reads back as it.
 * @param parts how many shares; 1 where it is left out.
 * @throws {RangeError} unless the amount is positive and finite and parts a positive integer.
 *
 * @example
 * ```ts
 * import { pure } from "../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../core/relations/relation.ts";
 * import { share } from "./share.ts";
 * const each = pure({ epsilon: share(1, 11), relation: replaceOne });
 * const tenth = pure({ epsilon: share("0.1"), relation: replaceOne });
 * ```
 */
export function share(amount: Amount, parts = 1): number {
  const action = "share an amount";
  const exact = typeof amount === "string" ? decimalOf(amount) : undefined;
  // Of text that is a decimal its double, rounded: any that is not 0 will do.
  requirePositive(action, "amount", exact?.numerator ? Number(amount) : amount as number);
  requireInteger(action, "parts", parts, { min: 1 });
  const fraction = divide(exactOf(amount), rational(parts));
  return Math.min(numberDown(fraction), amountDown(fraction));
}
