import { assertEquals } from "@std/assert";
import { BlockMemory } from "../../../../lib/learners/erm/block_memory.ts";
import { signsOfRows } from "../../../../lib/learners/erm/signs.ts";

// Mutants: the signs of the first rows for all, or one too many.
Deno.test("signsOfRows() gives the signs of just these rows, from numbers and from classes", () => {
  const indices = Uint8Array.from([2, 0, 2, 1, 1, 2, 0]);
  for (const positive of [0, 1, 2]) {
    const all = Array.from(indices, (index) => index === positive ? 1 : -1);
    for (let first = 0; first <= 7; first++) {
      for (let count = 0; first + count <= 7; count++) {
        const expected = all.slice(first, first + count);
        for (const signs of [Float64Array.from(all), { indices, positive }]) {
          assertEquals(
            [...signsOfRows(signs, { first, count, memory: new BlockMemory() })],
            expected,
          );
        }
      }
    }
  }
});
