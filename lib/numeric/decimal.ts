import { nextUp } from "./round_outward.ts";

/** The exact number `digits` · 10^`exponent`. */
export interface Decimal {
  /** Signed. */
  readonly digits: bigint;
  /** Of ten. */
  readonly exponent: number;
}

/** Zero. */
export const zeroDecimal: Decimal = { digits: 0n, exponent: 0 };

/**
 * The decimal that `value` prints as: 0.1 is read as one tenth, not as the binary fraction nearest to
 * it, so that ten spends of 0.1 make 1.
 *
 * @throws {RangeError} when `value` is not finite.
 */
export function decimalOf(value: number): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (match === null) {
    throw new RangeError(`Cannot read a decimal: value must be finite: current value is ${value}`);
  }
  const [, sign, whole, fraction = "", power = "0"] = match;
  return {
    digits: BigInt(`${sign}${whole}${fraction}`),
    exponent: Number(power) - fraction.length,
  };
}

/** Both numbers' digits at their smaller exponent. */
function aligned(a: Decimal, b: Decimal): { left: bigint; right: bigint; exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent);
  return {
    left: a.digits * 10n ** BigInt(a.exponent - exponent),
    right: b.digits * 10n ** BigInt(b.exponent - exponent),
    exponent,
  };
}

/** a + b, exactly. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const { left, right, exponent } = aligned(a, b);
  return { digits: left + right, exponent };
}

/** a − b, exactly. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { digits: -b.digits, exponent: b.exponent });
}

/** a · b, exactly. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}

/** Whether a ≤ b. */
export function atMost(a: Decimal, b: Decimal): boolean {
  const { left, right } = aligned(a, b);
  return left <= right;
}

/** The smallest double whose decimal is at least `decimal`. */
export function decimalToNumberUp(decimal: Decimal): number {
  const nearest = Number(`${decimal.digits}e${decimal.exponent}`);
  if (!Number.isFinite(nearest)) return nearest;
  return atMost(decimal, decimalOf(nearest)) ? nearest : nextUp(nearest);
}

/** The largest double whose decimal is at most `decimal`. */
export function decimalToNumberDown(decimal: Decimal): number {
  return -decimalToNumberUp({ digits: -decimal.digits, exponent: decimal.exponent });
}
