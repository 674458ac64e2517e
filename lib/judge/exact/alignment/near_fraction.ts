import { type Rational, rational } from "../../../core/numeric/rational.ts";

/** The most terms of a continued fraction, and the size of numbers below which errors are no longer relative. */
const MOST_TERMS = 40, SMALL = 1e-3;

/**
 * Returns the first convergent of the continued fraction of a number that is as near as `within` times its size (or times 0.001, if that is more): no
 * fraction of a smaller denominator is nearer (Khinchin 1964, Theorem 16).
 *
 * @example
 * ```ts
 * import { nearFraction } from "./near_fraction.ts";
 * nearFraction(0.3333333333, { within: 1e-9 }); // 1/3
 * ```
 */
export function nearFraction(value: number, { within }: { readonly within: number }): Rational {
  // Of a small number below 0 the first term would be −1, and the rest of it would lose digits.
  const size = Math.abs(value), tolerance = within * Math.max(SMALL, size);
  let [a, b, c, d] = [0n, 1n, 1n, 0n], rest = size;
  for (let k = 0; k < MOST_TERMS && Number.isFinite(rest); k++) {
    const whole = BigInt(Math.floor(rest));
    [a, b, c, d] = [c, d, whole * c + a, whole * d + b];
    if (Math.abs(Number(c) / Number(d) - size) <= tolerance) break;
    rest = 1 / (rest - Number(whole));
  }
  return rational(value < 0 ? -c : c, d);
}
