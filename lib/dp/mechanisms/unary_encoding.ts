import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import { rational } from "../../core/numeric/rational.ts";
import { fairBit } from "../../core/random/exact_bernoulli.ts";
import { exactChoice } from "../../core/random/exact_choice.ts";
import { categoryPlaces } from "./category_places.ts";
import { bitReport } from "./local_bits.ts";

/**
 * Unary encoding of one of k categories (Wang, Blocki, Li, Jha 2017, section 4.3): a row of k bits with
 * a single 1, each of them randomised. "symmetric" flips every bit with probability
 * 1/(1 + e^(ε/2)), as RAPPOR's permanent response does; "optimised" reports the 1 by a fair coin and
 * each 0 as 1 with probability 1/(1 + e^ε), for the least variance of counts. Both are ε-DP for
 * replacing the category: two bits differ. A dataset is one respondent.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release the row is no category.
 *
 * @example
 * ```ts
 * import { unaryEncoding } from "./unary_encoding.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const report = unaryEncoding({ epsilon: 1, categories: ["a", "b", "c"], variant: "optimised" });
 * release(report, ["b"], { budget: openBudget(report.claim) }); // as in [0, 1, 0]
 * ```
 */
export function unaryEncoding<Category extends string | number | boolean>(
  options: {
    epsilon: number;
    categories: readonly Category[];
    variant: "symmetric" | "optimised";
  },
): Mechanism<Category, number[]> {
  const { epsilon, categories, variant } = requireFields("unaryEncoding", options, {
    categories: "list",
  });
  requireKnown("call unaryEncoding()", options, ["epsilon", "categories", "variant"]);
  const claim = pure({ epsilon, relation: replaceOne });
  const width = categories.length;
  const place = categoryPlaces("make unary encoding", categories, { least: 2 });
  if (variant !== "symmetric" && variant !== "optimised") {
    throw new RangeError(
      `Cannot make unary encoding: variant must be symmetric or optimised: current value is ${variant}`,
    );
  }
  const rate = variant === "symmetric" ? epsilon / 2 : epsilon;
  const lies = exactChoice([{ exponent: rational(0) }, { exponent: rational(rate) }]);
  const lie = 1 / (1 + Math.exp(rate)), truth = 1 / (1 + Math.exp(-rate));
  return bitReport({
    name: `${variant} unary encoding`,
    claim,
    width,
    encode: (value) => {
      const at = place.get(value);
      if (at === undefined) {
        throw new RangeError("Cannot release unary encoding: the row must be a category");
      }
      const bits = new Uint8Array(width);
      bits[at] = 1;
      return bits;
    },
    draw: variant === "symmetric"
      ? (bit, source) => bit ^ lies(source)
      : (bit, source) => bit === 1 ? fairBit(source) : lies(source),
    chanceOfOne: variant === "symmetric" ? [lie, truth] : [lie, 0.5],
    chanceOfZero: variant === "symmetric" ? [truth, lie] : [truth, 0.5],
  });
}

/**
 * Unbiased estimates of how many respondents are in each category, from the sums of their reported
 * bits: (sum − n·q)/(p − q) with p and q the chances of reporting a 1 and a 0 as 1.
 *
 * @example
 * ```ts
 * import { estimateUnaryCounts } from "./unary_encoding.ts";
 * estimateUnaryCounts([60, 40], { respondents: 100, epsilon: 1, variant: "symmetric" });
 * ```
 */
export function estimateUnaryCounts(
  sums: readonly number[],
  options: {
    respondents: number;
    epsilon: number;
    variant: "symmetric" | "optimised";
  },
): number[] {
  requireKind("estimateUnaryCounts", "sums", sums, "list");
  const { respondents, epsilon, variant } = requireFields("estimateUnaryCounts", options, {});
  requireKnown("call estimateUnaryCounts()", options, ["respondents", "epsilon", "variant"]);
  const q = 1 / (1 + Math.exp(variant === "symmetric" ? epsilon / 2 : epsilon));
  const p = variant === "symmetric" ? 1 - q : 0.5;
  return sums.map((sum) => (sum - respondents * q) / (p - q));
}
