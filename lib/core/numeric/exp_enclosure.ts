import type { Rational } from "./rational.ts";

/** Two integers between which a real lies, all in units of 2^−precision. */
export interface Enclosure {
  /** At most the real. */
  readonly lower: bigint;
  /** At least the real. */
  readonly upper: bigint;
}

/**
 * Encloses exp(−exponent) between two multiples of 2^−precision, a few units apart, with integer
 * arithmetic alone: the exponent is halved until it is at most 1, the alternating Taylor series is
 * summed with each term rounded both ways (its remainder has the sign of the first term left out and
 * is smaller), and the result is squared back.
 *
 * @param exponent a fraction of at least 0.
 * @param precision bits after the binary point.
 * @throws {RangeError} when the exponent is negative.
 *
 * @example
 * ```ts
 * import { expEnclosure } from "./exp_enclosure.ts";
 * import { rational } from "./rational.ts";
 * const { lower, upper } = expEnclosure(rational(1), 64);
 * Number(lower) / 2 ** 64; // 0.36787944117144233
 * ```
 */
export function expEnclosure(exponent: Rational, precision: number): Enclosure {
  const { numerator, denominator } = exponent;
  if (numerator < 0n) {
    throw new RangeError(
      "Cannot enclose an exponential: exponent must be at least 0: current value is negative",
    );
  }
  // e^−x < 2^−x: beyond that many bits nothing is left but the certainty that it is positive.
  if (numerator > denominator * BigInt(precision)) return { lower: 0n, upper: 1n };
  let halvings = 0;
  while (numerator > denominator << BigInt(halvings)) halvings++;
  // Squaring doubles the relative error each time; 16 bits more pay for the series.
  const extra = 2 * halvings + 16;
  let value = alternatingSeries(numerator, denominator << BigInt(halvings), precision + extra);
  for (let i = 0; i < halvings; i++) {
    value = multiplyEnclosures(value, value, precision + extra);
  }
  const shift = BigInt(extra);
  return { lower: value.lower >> shift, upper: (value.upper >> shift) + 1n };
}

/** Encloses the product of two reals of at least 0. */
export function multiplyEnclosures(
  left: Enclosure,
  right: Enclosure,
  precision: number,
): Enclosure {
  const shift = BigInt(precision);
  return {
    lower: (left.lower * right.lower) >> shift,
    upper: ((left.upper * right.upper) >> shift) + 1n,
  };
}

/** exp(−numerator/denominator) for a fraction in [0, 1]. */
function alternatingSeries(numerator: bigint, denominator: bigint, precision: number): Enclosure {
  const one = 1n << BigInt(precision);
  let termLower = one, termUpper = one;
  let lower = one, upper = one;
  for (let k = 1n; termUpper > 1n; k++) {
    const divisor = denominator * k;
    termLower = (termLower * numerator) / divisor;
    termUpper = (termUpper * numerator) / divisor + 1n;
    if (k % 2n === 1n) {
      lower -= termUpper;
      upper -= termLower;
    } else {
      lower += termLower;
      upper += termUpper;
    }
  }
  // The truncation error is at most the last term, in either direction.
  return { lower: lower - termUpper, upper: upper + termUpper };
}
