import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { compareLaws, fraction } from "../../../../lib/judge/exact/enumeration/compare_laws.ts";
import type { OutputLaw } from "../../../../lib/judge/exact/enumeration/enumerate_outputs.ts";
import { FactorProducts } from "../../../../lib/judge/exact/enumeration/factor_products.ts";
import {
  largestLoss,
  leastEpsilon,
} from "../../../../lib/judge/exact/enumeration/least_epsilon.ts";

/** So few that the rounding of e^ε can be seen. */
const bits = 5;
const units = { scale: 1n, bits, products: new FactorProducts() };

/** A law of lower bounds, in 32nds; the rest is its remainder. */
function lawOf(lower: readonly number[]): OutputLaw {
  return {
    outputs: new Map(
      lower.map((p, i) => [String(i), { output: i, lower: BigInt(p), terms: new Map() }]),
    ),
    remainder: BigInt(32 - lower.reduce((a, b) => a + b, 0)),
    complete: false,
    cut: 0n,
    branches: 0,
  };
}

const lower = fc.array(fc.nat({ max: 6 }), { minLength: 5, maxLength: 5 });

// Mutants: e^ε rounded down where what exceeds it is a lower bound; up where it is an upper one; a remainder of the wrong law.
Deno.test("compareLaws() bounds δ from both sides, however coarse its numbers are", () => {
  let narrow = 0;
  fc.assert(
    fc.property(lower, lower, fc.double({ min: 0.01, max: 3, noNaN: true }), (p, q, epsilon) => {
      const left = lawOf(p), right = lawOf(q);
      const { delta } = compareLaws({ left, right }, { epsilon, delta: 0, units });
      const factor = Math.exp(epsilon);
      const excess = p.reduce((sum, each, i) => sum + Math.max(0, each - factor * q[i]!), 0) / 32;
      const least = excess - factor * Number(right.remainder) / 32;
      const most = excess + Number(left.remainder) / 32;
      assert(delta.lower <= Math.max(0, least) && delta.upper >= Math.min(1, most));
      assert(Math.max(0, least) - delta.lower < 0.01 && delta.upper - Math.min(1, most) < 0.01);
      if (delta.lower < least - 1e-12 || delta.upper > most + 1e-12) narrow++;
    }),
    { seed: 4, numRuns: 500 },
  );
  assert(narrow > 100, "rounding was not seen");
});

// Mutant: e^ε rounded down in a lower bound.
Deno.test("compareLaws() rounds a lower bound on δ down where nothing was left out", () => {
  const whole = lower.map((q) => [...q, 32 - q.reduce((a, b) => a + b, 0)]);
  fc.assert(
    fc.property(lower, whole, fc.double({ min: 0.01, max: 0.7, noNaN: true }), (p, q, epsilon) => {
      const laws = { left: lawOf(p), right: lawOf(q) };
      const { delta } = compareLaws(laws, { epsilon, delta: 0, units });
      const factor = Math.exp(epsilon);
      const excess = p.reduce((sum, each, i) => sum + Math.max(0, each - factor * q[i]!), 0) / 32;
      assert(delta.lower <= excess && excess - delta.lower < 0.01);
    }),
    { seed: 5, numRuns: 500 },
  );
});

// Mutants: the remainder left out of what an output may have; a loss of the other law.
Deno.test("largestLoss() and leastEpsilon() claim no more than the remainder allows", () => {
  const left = lawOf([16, 8]), right = lawOf([4, 20]);
  const found = largestLoss({ left, right }, { bits })!;
  // At least 16 of 32 against at most 4 + 8.
  assertEquals(found.key, "0");
  assert(found.loss.lower <= Math.log(16 / 12) && found.loss.lower > Math.log(16 / 12) - 1e-13);
  assertEquals(found.loss.upper, Infinity);
  assert(
    found.left.upper >= 24 / 32 && found.left.lower <= 16 / 32 && found.right.upper >= 12 / 32,
  );
  // 16 − 4e^ε = 8e^ε at e^ε = 4/3.
  const fine = { ...units, bits: 5 };
  const { lower: low, upper } = leastEpsilon([{ left, right }], { delta: 0, units: fine });
  assert(
    low <= Math.log(4 / 3) && upper > Math.log(4 / 3) - 0.01 && upper < Math.log(4 / 3) + 0.01,
  );
});

Deno.test("fraction() rounds outward, beyond the doubles too", () => {
  assert(fraction(1n, 1n, false) <= 0.5 && fraction(1n, 1n, true) >= 0.5);
  assert(fraction(-1n, 1n, false) <= -0.5 && fraction(-1n, 1n, true) >= -0.5);
  const third = (1n << 3000n) / 3n;
  assert(fraction(third, 3000n, false) < 1 / 3 && fraction(third, 3000n, true) > 1 / 3);
  assert(fraction(third, 3000n, true) - fraction(third, 3000n, false) < 1e-14);
  assertEquals(fraction(0n, 10n, true), 0);
});

// Mutant: a bound that underflows to 0 from above.
Deno.test("fraction() rounds outward where doubles thin out, and not past 0", () => {
  const least = Number.MIN_VALUE;
  assertEquals([fraction(1n, 4096n, true), fraction(1n, 4096n, false)], [least, 0]);
  assertEquals([fraction(-1n, 4096n, true), fraction(-1n, 4096n, false)], [-0, -least]);
  // One and a half times the least double.
  assert(fraction(3n, 1075n, true) >= 2 * least && fraction(3n, 1075n, false) <= least);
  assert(fraction(-3n, 1075n, true) >= -least && fraction(-3n, 1075n, false) <= -2 * least);
  for (let k = 1n; k < 64n; k++) {
    const [low, high] = [fraction(k, 1078n, false), fraction(k, 1078n, true)];
    // Units of the least double are 16.
    assert(BigInt(low / least) * 16n <= k && BigInt(high / least) * 16n >= k, `${k}`);
    assert((high - low) / least <= 4);
  }
});
