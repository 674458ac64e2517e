/** 2²⁷ + 1 splits a double into halves whose products are exact (Dekker 1971). */
const SPLITTER = 2 ** 27 + 1;

/** The upper half of a double's digits; the lower one is the difference. Not for numbers above 2⁹⁹⁶. */
export function upperHalf(value: number): number {
  const scaled = SPLITTER * value;
  return scaled - (scaled - value);
}

/** a·b − fl(a·b), exactly, unless it underflows (Dekker 1971). */
export function productError(a: number, b: number): number {
  const aUpper = upperHalf(a), aLower = a - aUpper, bUpper = upperHalf(b), bLower = b - bUpper;
  return aLower * bLower - (((a * b - aUpper * bUpper) - aLower * bUpper) - aUpper * bLower);
}

/** fl(a + b) and what it loses, exactly (Knuth). */
export function twoSum(a: number, b: number): [number, number] {
  const sum = a + b, taken = sum - a;
  return [sum, (a - (sum - taken)) + (b - taken)];
}
