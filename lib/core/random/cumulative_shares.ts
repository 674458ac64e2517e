import { type Enclosure, expEnclosure } from "../numeric/exp_enclosure.ts";
import { type Rational, subtract } from "../numeric/rational.ts";

/** A weight multiplicity·exp(−exponent), with a multiplicity above 0. */
export interface Weight {
  /** Any fraction: only differences between weights matter. */
  readonly exponent: Rational;
  /** Above 0. */
  readonly multiplicity: bigint;
}

/**
 * Encloses the cumulative shares of weights, in units of 2^−precision, a few units apart: entry i is
 * 2^precision·(w₀ + … + wᵢ)/(w₀ + … + wₙ).
 *
 * @param weights at least one.
 * @param precision bits after the binary point.
 *
 * @example
 * ```ts
 * import { cumulativeShares } from "./cumulative_shares.ts";
 * import { rational } from "../numeric/rational.ts";
 * const weight = { exponent: rational(0), multiplicity: 1n };
 * cumulativeShares([weight, weight], 64)[0]; // about 2⁶³
 * ```
 */
export function cumulativeShares(weights: readonly Weight[], precision: number): Enclosure[] {
  const least = weights.map(({ exponent }) => exponent).reduce((a, b) => isLess(b, a) ? b : a);
  let lower = 0n, upper = 0n;
  const sums = weights.map(({ exponent, multiplicity }) => {
    const weight = expEnclosure(subtract(exponent, least), precision);
    lower += multiplicity * weight.lower;
    upper += multiplicity * weight.upper;
    return { lower, upper };
  });
  return sums.map((sum) => enclosedShare(sum, { lower, upper }, precision));
}

function enclosedShare(part: Enclosure, total: Enclosure, precision: number): Enclosure {
  const shift = BigInt(precision);
  const rest = { lower: total.lower - part.lower, upper: total.upper - part.upper };
  // part/(part + rest): least with the least part and the greatest rest.
  return {
    lower: (part.lower << shift) / (part.lower + rest.upper),
    upper: (part.upper << shift) / (part.upper + rest.lower) + 1n,
  };
}

function isLess(left: Rational, right: Rational): boolean {
  return subtract(left, right).numerator < 0n;
}
