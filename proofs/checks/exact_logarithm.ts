import { bitLength } from "../../lib/numeric/rational.ts";

/** Logarithms are whole numbers of 2^−300. */
export const LOG_BITS = 300n;

/** 2·artanh(numerator/denominator) by its series, for a quotient of a third at most. */
function twiceArtanh(numerator: bigint, denominator: bigint): bigint {
  const ratio = (numerator << LOG_BITS) / denominator, squared = (ratio * ratio) >> LOG_BITS;
  let sum = 0n;
  for (let k = 1n, power = ratio; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = (power * squared) >> LOG_BITS;
  }
  return 2n * sum;
}

const LN_2 = twiceArtanh(1n, 3n);

/** ln(numerator/denominator) of positive whole numbers, in units of 2^−300 and off by less than some hundreds of them. */
export function exactLog(numerator: bigint, denominator: bigint): bigint {
  const steps = BigInt(bitLength(numerator) - bitLength(denominator));
  const [a, b] = steps >= 0n
    ? [numerator, denominator << steps]
    : [numerator << -steps, denominator];
  // a/b is in (1/2, 2): its artanh is that of (a − b)/(a + b), which is at most a third.
  return steps * LN_2 + twiceArtanh(a - b, a + b);
}
