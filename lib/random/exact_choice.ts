import type { DiscreteLaw, WeightedIndex } from "../core/discrete_law.ts";
import type { Source } from "../core/source.ts";
import type { Enclosure } from "../numeric/exp_enclosure.ts";
import { cumulativeShares, type Weight } from "./cumulative_shares.ts";

/** One thing to choose: its weight is multiplicity·exp(−exponent). */
export type Choice = WeightedIndex;

/** Draws an index with probability proportional to its weight. */
export type ChoiceSampler = (source: Source) => number;

/**
 * Makes a sampler of indices, index i with probability exactly ∝ multiplicity·exp(−exponent).
 *
 * The choice is the inverse of the cumulative distribution at a uniform real whose binary digits are
 * drawn 32 at a time. Cumulative probabilities are enclosed between integers, ever finer, and a choice
 * is made only when the digits so far leave no other: fractions and integers, no rounding.
 *
 * @throws {RangeError} when there is nothing of positive weight to choose.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { exactChoice } from "./exact_choice.ts";
 * import { rational } from "../numeric/rational.ts";
 * const choose = exactChoice([{ exponent: rational(0) }, { exponent: rational(1, 2) }]);
 * choose(new SecureSource()); // 0 or, less often, 1
 * ```
 */
export function exactChoice(choices: readonly Choice[]): ChoiceSampler {
  const weights = choices
    .map(({ exponent, multiplicity = 1n }, index) => ({ exponent, multiplicity, index }))
    .filter(({ multiplicity }) => multiplicity > 0n);
  if (weights.length === 0) {
    throw new RangeError("Cannot choose: choices must not be empty: current number is 0");
  }
  const law: DiscreteLaw = { kind: "choice", weights: choices };
  const settled = leadingWords(cumulativeShares(weights, 128), 128);
  return (source) => {
    if (source.branch !== undefined) return source.branch(law);
    const word = source.uint32();
    let from = 0, to = settled.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (word > settled[middle]!.upper) from = middle + 1;
      else to = middle;
    }
    // `from` is the first place whose cumulative share may lie above the word.
    const place = word < settled[from]!.lower ? from : resolve(source, { word, weights });
    return weights[place]!.index;
  };
}

/** Words below `lower` are below 2³²·F(i), words above `upper` are not. */
function leadingWords(
  shares: readonly Enclosure[],
  precision: number,
): { lower: number; upper: number }[] {
  const shift = BigInt(precision - 32);
  return shares.map(({ lower, upper }) => ({
    lower: Number(lower >> shift),
    upper: Number(upper >> shift),
  }));
}

/** Decides the place of the uniform real whose first digits are `word`, drawing more of them. */
function resolve(
  source: Source,
  { word, weights }: { word: number; weights: readonly Weight[] },
): number {
  let digits = BigInt(word);
  for (let bits = 64;; bits += 32) {
    digits = (digits << 32n) | BigInt(source.uint32());
    const shares = cumulativeShares(weights, 2 * bits), shift = BigInt(bits);
    const place = shares.findIndex(({ upper }) => digits << shift < upper);
    if ((digits + 1n) << shift <= shares[place]!.lower) return place;
  }
}
