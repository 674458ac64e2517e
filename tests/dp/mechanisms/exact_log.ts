import { multiply, type Rational, rational, subtract } from "../../../lib/core/numeric/rational.ts";

/** Binary digits of the fractions below. */
const DIGITS = 200n;

/** 2·atanh(a/b) for whole 0 ≤ a/b ≤ 1/3, in units of 2⁻²⁰⁰, off by fewer than 100 of them. */
function twoAtanh(a: bigint, b: bigint): bigint {
  let power = (a << (DIGITS + 1n)) / b, sum = 0n;
  for (let k = 1n; power > 0n; k += 2n) {
    sum += power / k;
    power = power * a * a / (b * b);
  }
  return sum;
}

/** The natural logarithm of a fraction of at least 1, within 2⁻¹⁵⁰, from its series (OEIS A002391 begins so for 3). */
export function exactLog({ numerator, denominator }: Rational): Rational {
  let halvings = 0n;
  while (numerator >= 2n * denominator) {
    denominator *= 2n;
    halvings++;
  }
  const rest = twoAtanh(numerator - denominator, numerator + denominator);
  return rational(rest + halvings * twoAtanh(1n, 3n), 1n << DIGITS);
}

/** Whether a double is at least an exact number, and above it by no more than a share and by `slack`. */
export function isJustAbove(
  bound: number,
  exact: Rational,
  { share, slack = 0 }: { share: number; slack?: number },
): boolean {
  const most = subtract(multiply(exact, rational(1 + share)), rational(-slack));
  return subtract(rational(bound), exact).numerator >= 0n &&
    subtract(most, rational(bound)).numerator >= 0n;
}
