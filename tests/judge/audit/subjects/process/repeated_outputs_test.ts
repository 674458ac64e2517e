import { assert, assertEquals } from "@std/assert";
import { RepeatedOutputs } from "../../../../../lib/judge/audit/subjects/process/repeated_outputs.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

const ORDER = Uint8Array.of(0, 1, 0, 1, 1, 0, 0, 1);

/** The answers until the program is known to repeat itself; `undefined` if it never is. */
function seenAfter(answer: (k: number) => readonly unknown[], answers = 100): number | undefined {
  const check = new RepeatedOutputs();
  for (let k = 1; k <= answers; k++) if (check.look(answer(k), ORDER)) return k;
  return undefined;
}

Deno.test("RepeatedOutputs sees numbers, lists and texts that are drawn once a request, whatever the side", () => {
  for (
    const value of [(k: number) => k, (k: number) => [k, 1], (k: number) => ({ name: `${k}` })]
  ) {
    // Four different values a side: 2·4·ln 4⁻³ = ln 3.6e-15.
    assertEquals(seenAfter((k) => Array.from(ORDER, () => value(k))), 4);
    // One draw a side.
    assertEquals(seenAfter((k) => Array.from(ORDER, (side) => value(2 * k + side))), 4);
  }
  // Heads and tails by turns: 2·8·ln 2⁻³ = −33.3 is below ln 1e-12 = −27.6; after 7 requests it is −27.5.
  assertEquals(seenAfter((k) => Array.from(ORDER, () => k % 2 === 0)), 8);
});

// Mutants: constants count, one different output is not enough, both sides share their frequencies.
Deno.test("RepeatedOutputs takes no program for one that repeats itself that is constant, or varies once", () => {
  assertEquals(seenAfter(() => Array.from(ORDER, () => 7)), undefined);
  // Another value on each dataset, and never a different one.
  assertEquals(seenAfter(() => Array.from(ORDER, (side) => side)), undefined);
  assertEquals(
    seenAfter((k) => Array.from(ORDER, (_, i) => k === 2 && i === 7 ? -1 : k)),
    undefined,
  );
  const check = new RepeatedOutputs();
  check.look([1, 2, 3, 4, 5, 6, 7, 8], ORDER);
  assert(check.isVaried);
  // Requests of few outputs say nothing.
  const few = new RepeatedOutputs();
  for (let k = 0; k < 100; k++) assert(!few.look([k, k, k], Uint8Array.of(0, 0, 0)));
});

Deno.test("RepeatedOutputs takes no independent outputs for repeated ones, rare values among them", () => {
  for (const rare of [0.5, 0.1, 0.01, 0.001]) {
    for (let seed = 1; seed <= 200; seed++) {
      const source = new SeededSource(seed);
      const draw = (): number => source.uniform() < rare ? Math.floor(10 * source.uniform()) : -1;
      assertEquals(seenAfter(() => Array.from(ORDER, draw), 40), undefined);
    }
  }
});
