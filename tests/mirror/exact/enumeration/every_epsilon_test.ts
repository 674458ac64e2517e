import { assertEquals } from "@std/assert";
import { checkExactly } from "../../../../lib/exact/enumeration/check_exactly.ts";
import { checked } from "../../../../proofs/checks/run_limits.ts";
import type { OutputLaw } from "../../../../lib/exact/enumeration/enumerate_outputs.ts";
import {
  byCoefficients,
  holdForEveryT,
  type Inequalities,
  inequalitiesOf,
} from "../../../../lib/exact/enumeration/every_epsilon.ts";
import { FactorProducts } from "../../../../lib/exact/enumeration/factor_products.ts";

// Mutants: a method in place of an answer; one inequality for all.
Deno.test("holdForEveryT() takes what Sturm's theorem decides, byCoefficients() does not", () => {
  const of = (...polynomials: bigint[][]) => ({
    power: 1,
    inequalities: polynomials.map((polynomial) => ({ pair: 0, key: "", polynomial })),
  });
  const square = [4n, -4n, 1n], rising = [-1n, 1n], falling = [2n, -1n];
  const cases: [bigint[][], every: boolean, simple: boolean][] = [
    [[rising], true, true],
    [[rising, square], true, false],
    [[rising, falling], false, false],
    [[], true, true],
  ];
  for (const [polynomials, every, simple] of cases) {
    assertEquals(holdForEveryT(of(...polynomials)), every);
    assertEquals(byCoefficients(of(...polynomials)), simple);
  }
});

/** The inequalities of an answer that is turned round with odds of e^−exponent. */
function answerAt(epsilon: number, exponent: number): Inequalities | undefined {
  return checked(
    checkExactly,
    (row, source) => row ^ source.choice({ exponents: [0, exponent] }),
    { rows: 2, epsilon },
  ).details.inequalities;
}

// Mutants: t to another power, or for another ε; a degree of one more or less.
Deno.test("inequalitiesOf() are polynomials in the largest t that fits, of a degree of at most 120", () => {
  for (
    const [epsilon, exponent, power, degree] of [
      [3, 1, 3, 4],
      [0.5, 0.25, 2, 3],
      [1.5, 1, 3, 5],
      [0.75, 0.5, 3, 5],
      [2, 2, 1, 2],
      [120, 1, 120, 121],
      [119, 1, 119, 120],
    ] as const
  ) {
    const found = answerAt(epsilon, exponent);
    if (degree > 120) assertEquals(found, undefined);
    else {
      assertEquals(found!.power, power);
      const degrees = found!.inequalities.map(({ polynomial }) => polynomial.length - 1);
      assertEquals(Math.max(...degrees), degree);
    }
  }
});

Deno.test("inequalitiesOf() decides 20,000 inequalities, and none where there are more", () => {
  const lawOf = (count: number): OutputLaw => ({
    outputs: new Map(
      Array.from({ length: count }, (_, i) => [
        `${i}`,
        { output: i, lower: 1n, terms: new Map([[0, new Map([[0n, 1n]])]]) },
      ]),
    ),
    remainder: 0n,
    complete: true,
    branches: count,
  });
  const units = { scale: 1n, bits: 64, products: new FactorProducts() };
  const [half, more] = [lawOf(10_000), lawOf(10_001)];
  const of = (...laws: OutputLaw[]): number | undefined =>
    inequalitiesOf(laws.map((law) => ({ left: law, right: half })), { epsilon: 1, units })
      ?.inequalities.length;
  assertEquals([of(half, half), of(half, more), of(more, half)], [20_000, undefined, undefined]);
});
