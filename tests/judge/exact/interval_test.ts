import { assert } from "@std/assert";
import * as fc from "fast-check";
import { interval, multiplyIntervals, risingInterval } from "../../../lib/judge/exact/interval.ts";
import { type BigNumber, bigNumber } from "../../core/numeric/big_number.ts";

const finite = fc.double({ min: -1e300, max: 1e300, noNaN: true });

/** A double `steps` doubles away from `x`, which is not 0. */
function stepsFrom(x: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps));
  return view.getFloat64(0);
}

// Mutant: no margin for elementary functions.
Deno.test("risingInterval() allows for four units in the last place", () => {
  fc.assert(
    fc.property(
      finite.filter((x) => Math.abs(x) > 1e-300),
      fc.integer({ min: -4, max: 4 }),
      fc.integer({ min: -4, max: 4 }),
      (x, one, other) => {
        const truth = { lower: -Math.abs(x), upper: Math.abs(x) };
        // The identity, computed as badly as an elementary function may be.
        const badly = (steps: readonly number[]) => (y: number): number =>
          stepsFrom(y, steps[y > 0 ? 1 : 0]!);
        const rising = risingInterval(truth, badly([one, other]));
        assert(rising.lower <= truth.lower && rising.upper >= truth.upper, `${x} ${one} ${other}`);
      },
    ),
    { seed: 1501 },
  );
});

/** The functions that proofs take intervals through, and the same to 80 digits. */
const ELEMENTARY: readonly [(x: number) => number, (x: BigNumber) => BigNumber][] = [
  [Math.exp, (x) => x.exp()],
  [Math.log, (x) => x.ln()],
  [Math.log1p, (x) => x.plus(1).ln()],
  [Math.sqrt, (x) => x.sqrt()],
];

// Mutant: ends as the function gives them, not moved outward.
Deno.test("risingInterval() holds exp, log, log1p and sqrt of the ends, to 80 digits", () => {
  const sizes = fc.double({ min: -6, max: 6, noNaN: true }).map(Math.exp);
  for (const [double, digits] of ELEMENTARY) {
    fc.assert(
      fc.property(sizes, sizes, (a, b) => {
        const ends = interval(Math.min(a, b), Math.max(a, b));
        const { lower, upper } = risingInterval(ends, double);
        assert(
          bigNumber(lower).lte(digits(bigNumber(ends.lower))),
          `${double.name}(${ends.lower})`,
        );
        assert(
          bigNumber(upper).gte(digits(bigNumber(ends.upper))),
          `${double.name}(${ends.upper})`,
        );
      }),
      { seed: 1503, numRuns: 300 },
    );
  }
});

/** A double as a fraction with the denominator 2¹⁰⁷⁴. */
function scaled(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn, low = bits & ((1n << 52n) - 1n);
  const size = exponent === 0n ? low : (low | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

// Mutants: an end rounded to nearest; ends of one sign only.
Deno.test("multiplyIntervals() encloses the exact products of its ends", () => {
  const moderate = fc.double({ min: -1e100, max: 1e100, noNaN: true });
  fc.assert(
    fc.property(moderate, moderate, moderate, moderate, (a, b, c, d) => {
      const left = interval(Math.min(a, b), Math.max(a, b));
      const right = interval(Math.min(c, d), Math.max(c, d));
      const { lower, upper } = multiplyIntervals(left, right);
      for (const x of [left.lower, left.upper]) {
        for (const y of [right.lower, right.upper]) {
          const exact = scaled(x) * scaled(y);
          assert(scaled(lower) << 1074n <= exact && exact <= scaled(upper) << 1074n);
        }
      }
    }),
    { seed: 1502 },
  );
});

// Mutants: 0 times an unbounded end; an end that overflowed taken for infinite, or moved to NaN.
Deno.test("intervals with infinite ends, or ends that overflow, enclose what is finite in them", () => {
  const unbounded = interval(-Infinity, Infinity);
  for (const side of [unbounded, interval(0, Infinity), interval(-Infinity, 0)]) {
    for (
      const product of [multiplyIntervals(interval(0), side), multiplyIntervals(side, interval(0))]
    ) {
      assert(product.lower <= 0 && product.upper >= 0, "0 times what is finite is 0");
      assert(product.lower > -1e-300 && product.upper < 1e-300);
    }
  }
  // e^1000 is a number, though no double is as large.
  const large = risingInterval(interval(1000), Math.exp);
  assert(large.lower === Number.MAX_VALUE && large.upper === Infinity);
  assert(multiplyIntervals(interval(1e200), interval(1e200)).lower <= Number.MAX_VALUE);
  const logarithm = risingInterval(interval(0, 1), Math.log);
  assert(logarithm.lower === -Infinity && logarithm.upper >= 0 && logarithm.upper < 1e-300);
  assert(!Number.isNaN(risingInterval(interval(0), Math.log).upper));
});
