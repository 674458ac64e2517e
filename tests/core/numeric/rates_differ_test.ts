import { assertEquals } from "@std/assert";
import { ratesDiffer } from "../../../lib/core/numeric/rates_differ.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const rate = (hits: number, draws: number) => ({ hits, draws });

// Mutants: any difference; nothing where one side has none; a difference with one sign only; draws of a side
// left out.
Deno.test("ratesDiffer() says yes when chance does not explain the difference", () => {
  for (const [a, b] of [[rate(0, 100), rate(20, 100)], [rate(400, 1000), rate(50, 100)]] as const) {
    const expected = a.hits === 0;
    assertEquals([ratesDiffer(a, b), ratesDiffer(b, a)], [expected, expected]);
  }
  assertEquals(ratesDiffer(rate(400, 1000), rate(5000, 10_000)), true);
});

Deno.test("ratesDiffer() says no when there is nothing to compare", () => {
  for (const [a, b] of [[0, 0], [100, 100], [3, 0], [11, 9]] as const) {
    assertEquals(ratesDiffer(rate(a, 100), rate(b, 100)), false, `${a} and ${b}`);
  }
  assertEquals(ratesDiffer(rate(0, 0), rate(50, 50)), false);
});

// Mutant: two standard errors, which chance exceeds once in 22 times.
Deno.test("ratesDiffer() is seldom wrong about equal chances", () => {
  const source = new SeededSource(1);
  const count = (): number => {
    let hits = 0;
    for (let i = 0; i < 500; i++) hits += Number(source.uniform() < 0.3);
    return hits;
  };
  let wrong = 0;
  for (let run = 0; run < 2000; run++) {
    wrong += Number(ratesDiffer(rate(count(), 500), rate(count(), 500)));
  }
  // 5.4 are expected: 20 or more has a chance of 1e-6.
  assertEquals(wrong < 20, true, `${wrong} of 2000`);
});
