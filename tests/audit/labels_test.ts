import { assert, assertEquals } from "@std/assert";
import type { Source } from "../../lib/core/source.ts";
import { countRight } from "../../lib/audit/labels.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { logBinomialTail } from "../../lib/numeric/binomial_tail.ts";

/** A source whose words are all the same. */
function constantWords(word: number): Source {
  const source: Source = {
    kind: "seeded",
    uint32: () => word,
    uniform: () => 0.5,
    fillUint32: (out) => void out.fill(word),
    split: () => source,
  };
  return source;
}

Deno.test("countRight() counts one bit for each coin, for every count", () => {
  for (const count of [0, 1, 2, 31, 32, 33, 63, 64, 100, 32 * 4096, 32 * 4096 + 5, 300_001]) {
    assertEquals(countRight(constantWords(0xffffffff), count), count);
    assertEquals(countRight(constantWords(0), count), 0);
  }
  assertEquals(countRight(constantWords(0x55555555), 64), 32);
  assertEquals(countRight(constantWords(0x80000001), 32), 2);
});

// Chi-square of 65 cells, seed fixed beforehand; level 1e-4. Mutants: one bit left out or counted
// twice, a coin of 0.51.
Deno.test("countRight() has the binomial law", () => {
  const source = new SeededSource(11);
  for (const count of [7, 64]) {
    const runs = 20_000;
    const seen = new Float64Array(count + 1);
    for (let run = 0; run < runs; run++) seen[countRight(source, count)]!++;
    let statistic = 0, cells = 0, expectedRest = runs, seenRest = runs;
    for (let k = 0; k <= count; k++) {
      const expected = runs * (atLeast(k, count) - atLeast(k + 1, count));
      if (expected < 10) continue;
      statistic += (seen[k]! - expected) ** 2 / expected;
      expectedRest -= expected;
      seenRest -= seen[k]!;
      cells++;
    }
    if (expectedRest > 1) statistic += (seenRest - expectedRest) ** 2 / expectedRest;
    // Wilson and Hilferty's approximation of the chi-square quantile at 1 - 1e-4.
    const bound = cells * (1 - 2 / (9 * cells) + 3.72 * Math.sqrt(2 / (9 * cells))) ** 3;
    assert(statistic < bound, `chi-square ${statistic} of ${cells} cells for ${count} coins`);
  }
});

function atLeast(k: number, n: number): number {
  return Math.exp(logBinomialTail(k, n, 0.5));
}
