import { assertEquals } from "@std/assert";
import { byCoefficients, holdForEveryT } from "../../../../lib/exact/enumeration/every_epsilon.ts";

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
