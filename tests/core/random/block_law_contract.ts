import { assert } from "@std/assert";
import type { BlockLaw } from "../../../lib/core/random/block_table.ts";
import type { Rational } from "../../../lib/core/numeric/rational.ts";

/** How far a table may be from the truth, in units of its precision. */
interface Tightness {
  /** Difference between lower and upper bound. */
  readonly units: bigint;
}

/**
 * Fails unless the cumulative probabilities of the law enclose the true ones, `units` apart at most,
 * and go on until 2^−tailBits is left.
 *
 * @param shareAt F(j) times 2^bits, wrong by less than 1 unit of the precisions that are asked for.
 */
export function assertEncloses(
  law: BlockLaw,
  { shareAt, bits, precision, tailBits, units }: {
    shareAt: (block: number) => bigint;
    bits: number;
    precision: number;
    tailBits: number;
  } & Tightness,
): void {
  const table = law.cumulative({ precision, tailBits });
  const finer = BigInt(bits - precision);
  assert(table.precision === precision);
  table.bounds.forEach(({ lower, upper }, j) => {
    const share = shareAt(j);
    assert(lower << finer <= share, `block ${j}: the lower bound is too high`);
    assert(share <= upper << finer, `block ${j}: the upper bound is too low`);
    assert(upper - lower <= units, `block ${j}: bounds are ${upper - lower} units apart`);
  });
  const left = (1n << BigInt(bits)) - shareAt(table.bounds.length - 1);
  assert(left < 1n << BigInt(bits - tailBits), "the table ends too early");
}

/** Fails unless R(x) of the law is the fraction, and rises by less than 1 in its first hundred blocks. */
export function assertExponent(law: BlockLaw, exponentAt: (magnitude: bigint) => Rational): void {
  const size = 1n << BigInt(law.blockBits);
  for (const magnitude of [0n, 1n, 2n, 7n, size - 1n, size, 12345n * size]) {
    const { numerator, denominator } = exponentAt(magnitude);
    assert(law.numeratorAt(magnitude) * denominator === numerator * law.denominator);
  }
  for (let j = 0n; law.blockBits > 0 && j < 100n; j++) {
    assert(law.numeratorAt((j + 1n) * size) - law.numeratorAt(j * size) < law.denominator);
  }
}
