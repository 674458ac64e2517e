import { expEnclosure } from "../../../core/numeric/exp_enclosure.ts";

/**
 * Σ cᵢ·exp(−xᵢ/scale) with integers xᵢ ↦ cᵢ, none of which is 0. As the exponentials of different fractions are linearly
 * independent over the fractions (Lindemann, Weierstrass 1885), the sum is 0 only when it is empty.
 */
export type ExponentialSum = ReadonlyMap<bigint, bigint>;

/** Returns the sum of one term; nothing for 0. */
export function term(exponent: bigint, coefficient: bigint): ExponentialSum {
  return new Map(coefficient === 0n ? [] : [[exponent, coefficient]]);
}

/** Adds a term in place. */
export function addTerm(to: Map<bigint, bigint>, exponent: bigint, coefficient: bigint): void {
  const sum = (to.get(exponent) ?? 0n) + coefficient;
  if (sum === 0n) to.delete(exponent);
  else to.set(exponent, sum);
}

/** Returns `left + factor·exp(−exponent/scale)·right`. */
export function addSums(
  left: ExponentialSum,
  right: ExponentialSum,
  { factor = 1n, exponent = 0n }: { readonly factor?: bigint; readonly exponent?: bigint } = {},
): ExponentialSum {
  const sum = new Map(left);
  for (const [x, c] of right) addTerm(sum, x + exponent, factor * c);
  return sum;
}

/** Returns the product. */
export function multiplySums(left: ExponentialSum, right: ExponentialSum): ExponentialSum {
  const product = new Map<bigint, bigint>();
  for (const [x, c] of left) for (const [y, d] of right) addTerm(product, x + y, c * d);
  return product;
}

/** Bits from which an enclosure that does not tell the sign is given up: no sum met in practice comes near. */
const MOST_BITS = 1 << 17;

/**
 * Returns the sign, exactly: 0 for the empty sum; else terms are enclosed ever more finely until they tell.
 *
 * @throws {RangeError} when 2¹⁷ bits do not.
 */
export function signOf(
  sum: ExponentialSum,
  { scale, firstBits = 128 }: {
    readonly scale: bigint;
    /** Binary places of the first enclosure. */
    readonly firstBits?: number;
  },
): number {
  if (sum.size === 0) return 0;
  const least = leastExponent(sum);
  for (let bits = firstBits; bits <= MOST_BITS; bits *= 2) {
    let lower = 0n, upper = 0n;
    for (const [x, c] of sum) {
      const power = expEnclosure({ numerator: x - least, denominator: scale }, bits);
      lower += c * (c > 0n ? power.lower : power.upper);
      upper += c * (c > 0n ? power.upper : power.lower);
    }
    if (lower > 0n) return 1;
    if (upper < 0n) return -1;
  }
  throw new RangeError(`Cannot tell the sign of a sum: ${MOST_BITS} bits are too few`);
}

/** Returns the least exponent of a sum that is not empty. */
export function leastExponent(sum: ExponentialSum): bigint {
  let least: bigint | undefined;
  for (const x of sum.keys()) if (least === undefined || x < least) least = x;
  return least!;
}
