import { fraction, type LawsOfPair } from "./compare_laws.ts";

/** Halvings: by then the ends are neighbouring doubles, or nearly. */
const STEPS = 60;

/**
 * Returns the least ε from `from` to `most` that the laws of one pair do not refute with this δ, in doubles: near it to about twelve digits
 * where probabilities are not far below δ, and certain nowhere.
 */
export function approximateEpsilon(
  { left, right }: LawsOfPair,
  { delta, bits, from, most }: {
    readonly delta: number;
    readonly bits: number;
    readonly from: number;
    readonly most: number;
  },
): number {
  const unit = BigInt(bits);
  const p = new Float64Array(left.outputs.size), q = new Float64Array(left.outputs.size);
  let i = 0;
  for (const [key, { lower }] of left.outputs) {
    p[i] = fraction(lower, unit, false);
    q[i++] = fraction(right.outputs.get(key)?.lower ?? 0n, unit, false);
  }
  const remainder = fraction(right.remainder, unit, true);
  let low = from, high = most;
  for (let step = 0; step < STEPS; step++) {
    // Most are small: e^ε of the middle would not be a double at first.
    const middle = (low + Math.min(high, Math.max(4, 3 * low))) / 2;
    const factor = Math.exp(middle);
    let excess = -factor * remainder - delta;
    for (let k = 0; k < p.length; k++) excess += Math.max(0, p[k]! - factor * q[k]!);
    if (excess > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
