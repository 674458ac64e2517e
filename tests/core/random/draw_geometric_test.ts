import { assert, assertThrows } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { drawGeometric } from "../../../lib/core/random/draw_geometric.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { chiSquarePValue } from "./chi_square.ts";

// Mutants: a rate without its numerator, or multiplied with it. False-alarm rate 1e-6 a check.
Deno.test("drawGeometric() follows exp(−rate·x) at rates that are fractions", () => {
  for (const [numerator, denominator] of [[3, 7], [5, 2], [1, 4], [2, 1]] as const) {
    const source = new SeededSource(`geometric ${numerator}/${denominator}`);
    const draws = 20_000, counts = new Float64Array(12), ratio = Math.exp(-numerator / denominator);
    for (let i = 0; i < draws; i++) {
      const x = Number(drawGeometric(source, { rate: rational(numerator, denominator) }));
      counts[Math.min(x, 11)]!++;
    }
    const expected = counts.map((_, x) => draws * ratio ** x * (x < 11 ? 1 - ratio : 1));
    assert(chiSquarePValue(counts, expected) > 1e-6, `${numerator}/${denominator}`);
  }
});

Deno.test("drawGeometric() refuses rates that are not positive", () => {
  for (const rate of [0, -1]) {
    assertThrows(
      () => drawGeometric(new SeededSource(1), { rate: rational(rate) }),
      RangeError,
      "rate must be positive",
    );
  }
});
