import type { Source } from "../core/source.ts";
import { type Enclosure, expEnclosure } from "../numeric/exp_enclosure.ts";
import { type Rational, subtract } from "../numeric/rational.ts";

/** One thing to choose: its weight is multiplicity·exp(−exponent). */
export interface Choice {
  /** Any fraction; only differences between choices matter. */
  readonly exponent: Rational;
  /** A factor of at least 0, 1 when absent. */
  readonly multiplicity?: bigint;
}

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
  const possible = choices.filter(({ multiplicity = 1n }) => multiplicity > 0n);
  if (possible.length === 0) {
    throw new RangeError("Cannot choose: choices must not be empty: current number is 0");
  }
  const least = possible.map(({ exponent }) => exponent).reduce((a, b) => isLess(b, a) ? b : a);
  const table = (precision: number): Enclosure[] => cumulative(choices, { least, precision });
  const coarse = table(128);
  const settled = leadingWords(coarse, 128);
  return (source) => {
    const word = source.uint32();
    let from = 0, to = settled.length - 1;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (word > settled[middle]!.upper) from = middle + 1;
      else to = middle;
    }
    // `from` is the first index whose cumulative probability may lie above the word.
    if (word < settled[from]!.lower) return from;
    return resolve(source, { word, coarse, table });
  };
}

/** Words below `lower` are below 2³²·F(i), words above `upper` are not. */
function leadingWords(
  coarse: readonly Enclosure[],
  precision: number,
): { lower: number; upper: number }[] {
  const shift = BigInt(precision - 32);
  return coarse.map(({ lower, upper }) => ({
    lower: Number(lower >> shift),
    upper: Number(upper >> shift),
  }));
}

function resolve(
  source: Source,
  { word, coarse, table }: {
    word: number;
    coarse: readonly Enclosure[];
    table: (precision: number) => Enclosure[];
  },
): number {
  let digits = BigInt(word), bits = 32, precision = 128, finer = coarse;
  for (;;) {
    digits = (digits << 32n) | BigInt(source.uint32());
    bits += 32;
    if (bits > precision - 48) {
      precision *= 2;
      finer = table(precision);
    }
    const shift = BigInt(precision - bits);
    const index = finer.findIndex(({ upper }) => digits << shift < upper);
    if ((digits + 1n) << shift <= finer[index]!.lower) return index;
  }
}

function isLess(left: Rational, right: Rational): boolean {
  return subtract(left, right).numerator < 0n;
}

/** Encloses 2^precision·F(i) for each choice; the last is exactly 2^precision. */
function cumulative(
  choices: readonly Choice[],
  { least, precision }: { least: Rational; precision: number },
): Enclosure[] {
  let lower = 0n, upper = 0n;
  const sums = choices.map(({ exponent, multiplicity = 1n }) => {
    if (multiplicity > 0n) {
      const weight = expEnclosure(subtract(exponent, least), precision);
      lower += multiplicity * weight.lower;
      upper += multiplicity * weight.upper;
    }
    return { lower, upper };
  });
  const one = 1n << BigInt(precision);
  const last = lastPossible(choices);
  return sums.map((sum, i) =>
    i >= last ? { lower: one, upper: one } : enclosedShare(sum, { lower, upper }, precision)
  );
}

function enclosedShare(part: Enclosure, total: Enclosure, precision: number): Enclosure {
  const shift = BigInt(precision);
  const rest = { lower: total.lower - part.lower, upper: total.upper - part.upper };
  // part/(part + rest): least with the least part and the greatest rest.
  const least = (part.lower << shift) / (part.lower + rest.upper);
  const greatest = (part.upper << shift) / (part.upper + rest.lower) + 1n;
  const one = 1n << shift;
  return { lower: least, upper: greatest > one ? one : greatest };
}

function lastPossible(choices: readonly Choice[]): number {
  let last = 0;
  choices.forEach(({ multiplicity = 1n }, i) => {
    if (multiplicity > 0n) last = i;
  });
  return last;
}
