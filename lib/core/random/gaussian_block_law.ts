import { type Enclosure, expEnclosure, multiplyEnclosures } from "../numeric/exp_enclosure.ts";
import { integerSquareRoot } from "../numeric/integer_square_root.ts";
import { bitLength, multiply, type Rational, rational } from "../numeric/rational.ts";
import type { BlockLaw, CumulativeTable } from "./block_table.ts";

/**
 * The discrete Gaussian law, R(x) = x²/(2·variance), in blocks of about a hundredth of the standard
 * deviation.
 */
export function gaussianBlockLaw(variance: Rational): BlockLaw {
  const { numerator, denominator } = variance;
  const blockBits = Math.max(0, bitLength(integerSquareRoot(numerator / denominator)) - 7);
  const rise = multiply(rational(1n << BigInt(2 * blockBits)), {
    numerator: denominator,
    denominator: 2n * numerator,
  });
  return {
    denominator: 2n * numerator,
    blockBits,
    numeratorAt: (magnitude) => magnitude * magnitude * denominator,
    cumulative: ({ precision }) => cumulative(rise, precision),
  };
}

/** Block j weighs exp(−rise·j²); each ratio of neighbours is the one before times exp(−2·rise). */
function cumulative(rise: Rational, precision: number): CumulativeTable {
  const one = 1n << BigInt(precision);
  // Blocks lighter than 2^(40 − precision) go into the bound on what is left out. That is beyond
  // 2^−tailBits for every precision that is asked for, which exceeds tailBits by 64 at least.
  const least = 2n ** 40n;
  const factor = expEnclosure(multiply(rise, rational(2)), precision);
  let weight = expEnclosure(rise, precision), ratio = multiplyEnclosures(weight, factor, precision);
  let sum: Enclosure = { lower: one, upper: one };
  const sums = [sum];
  while (weight.upper >= least) {
    sum = { lower: sum.lower + weight.lower, upper: sum.upper + weight.upper };
    sums.push(sum);
    weight = multiplyEnclosures(weight, ratio, precision);
    ratio = multiplyEnclosures(ratio, factor, precision);
  }
  // Ratios decrease, so what is left out is less than a geometric series.
  const rest = (weight.upper * one) / (one - ratio.upper) + 1n;
  const total = { lower: sum.lower, upper: sum.upper + rest };
  const bounds = sums.map((part) => ({
    lower: (part.lower * one) / total.upper,
    upper: (part.upper * one) / total.lower + 1n,
  }));
  return { precision, bounds };
}
