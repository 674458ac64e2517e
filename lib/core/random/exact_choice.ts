import type { DiscreteLaw, WeightedIndex } from "../mechanism/discrete_law.ts";
import type { Source } from "../mechanism/source.ts";
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
  const { law, placeOf } = exactPlaces(choices);
  return (source) => source.branch?.(law) ?? placeOf(source.uint32(), source);
}

/** A choice among many, of which doubles settle nearly every draw. */
export interface EstimatedChoices {
  /** Estimate of each weight, up to a common factor: at least 0, the largest at least 1. */
  readonly estimates: Float64Array;
  /** The most that an estimate differs from its weight, as a share of it; besides 1e-200. */
  readonly relativeError: number;
  /** The weights themselves. They are asked for where estimates leave a draw open. */
  readonly choices: () => readonly Choice[];
}

/**
 * {@linkcode exactChoice} for many weights: the same index from the same words, at a fraction of the time. Cumulative sums of
 * the estimates, in doubles, enclose those of the weights; a word of which they leave the place open is decided exactly.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { estimatedChoice } from "./exact_choice.ts";
 * import { rational } from "../numeric/rational.ts";
 * const exponents = [0, 0.5];
 * const choose = estimatedChoice({
 *   estimates: Float64Array.from(exponents, (exponent) => Math.exp(-exponent)),
 *   relativeError: 2 ** -50,
 *   choices: () => exponents.map((exponent) => ({ exponent: rational(exponent) })),
 * });
 * choose(new SecureSource()); // 0 or, less often, 1
 * ```
 */
export function estimatedChoice(
  { estimates, relativeError, choices }: EstimatedChoices,
): ChoiceSampler {
  let exact: ExactPlaces | undefined;
  const exactly = (): ExactPlaces => exact ??= exactPlaces(choices());
  const ends = compensatedSums(estimates), count = ends.length;
  const unit = 2 ** 32 / ends[count - 1]!;
  // Of a part and of the whole, and a few roundings of each.
  const error = 3 * relativeError + 2 ** -48;
  return (source) => {
    if (source.branch !== undefined) return source.branch(exactly().law);
    const word = source.uint32();
    let from = 0, to = count - 1;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (word > ends[middle]! * unit * (1 + error) + 1e-100) from = middle + 1;
      else to = middle;
    }
    // The place is settled when all reals that begin with this word lie before its end.
    return word + 1 <= ends[from]! * unit * (1 - error) ? from : exactly().placeOf(word, source);
  };
}

/** Cumulative sums, each within two roundings of the exact one (Neumaier 1974). */
function compensatedSums(values: Float64Array): Float64Array {
  let sum = 0, rest = 0;
  return values.map((value) => {
    const next = sum + value;
    rest += sum >= value ? (sum - next) + value : (value - next) + sum;
    sum = next;
    return sum + rest;
  });
}

interface ExactPlaces {
  readonly law: DiscreteLaw;
  /** The index of the uniform real whose first digits are `word`; more are drawn where they decide. */
  readonly placeOf: (word: number, source: Source) => number;
}

function exactPlaces(choices: readonly Choice[]): ExactPlaces {
  const weights = choices
    .map(({ exponent, multiplicity = 1n }, index) => ({ exponent, multiplicity, index }))
    .filter(({ multiplicity }) => multiplicity > 0n);
  if (weights.length === 0) {
    throw new RangeError("Cannot choose: choices must not be empty: current number is 0");
  }
  const law: DiscreteLaw = { kind: "choice", weights: choices };
  const settled = leadingWords(cumulativeShares(weights, 128), 128);
  const placeOf = (word: number, source: Source): number => {
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
  return { law, placeOf };
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
