/** A fraction whose denominator is above 0. */
export type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Returns a double as a fraction, which must be finite. */
export function ofDouble(value: number): Fraction {
  let denominator = 1n;
  for (; !Number.isInteger(value); value *= 2) denominator *= 2n;
  return [BigInt(value), denominator];
}

/** Returns a double, or a fraction with a numerator and a denominator, exactly; `undefined` for anything else. */
export function exactFraction(value: unknown): Fraction | undefined {
  if (typeof value === "object" && value !== null) {
    const { numerator: n, denominator: d } = value as {
      numerator?: unknown;
      denominator?: unknown;
    };
    if (typeof n !== "bigint" || typeof d !== "bigint" || d === 0n) return undefined;
    return d < 0n ? [-n, -d] : [n, d];
  }
  return typeof value === "number" && Number.isFinite(value) ? ofDouble(value) : undefined;
}
