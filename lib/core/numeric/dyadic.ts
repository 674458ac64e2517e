import { bitLength } from "./rational.ts";
import { nextDown, nextUp } from "./round_outward.ts";

/** The exact number `digits` · 2^`exponent`. */
export interface Dyadic {
  /** Signed. */
  readonly digits: bigint;
  /** Of two. */
  readonly exponent: number;
}

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/**
 * The binary fraction that `value` is: 0.1 is 3602879701896397/2⁵⁵, a little above one tenth, for that is the number
 * that noise is scaled by.
 *
 * @throws {RangeError} when `value` is not finite.
 */
export function dyadicOf(value: number): Dyadic {
  if (!Number.isFinite(value)) {
    throw new RangeError(`Cannot read a number: value must be finite: current value is ${value}`);
  }
  double[0] = Math.abs(value);
  const power = Number(bits[0]! >> 52n), fraction = bits[0]! & (2n ** 52n - 1n);
  // Below 2⁻¹⁰²² there is no implicit leading digit.
  const digits = power === 0 ? fraction : fraction + 2n ** 52n;
  return { digits: value < 0 ? -digits : digits, exponent: Math.max(power, 1) - 1075 };
}

/** Both numbers' digits at their smaller exponent. */
function aligned(a: Dyadic, b: Dyadic): { left: bigint; right: bigint; exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent);
  return {
    left: a.digits << BigInt(a.exponent - exponent),
    right: b.digits << BigInt(b.exponent - exponent),
    exponent,
  };
}

/** Returns true if a ≤ b. */
export function atMost(a: Dyadic, b: Dyadic): boolean {
  const { left, right } = aligned(a, b);
  return left <= right;
}

/** The smallest double that is at least `value`, which may be Infinity. */
export function dyadicToNumberUp(value: Dyadic): number {
  let near = Math.max(approximately(value), -Number.MAX_VALUE);
  while (near < Infinity && !atMost(value, dyadicOf(near))) near = nextUp(near);
  for (;;) {
    const below = nextDown(near);
    if (below === -Infinity || !atMost(value, dyadicOf(below))) return near;
    near = below;
  }
}

/** The largest double that is at most `value`. */
export function dyadicToNumberDown({ digits, exponent }: Dyadic): number {
  return 0 - dyadicToNumberUp({ digits: -digits, exponent });
}

/** A double within a few units in the last place of the value. */
function approximately({ digits, exponent }: Dyadic): number {
  const shift = Math.max(0, bitLength(digits) - 64);
  const power = exponent + shift;
  // Two steps, for 2^power alone may underflow where the product does not.
  const half = Math.trunc(power / 2);
  return Number(digits >> BigInt(shift)) * 2 ** half * 2 ** (power - half);
}
