import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { shuffle } from "../../../lib/core/random/shuffle.ts";
import { chiSquare, FALSE_ALARM } from "./goodness_of_fit.ts";

/** P-value of the 24 orders of four items. */
function orders(put: (items: number[]) => number[]): number {
  const counts = new Map<string, number>(), draws = 48_000;
  for (let i = 0; i < draws; i++) {
    const order = put([0, 1, 2, 3]).join();
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  const seen = Array.from({ length: 24 }, (_, i) => [...counts.values()][i] ?? 0);
  return chiSquare(seen, seen.map(() => draws / 24));
}

// One check of false-alarm rate 1e-7.
Deno.test("shuffle() gives every order with one probability", () => {
  const source = new SeededSource("orders");
  assert(orders((items) => shuffle(source, items)) > FALSE_ALARM);
  // Mutant: every item changes places with any other one.
  const mutant = (items: number[]): number[] => {
    for (let i = 0; i < items.length; i++) {
      const j = randomInteger(source, { below: items.length });
      [items[i], items[j]] = [items[j]!, items[i]!];
    }
    return items;
  };
  assert(orders(mutant) < FALSE_ALARM);
});

Deno.test("shuffle() keeps the items, in place", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
      const shuffled = items.slice();
      assert(shuffle(new SeededSource(seed), shuffled) === shuffled);
      assertEquals(shuffled.toSorted((a, b) => a - b), items.toSorted((a, b) => a - b));
    }),
    { seed: 1 },
  );
});

Deno.test("shuffle() takes typed arrays", () => {
  const items = Float64Array.from({ length: 100 }, (_, i) => i);
  shuffle(new SeededSource(1), items);
  assertEquals(new Set(items).size, 100);
  assert(items.some((x, i) => x !== i));
});
