import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { multiplyPolynomials, type Polynomial } from "../../../lib/judge/exact/polynomial.ts";
import { nonNegativeFrom, rootsAbove } from "../../../lib/judge/exact/sturm.ts";

Deno.test("nonNegativeFrom() accepts the zero polynomial and an even root beyond the start", () => {
  assertEquals(nonNegativeFrom([], { from: 1n }).holds, true);
  assertEquals(nonNegativeFrom([4n, -4n, 1n], { from: 1n }), { holds: true, method: "roots" });
  assertEquals(nonNegativeFrom([-1n, 1n], { from: 1n }).method, "coefficients");
  assertEquals(nonNegativeFrom([-1n, 1n], { from: 0n }).holds, false);
});

// Mutants: signs of leading coefficients, contents and quotients; multiplicities; where a witness is looked for.
Deno.test("nonNegativeFrom() and rootsAbove() decide products of known roots, of any multiplicity and sign", () => {
  const root = fc.record({
    above: fc.integer({ min: -20, max: 40 }),
    below: fc.integer({ min: 1, max: 5 }),
    power: fc.integer({ min: 1, max: 4 }),
  });
  const pair = fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 1, max: 5 }));
  let shown = 0, refuted = 0;
  fc.assert(
    fc.property(
      fc.array(root, { maxLength: 4 }),
      fc.array(pair, { maxLength: 2 }),
      fc.constantFrom(-6n, -1n, 1n, 4n),
      fc.constantFrom(-2n, 0n, 1n, 3n),
      (roots, pairs, factor, from) => {
        const of = multiplyPolynomials(
          [factor],
          ...roots.flatMap(({ above, below, power }) =>
            Array.from({ length: power }, (): Polynomial => [BigInt(-above), BigInt(below)])
          ),
          // t² + 2bt + b² + c has no real roots.
          ...pairs.map(([b, c]): Polynomial => [BigInt(b * b + c), BigInt(2 * b), 1n]),
        );
        // Between roots the sign is one: it is looked at from and between all of them, and beyond.
        const first = Number(from);
        const ends = roots.map(({ above, below }) => above / below).filter((at) => at > first);
        const marks = [first, ...ends.sort((a, b) => a - b), 1000];
        const signs = marks.slice(1).map((end, k) => {
          const middle = (marks[k]! + end) / 2;
          if (end === marks[k]) return 1;
          return roots.reduce(
            (sign, { above, below, power }) =>
              middle < above / below && power % 2 === 1 ? -sign : sign,
            factor > 0n ? 1 : -1,
          );
        });
        if (roots.every(({ above }) => above !== 0)) {
          const positive = new Set(
            roots.map(({ above, below }) => above / below).filter((at) => at > 0),
          );
          assertEquals(rootsAbove(of), positive.size);
        }
        const { holds, counterexample } = nonNegativeFrom(of, { from });
        assertEquals(holds, signs.every((sign) => sign > 0));
        if (holds) return;
        refuted++;
        if (counterexample === undefined) return;
        shown++;
        const { numerator, denominator } = counterexample;
        assert(denominator > 0n && numerator >= from * denominator);
        // Σ c_k·n^k·d^(K − k), in whole numbers.
        const last = of.length - 1;
        const value = of.reduce(
          (sum, c, k) => sum + c * numerator ** BigInt(k) * denominator ** BigInt(last - k),
          0n,
        );
        assert(value < 0n);
      },
    ),
    { seed: 1513, numRuns: 1500 },
  );
  assert(shown >= 0.9 * refuted, `${shown} of ${refuted} refuted inequalities are shown`);
});

Deno.test("nonNegativeFrom() shows a narrow gap close by, and one far out", () => {
  // Negative on (1 + 2⁻¹², 1 + 2⁻¹⁰), and on (2⁹, 2¹⁰).
  for (
    const of of [
      multiplyPolynomials([-4097n, 4096n], [-1025n, 1024n]),
      multiplyPolynomials([-512n, 1n], [-1024n, 1n]),
    ]
  ) {
    const { holds, counterexample } = nonNegativeFrom(of, { from: 1n });
    assert(!holds && counterexample !== undefined);
  }
});

/** Negative less than 2⁻⁴⁰ from numerator/2¹⁴, and nowhere else. */
function negativeAt(numerator: bigint): Polynomial {
  const scale = 2n ** 26n;
  return multiplyPolynomials(
    [1n - numerator * scale, 2n ** 40n],
    [-1n - numerator * scale, 2n ** 40n],
  );
}

Deno.test("nonNegativeFrom() looks at 128 points on each of 17 scales, from 2⁻¹⁴ to 2⁹ away", () => {
  const denominator = 2n ** 14n;
  for (const from of [0n, 3n, -2n]) {
    const start = from * denominator;
    for (
      const away of [1n, 127n, 128n, 77n << 5n, 1n << 14n, 127n << 16n, 128n << 16n]
    ) {
      const found = nonNegativeFrom(negativeAt(start + away), { from });
      assertEquals(found.holds, false);
      assertEquals(found.counterexample, { numerator: start + away, denominator });
    }
    // Between the points, or beyond them, nothing is found.
    for (const away of [129n, 255n << 1n, 129n << 16n, 65n << 17n]) {
      const found = nonNegativeFrom(negativeAt(start + away), { from });
      assertEquals(found, { holds: false, method: "roots" });
      assert(!("counterexample" in found));
    }
  }
});

Deno.test("nonNegativeFrom() is exact where coefficients have hundreds of digits", () => {
  const huge = 10n ** 120n;
  const square: Polynomial = multiplyPolynomials([-huge, 1n], [-huge, 1n], [3n * huge, 7n]);
  assertEquals(nonNegativeFrom(square, { from: 1n }), { holds: true, method: "roots" });
  const crossing: Polynomial = multiplyPolynomials(square, [-huge - 1n, 1n]);
  assertEquals(nonNegativeFrom(crossing, { from: 1n }).holds, false);
});

Deno.test("rootsAbove() counts none of constants, and counts roots by the signs just right of 0", () => {
  assertEquals(rootsAbove([]), 0);
  assertEquals(rootsAbove([-5n]), 0);
  // (3 ± √5)/2, once with 0 as a third root.
  assertEquals(rootsAbove([1n, -3n, 1n]), 2);
  assertEquals(rootsAbove([0n, 1n, -3n, 1n]), 2);
  assertEquals(rootsAbove([0n, 0n, 1n]), 0);
});
