import { assertEquals } from "@std/assert";
import type { OutputLaw } from "../../../../lib/judge/exact/enumeration/enumerate_outputs.ts";
import {
  byCoefficients,
  holdForEveryT,
  inequalitiesOf,
} from "../../../../lib/judge/exact/enumeration/every_epsilon.ts";
import { FactorProducts } from "../../../../lib/judge/exact/enumeration/factor_products.ts";

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
    cut: 0n,
    branches: count,
  });
  const units = { scale: 1n, bits: 64, products: new FactorProducts() };
  const [half, more] = [lawOf(10_000), lawOf(10_001)];
  const of = (...laws: OutputLaw[]): number | undefined =>
    inequalitiesOf(laws.map((law) => ({ left: law, right: half })), { epsilon: 1, units })
      ?.inequalities.length;
  assertEquals([of(half, half), of(half, more), of(more, half)], [20_000, undefined, undefined]);
});
