import { type Rational, rational } from "../../../lib/core/numeric/rational.ts";
import { gaussianBlockLaw } from "../../../lib/core/random/gaussian_block_law.ts";
import { assertEncloses, assertExponent } from "./block_law_contract.ts";
import { exponential } from "./exact_words.ts";

const VARIANCES = [
  rational(1, 1000),
  rational(1, 7),
  rational(1),
  rational(37, 3),
  rational(700),
  rational(10 ** 6, 7),
  rational(2n ** 41n, 3n),
  rational(2n ** 74n),
];

/** Cumulative probabilities of blocks, times 2^bits: all weights are summed until none is left. */
function shares({ numerator, denominator }: Rational, blockBits: number, bits: number): bigint[] {
  const size = 1n << BigInt(2 * blockBits);
  const sums: bigint[] = [];
  let sum = 0n;
  for (let j = 0n;; j++) {
    const weight = exponential(j * j * size * denominator, 2n * numerator, bits);
    if (weight < 1n << BigInt(bits / 2 + 20)) break;
    sums.push(sum += weight);
  }
  return sums.map((part) => (part << BigInt(bits)) / sum);
}

Deno.test("gaussianBlockLaw() encloses the cumulative probabilities of its blocks", () => {
  const bits = 640;
  for (const variance of VARIANCES) {
    const law = gaussianBlockLaw(variance);
    const all = shares(variance, law.blockBits, bits);
    for (const [precision, tailBits] of [[128, 32], [128, 64], [192, 128]] as const) {
      const shareAt = (j: number): bigint => all[j] ?? 1n << BigInt(bits);
      assertEncloses(law, { shareAt, bits, precision, tailBits, units: 1n << 46n });
    }
  }
});

Deno.test("gaussianBlockLaw() has the exponent x²/(2·variance), whatever the fraction", () => {
  for (const variance of VARIANCES) {
    assertExponent(gaussianBlockLaw(variance), (x) => ({
      numerator: x * x * variance.denominator,
      denominator: 2n * variance.numerator,
    }));
  }
});
