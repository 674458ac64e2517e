/** A double, or a fraction with a numerator and a denominator, exactly; `undefined` for anything else. */
export function exactFraction(
  value: unknown,
): readonly [numerator: bigint, denominator: bigint] | undefined {
  if (typeof value === "object" && value !== null) {
    const { numerator: n, denominator: d } = value as {
      numerator?: unknown;
      denominator?: unknown;
    };
    if (typeof n !== "bigint" || typeof d !== "bigint" || d === 0n) return undefined;
    return d < 0n ? [-n, -d] : [n, d];
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  let denominator = 1n;
  for (let rest = value;; rest *= 2, denominator *= 2n) {
    if (Number.isInteger(rest)) return [BigInt(rest), denominator];
  }
}
