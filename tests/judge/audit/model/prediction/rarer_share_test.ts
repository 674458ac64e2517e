import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  rarerShareOfNumbers,
  rarerShareOfTexts,
} from "../../../../../lib/judge/audit/model/prediction/rarer_share.ts";
import { RareOutputs } from "../../../../../lib/judge/audit/model/prediction/rare_outputs.ts";
import { packOutputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

Deno.test("rarerShareOfTexts() is the share of the rarer part of the most even division by some values", () => {
  const share = (counts: readonly number[], draws = counts.reduce((a, b) => a + b, 0)): number =>
    rarerShareOfTexts({ counts: counts.map((count, k) => [k, count]) }, draws);
  assertEquals(share([990, 10]), 0.01);
  assertEquals(share([50, 50]), 0.5);
  assertEquals(share([60, 20, 20]), 0.4);
  assertEquals(share([30, 30, 20, 20]), 0.5);
  // Outputs without a value here are on the other side.
  assertEquals(share([10], 100), 0.1);
  // Eight values at most make up an event.
  assertAlmostEquals(share(new Array(100).fill(1)), 0.08, 1e-12);
  assertEquals(share([], 10), 0);
});

Deno.test("rarerShareOfNumbers() divides by a threshold, and by one value against all others", () => {
  const share = (counts: readonly (readonly [number, number])[], others = 0): number =>
    rarerShareOfNumbers({ counts, others }, counts.reduce((sum, [, n]) => sum + n, others));
  assertEquals(share([[3, 25], [1, 25], [2, 25], [4, 25]]), 0.5);
  assertEquals(share([[0, 990], [1, 10]]), 0.01);
  assertEquals(share([[0, 10], [1, 80], [2, 10]]), 0.2);
  assertEquals(share([], 1000), 0.5);
  // An atom of 0.9 among numbers that never repeat, on either side of it.
  assertAlmostEquals(share([[0, 900]], 100), 0.1, 1e-12);
});

// Mutants: the most common kind alone, the first column alone, draws of one side.
Deno.test("RareOutputs knows the rarer share of outputs of any shape", () => {
  const source = new SeededSource(5);
  const shareOf = (output: () => unknown): number => {
    const rare = new RareOutputs();
    for (let batch = 0; batch < 20; batch++) {
      const [left, right] = [0, 1].map(() => packOutputs(Array.from({ length: 100 }, output)));
      rare.observe(left!, right!, 200);
    }
    return rare.rarerShare;
  };
  const rarely = (): boolean => source.uniform() < 0.01;
  for (
    const output of [
      () => rarely() ? "yes" : "no",
      () => rarely(),
      () => rarely() ? null : 1,
      () => rarely() ? 2 : 1,
      () => [0, rarely() ? 1 : 0],
      () => rarely() ? { a: 1, b: 1 } : { a: 1 },
    ]
  ) {
    const share = shareOf(output);
    assert(share > 0.004 && share < 0.018, `${share}`);
  }
  for (
    const output of [
      () => source.uniform(),
      () => Math.floor(20 * source.uniform()),
      () => ({ flag: rarely(), total: source.uniform() }),
      () => [0, 0, 0, 0, 0, source.uniform()],
      () => "x".repeat(Math.floor(10 * source.uniform())),
    ]
  ) {
    const share = shareOf(output);
    assert(share > 0.35 && share <= 0.5, `${share}: ${output}`);
  }
  assertEquals(shareOf(() => "no"), 0);
});
