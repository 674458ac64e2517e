const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The smallest double above `value`; Infinity and NaN stay as they are. */
export function nextUp(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value;
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += value > 0 ? 1n : -1n;
  return double[0];
}

/** The largest double below `value`; −Infinity and NaN stay as they are. */
export function nextDown(value: number): number {
  return -nextUp(-value);
}

/**
 * An upper bound on a number whose computed `value` is off by at most the factor 1 ± `relativeError`.
 * Privacy losses are rounded this way: a bound that is too large is only wasteful. Exactly 0 stays 0.
 */
export function roundUp(value: number, { relativeError }: { relativeError: number }): number {
  return value === 0 ? 0 : nextUp(value + Math.abs(value) * relativeError);
}

/** A lower bound on a number whose computed `value` is off by at most the factor 1 ± `relativeError`. */
export function roundDown(value: number, { relativeError }: { relativeError: number }): number {
  return -roundUp(-value, { relativeError });
}
