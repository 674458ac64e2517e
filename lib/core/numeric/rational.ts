/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  /** Of either sign. */
  readonly numerator: bigint;
  /** At least 1. */
  readonly denominator: bigint;
}

/**
 * The exact value of `numerator / denominator`. A double stands for the binary fraction that it is,
 * not for the decimal it was written as: `rational(0.1)` is 3602879701896397/2⁵⁵.
 *
 * @throws {RangeError} when a number is not finite or the denominator is 0.
 *
 * @example
 * ```ts
 * import { rational } from "./rational.ts";
 * rational(1, 3); // { numerator: 1n, denominator: 3n }
 * rational(0.75); // { numerator: 3n, denominator: 4n }
 * ```
 */
export function rational(numerator: number | bigint, denominator: number | bigint = 1n): Rational {
  const [n, nd] = fraction(numerator), [d, dd] = fraction(denominator);
  if (d === 0n) {
    throw new RangeError("Cannot make a fraction: denominator must not be 0: current value is 0");
  }
  return reduced(n * dd, d * nd);
}

/** The exact product. */
export function multiply(left: Rational, right: Rational): Rational {
  return reduced(left.numerator * right.numerator, left.denominator * right.denominator);
}

/** The exact quotient. @throws {RangeError} when `right` is 0. */
export function divide(left: Rational, right: Rational): Rational {
  return rational(
    left.numerator * right.denominator,
    left.denominator * right.numerator,
  );
}

/** The exact sum. */
export function add(left: Rational, right: Rational): Rational {
  // Most sums are of fractions over one denominator.
  if (left.denominator === right.denominator) {
    return left.denominator === 1n
      ? { numerator: left.numerator + right.numerator, denominator: 1n }
      : reduced(left.numerator + right.numerator, left.denominator);
  }
  return reduced(
    left.numerator * right.denominator + right.numerator * left.denominator,
    left.denominator * right.denominator,
  );
}

/** The difference `left − right`, exactly. */
export function subtract(left: Rational, right: Rational): Rational {
  return reduced(
    left.numerator * right.denominator - right.numerator * left.denominator,
    left.denominator * right.denominator,
  );
}

/** The exact opposite. */
export function negated({ numerator, denominator }: Rational): Rational {
  return { numerator: -numerator, denominator };
}

/** Returns −1 if left < right, 1 if left > right, and 0 if they are equal. */
export function compare(left: Rational, right: Rational): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns the largest whole number that is at most it. */
export function floor({ numerator, denominator }: Rational): bigint {
  return numerator / denominator - (numerator < 0n && numerator % denominator !== 0n ? 1n : 0n);
}

/** The nearest double, or within a few units in the last place of it; never NaN. */
export function toNumber({ numerator, denominator }: Rational): number {
  // Shift the quotient to 64 significant bits before it becomes a double: neither side overflows.
  const shift = bitLength(numerator) - bitLength(denominator) - 64;
  const quotient = shift >= 0
    ? numerator / (denominator << BigInt(shift))
    : (numerator << BigInt(-shift)) / denominator;
  // Two steps, for 2^shift alone may underflow where the product does not.
  const half = Math.trunc(shift / 2);
  return Number(quotient) * 2 ** half * 2 ** (shift - half);
}

/** Bits of |value|: 0 for 0. */
export function bitLength(value: bigint): number {
  const size = value < 0n ? -value : value;
  return size === 0n ? 0 : size.toString(2).length;
}

function fraction(value: number | bigint): [bigint, bigint] {
  if (typeof value === "bigint") return [value, 1n];
  if (!Number.isFinite(value)) {
    throw new RangeError(
      `Cannot make a fraction: a number must be finite: current value is ${value}`,
    );
  }
  let shift = 0;
  // Doubling and halving a double are exact (the halving only of doubles above 2⁵³).
  while (!Number.isInteger(value)) {
    value *= 2;
    shift++;
  }
  return [BigInt(value), 1n << BigInt(shift)];
}

function reduced(numerator: bigint, denominator: bigint): Rational {
  if (denominator < 0n) {
    numerator = -numerator;
    denominator = -denominator;
  }
  let a = numerator < 0n ? -numerator : numerator, b = denominator;
  while (b !== 0n) [a, b] = [b, a % b];
  return { numerator: numerator / a, denominator: denominator / a };
}
