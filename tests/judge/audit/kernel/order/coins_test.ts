import { assert, assertEquals } from "@std/assert";
import type { Source } from "../../../../../lib/core/mechanism/source.ts";
import { Coins } from "../../../../../lib/judge/audit/kernel/order/coins.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { logBinomialTail } from "../../../../../lib/core/numeric/binomial_tail.ts";

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

Deno.test("Coins.right counts one bit for each coin, for every count", () => {
  for (const count of [0, 1, 2, 31, 32, 33, 63, 64, 100, 32 * 4096, 32 * 4096 + 5, 300_001]) {
    assertEquals(Coins.thrown(constantWords(0xffffffff), count).right, count);
    assertEquals(Coins.thrown(constantWords(0), count).right, 0);
  }
  assertEquals(Coins.thrown(constantWords(0x55555555), 64).right, 32);
  assertEquals(Coins.thrown(constantWords(0x80000001), 32).right, 2);
});

// Chi-square of 65 cells, seed fixed beforehand; level 1e-4. Mutants: one bit left out or counted
// twice, a coin of 0.51.
Deno.test("Coins.right has the binomial law", () => {
  const source = new SeededSource(11);
  for (const count of [7, 64]) {
    const runs = 20_000;
    const seen = new Float64Array(count + 1);
    for (let run = 0; run < runs; run++) seen[Coins.thrown(source, count).right]!++;
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

/** Fair coins by lots of seeds, each a list of sides. */
function thrown(count: number): number[][] {
  return Array.from(
    { length: 4000 },
    (_, seed) => [...Coins.thrown(new SeededSource(seed), count).order],
  );
}

// Mutants: an order that is not the coins that are counted; a slice of other coins.
Deno.test("Coins.order has as many of each side as are counted, and slices of it are coins", () => {
  for (const count of [0, 1, 31, 32, 33, 1000]) {
    const coins = Coins.thrown(new SeededSource(count), count);
    assertEquals(coins.order.length, count);
    assertEquals(coins.order.reduce((sum, coin) => sum + coin, 0), coins.right);
    assertEquals(coins.left + coins.right, count);
    assertEquals(Coins.of(coins.order).right, coins.right);
    const [from, to] = [Math.floor(count / 3), Math.floor(count / 2)];
    const slice = coins.slice(from, to);
    assertEquals([...slice.order], [...coins.order.subarray(from, to)]);
    assertEquals([slice.leftFirst, slice.count], [coins.leftFirst, to - from]);
  }
});

// Seeds fixed; each bound fails by chance with probability 1e-4 at most, over 69 tests of 4000 fair coins.
// Mutants: bits read from the wrong end of a half word, one of 32 always 0, the last word's bits beyond the rest.
Deno.test("Coins.order falls on either side at every place, whatever the coin before it", () => {
  const bound = Math.sqrt(Math.log(2 * 69 / 1e-4) / (2 * 4000));
  const orders = thrown(35);
  const share = (of: (order: number[]) => number): number =>
    orders.reduce((sum, order) => sum + of(order), 0) / orders.length;
  for (let at = 0; at < 35; at++) {
    assert(Math.abs(share((order) => order[at]!) - 0.5) < bound, `place ${at}`);
    if (at === 0) continue;
    const alike = share((order) => (order[at] === order[at - 1] ? 1 : 0));
    assert(Math.abs(alike - 0.5) < bound, `places ${at - 1} and ${at}`);
  }
});
