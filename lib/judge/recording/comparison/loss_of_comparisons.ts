import { probabilityBetween } from "../noise_law.ts";
import type { NoiseVariable } from "../noise_variables.ts";
import type { MovedSign } from "./moved_values.ts";
import { ROUNDING } from "./rounding.ts";

/** What chances between bounds that a program computes may be off by: sums of probabilities end a little below 1. */
const BOUND_ROUNDING = 2 ** -46;

/** Returns the largest loss of what was seen of noise by comparisons alone, and of what the last of them could have shown, after each number of them. */
export function lossOfComparisons(
  signs: readonly MovedSign[],
  of: { readonly variable: number } & Pick<NoiseVariable, "law" | "middle">,
): number {
  let most = 0;
  for (let k = 1; k <= signs.length; k++) {
    const last = signs[k - 1]!, before = signs.slice(0, k - 1);
    for (const isAbove of [true, false]) {
      const seen = [...before, { ...last, isAbove }];
      const [left, right] = [0, 1].map((side) => probability(seen, { ...of, side })) as [
        number,
        number,
      ];
      if (Math.abs(left - right) <= ROUNDING * Math.min(left, right)) continue;
      if (of.law === "uniform" && Math.abs(left - right) <= BOUND_ROUNDING) continue;
      most = Math.max(most, Math.abs(Math.log(left / right)));
    }
  }
  return most;
}

/** Returns the probability of what was seen of noise by comparisons alone, on the dataset of a side. */
function probability(
  signs: readonly MovedSign[],
  { variable, law, middle = 0, side }: {
    readonly variable: number;
    readonly side: number;
  } & Pick<NoiseVariable, "law" | "middle">,
): number {
  let [low, high] = [-Infinity, Infinity];
  for (const { terms, isAbove, before, change } of signs) {
    const c = terms.get(variable)!, bound = -(before + side * change) / c - middle;
    if (isAbove === c > 0) low = Math.max(low, bound);
    else high = Math.min(high, bound);
  }
  return probabilityBetween(law, low, high);
}
