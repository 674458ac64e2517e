import { rational } from "../../lib/numeric/rational.ts";

/** A number as numerator·2^−1100: every double is one exactly, and products take both. */
export const UNIT_BITS = 1100n;

/** A finite double in units of 2^−1100. */
export function exactly(value: number): bigint {
  const { numerator, denominator } = rational(value);
  return (numerator << UNIT_BITS) / denominator;
}

/** Bits of the references for elementary functions. */
const BITS = 260n;

/** e^x to 2^−200 of itself, for |x| ≤ 700, in units of 2^−1100: by its series at a 1024th, squared ten times. */
export function exactExp(x: number): bigint {
  const { numerator, denominator } = rational(x);
  const whole = BITS + 1100n;
  const small = (numerator << whole) / (denominator << 10n);
  let sum = 1n << whole, power = sum;
  for (let k = 1n; power > 1n || power < -1n; k++) {
    power = (power * small >> whole) / k;
    sum += power;
  }
  for (let i = 0; i < 10; i++) sum = sum * sum >> whole;
  return sum >> (whole - UNIT_BITS);
}
