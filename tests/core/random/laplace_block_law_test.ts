import { assert } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { laplaceBlockLaw } from "../../../lib/core/random/laplace_block_law.ts";
import { assertEncloses, assertExponent } from "./block_law_contract.ts";
import { exponential } from "./exact_words.ts";

const SCALES = [
  rational(1, 50),
  rational(1, 3),
  rational(1),
  rational(17, 2),
  rational(1000, 7),
  rational(3001, 10),
  rational(2 ** 20 + 1, 3),
  rational(2 ** 38),
];

Deno.test("laplaceBlockLaw() encloses the cumulative probabilities of its blocks", () => {
  const bits = 400;
  for (const scale of SCALES) {
    const law = laplaceBlockLaw(scale);
    const size = scale.denominator << BigInt(law.blockBits);
    for (const [precision, tailBits] of [[128, 32], [128, 64], [192, 40]] as const) {
      const shareAt = (j: number): bigint =>
        (1n << BigInt(bits)) - exponential(size * BigInt(j + 1), scale.numerator, bits);
      assertEncloses(law, { shareAt, bits, precision, tailBits, units: 4000n });
      // Not longer than was asked for: without its last entry the table would end too early.
      const last = law.cumulative({ precision, tailBits }).bounds.length - 1;
      if (last > 0) assert(shareAt(last - 1) <= (1n << 400n) - (1n << BigInt(bits - tailBits)));
    }
  }
});

Deno.test("laplaceBlockLaw() has the exponent |x|/scale, whatever the fraction", () => {
  for (const scale of SCALES) {
    assertExponent(laplaceBlockLaw(scale), (x) => ({
      numerator: x * scale.denominator,
      denominator: scale.numerator,
    }));
  }
});
