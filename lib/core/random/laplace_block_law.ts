import { type Enclosure, expEnclosure, multiplyEnclosures } from "../numeric/exp_enclosure.ts";
import { bitLength, type Rational } from "../numeric/rational.ts";
import type { BlockLaw, CumulativeTable } from "./block_table.ts";

/** The discrete Laplace law, R(x) = x/scale, in blocks of about a two-hundredth of the scale. */
export function laplaceBlockLaw({ numerator: t, denominator: s }: Rational): BlockLaw {
  const blockBits = Math.max(0, bitLength(t / s) - 8);
  const block = { numerator: s << BigInt(blockBits), denominator: t };
  return {
    denominator: t,
    blockBits,
    numeratorAt: (magnitude) => magnitude * s,
    cumulative: ({ precision, tailBits }) => cumulative({ block, precision, tailBits }),
  };
}

/** F(j) = 1 − exp(−(j + 1)·block). */
function cumulative(
  { block, precision, tailBits }: { block: Rational; precision: number; tailBits: number },
): CumulativeTable {
  const one = 1n << BigInt(precision), least = 1n << BigInt(precision - tailBits);
  const factor = expEnclosure(block, precision);
  const bounds: Enclosure[] = [];
  for (let left = factor;; left = multiplyEnclosures(left, factor, precision)) {
    bounds.push({ lower: one - left.upper, upper: one - left.lower });
    if (left.upper < least) return { precision, bounds };
  }
}
