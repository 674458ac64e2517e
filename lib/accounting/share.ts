import { type Amount, decimalOf, numberDown } from "../numeric/amount.ts";
import { divide, rational } from "../numeric/rational.ts";
import { requireInteger, requirePositive } from "../numeric/require.ts";

/**
 * One of `parts` equal shares of an amount that adds up (ε, δ or ρ), as the largest double that is at most it. So shares fit
 * wherever the amounts that they stand for do: `share(1, 10)` and `share(9, 10)`, `share("0.1")` and `share("0.9")`, or ten times
 * `share(1, 10)` fit a budget of 1. The double 0.1 is above one tenth, and 0.1 + 0.9 above 1.
 *
 * @param amount a number, or decimal text, which is taken exactly.
 * @param parts how many shares; 1 where it is left out.
 * @throws {RangeError} unless the amount is positive and finite and parts a positive integer.
 *
 * @example
 * ```ts
 * import { pure } from "../core/claim.ts";
 * import { replaceOne } from "../core/relation.ts";
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
  return numberDown(divide(exact ?? rational(amount as number), rational(parts)));
}
