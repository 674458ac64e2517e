import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { chiSquare, FALSE_ALARM } from "./goodness_of_fit.ts";

/** P-value of equal thirds of [0, below). */
function thirds(draw: () => number, below: number): number {
  const counts = [0, 0, 0], draws = 20_000;
  for (let i = 0; i < draws; i++) counts[Math.floor(draw() / (below / 3))]!++;
  return chiSquare(counts, counts.map(() => draws / 3));
}

// Five checks of false-alarm rate 1e-7.
Deno.test("randomInteger() draws every value with one probability", () => {
  const source = new SeededSource("integers");
  for (const below of [7, 1000]) {
    const counts = new Float64Array(below), draws = 200_000;
    for (let i = 0; i < draws; i++) counts[randomInteger(source, { below })]!++;
    assert(chiSquare(counts, counts.map(() => draws / below)) > FALSE_ALARM);
  }
  // Bounds for which a plain remainder draws the first third twice as often as the others.
  for (const below of [3 * 2 ** 30, 3 * 2 ** 51, 3 * 2 ** 40]) {
    assert(thirds(() => randomInteger(source, { below }), below) > FALSE_ALARM);
  }
  assert(thirds(() => source.uint32() % (3 * 2 ** 30), 3 * 2 ** 30) < FALSE_ALARM);
});

Deno.test("randomInteger() stays below its bound when the bound is anything to 2^53", () => {
  const source = new SeededSource(2);
  fc.assert(
    fc.property(fc.maxSafeNat(), (most) => {
      const drawn = randomInteger(source, { below: most + 1 });
      assert(Number.isSafeInteger(drawn) && drawn >= 0 && drawn <= most);
    }),
    { seed: 1, numRuns: 500 },
  );
  assertEquals(randomInteger(source, { below: 1 }), 0);
});
