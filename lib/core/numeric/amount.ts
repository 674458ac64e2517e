import { compare, type Rational, rational, toNumber } from "./rational.ts";
import { type Dyadic, dyadicToNumberDown } from "./dyadic.ts";
import { nextDown, nextUp } from "./round_outward.ts";

/**
 * An amount: decimal text such as "0.1" or "1e-6", or a number, which stands for the shortest decimal that reads back as it, which is what it was written
 * as and is printed as: ten times 0.1 are 1.
 */
export type Amount = number | string;

const DECIMAL = /^(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i;

/** The fraction that decimal text says, or nothing unless it is a decimal of at least 0. */
export function decimalOf(text: string): Rational | undefined {
  const [, whole, part = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const power = Number(exponent) - part.length, ten = 10n ** BigInt(Math.abs(power));
  const digits = BigInt(whole + part);
  return power < 0 ? rational(digits, ten) : rational(digits * ten);
}

/** The fraction that an amount stands for: a finite number of at least 0, or such decimal text. */
export function exactOf(amount: Amount): Rational {
  return decimalOf(String(amount))!;
}

/** The largest number that stands for at most a fraction of at least 0. */
export function amountDown(fraction: Rational): number {
  const near = toNumber(fraction);
  // Sums of decimals are short decimals again, most of them.
  if (Number.isFinite(near) && isSame(exactOf(near), fraction)) return near;
  return largestAmount(fraction, (amount) => compare(exactOf(amount), fraction) <= 0);
}

/** The least number that stands for at least a fraction of at least 0; Infinity where there is none. */
export function amountUp(fraction: Rational): number {
  const below = amountDown(fraction);
  return isSame(exactOf(below), fraction) ? below : nextUp(below);
}

/** Returns true if two fractions in lowest terms are equal. */
function isSame(left: Rational, right: Rational): boolean {
  return left.numerator === right.numerator && left.denominator === right.denominator;
}

/** The largest number that is small enough, looked for from the double near a fraction on. */
export function largestAmount(near: Rational, isSmall: (amount: number) => boolean): number {
  let amount = Math.min(Number.MAX_VALUE, Math.max(0, toNumber(near)));
  while (amount > 0 && !isSmall(amount)) amount = nextDown(amount);
  for (;;) {
    const next = nextUp(amount);
    if (next === Infinity || !isSmall(next)) return amount;
    amount = next;
  }
}

/** Binary places that tell apart whatever sums and products of two doubles there are. */
const PLACES = 2200n;

/**
 * The largest number with 2200 binary places that is at most a fraction. Sums of doubles are at most the one where they are at most
 * the other, for they have no more places.
 */
function dyadicDown({ numerator, denominator }: Rational): Dyadic {
  return { digits: (numerator << PLACES) / denominator, exponent: -Number(PLACES) };
}

/** The largest double that is at most a fraction of at least 0. */
export function numberDown(fraction: Rational): number {
  return dyadicToNumberDown(dyadicDown(fraction));
}

/** The least double that is at least a fraction of at least 0; Infinity where there is none. */
export function numberUp(fraction: Rational): number {
  const below = numberDown(fraction);
  return compare(rational(below), fraction) === 0 ? below : nextUp(below);
}
