import { type Rational, rational } from "./rational.ts";
import { type Dyadic, dyadicToNumberDown } from "./dyadic.ts";

/**
 * An amount: a number, which stands for the double that it is, or text, which stands for what it says, exactly: a decimal such as
 * "0.1" or "1e-6".
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

/** Binary places that tell apart whatever sums and products of two doubles there are. */
const PLACES = 2200n;

/**
 * The largest number with 2200 binary places that is at most a fraction. Sums of doubles are at most the one where they are at most
 * the other, for they have no more places.
 */
export function dyadicDown({ numerator, denominator }: Rational): Dyadic {
  return { digits: (numerator << PLACES) / denominator, exponent: -Number(PLACES) };
}

/** The largest double that is at most a fraction of at least 0. */
export function numberDown(fraction: Rational): number {
  return dyadicToNumberDown(dyadicDown(fraction));
}
