import { assert, assertEquals } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { cumulativeShares } from "../../../lib/core/random/cumulative_shares.ts";
import { exponential } from "./exact_words.ts";

const CASES = [
  { exponents: [0, 1, 2, 0.5], multiplicities: [1n, 1n, 1n, 1n] },
  { exponents: [20, 0, 19, 5], multiplicities: [1n, 1n, 3n, 1n] },
  { exponents: [-5, -4, 600, -5.25, -5.25], multiplicities: [1n, 2n, 1n, 1n, 1n] },
  { exponents: [0, 0, 0], multiplicities: [10n ** 12n, 1n, 7n] },
  { exponents: [40, 0], multiplicities: [1n, 1n] },
];

Deno.test("cumulativeShares() encloses the shares, a few units apart, at every precision", () => {
  const bits = 512;
  for (const { exponents, multiplicities } of CASES) {
    const least = Math.min(...exponents);
    let sum = 0n;
    const sums = exponents.map((exponent, i) =>
      sum += multiplicities[i]! * exponential(BigInt(4 * (exponent - least)), 4n, bits)
    );
    for (const precision of [8, 16, 24, 32, 64, 128]) {
      const weights = exponents.map((exponent, i) => ({
        exponent: rational(exponent),
        multiplicity: multiplicities[i]!,
      }));
      const finer = BigInt(bits - precision);
      cumulativeShares(weights, precision).forEach(({ lower, upper }, i) => {
        const share = (sums[i]! << BigInt(bits)) / sum;
        assert(lower << finer <= share && share <= upper << finer, `precision ${precision}`);
        assert(upper - lower <= 10n);
      });
    }
  }
});

Deno.test("cumulativeShares() ends at 1", () => {
  const weights = [3, 1, 2].map((x) => ({ exponent: rational(x), multiplicity: 2n }));
  const [, , last] = cumulativeShares(weights, 64);
  assertEquals(last!.lower, 1n << 64n);
});
