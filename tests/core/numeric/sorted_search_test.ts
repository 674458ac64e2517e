import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { firstAbove, firstAtLeast } from "../../../lib/core/numeric/sorted_search.ts";

// Mutant: the last place of at most the value, as repeated ones tell.
Deno.test("firstAtLeast() is the number of values below", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -5, max: 5 })),
      fc.integer({ min: -6, max: 6 }),
      (all, x) => {
        const sorted = Float64Array.from(all).sort();
        assertEquals(firstAtLeast(sorted, x), all.filter((y) => y < x).length);
      },
    ),
    { seed: 33 },
  );
});

// Mutant: the first place of at least the value.
Deno.test("firstAbove() is the number of values at most as large", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -5, max: 5 })),
      fc.integer({ min: -6, max: 6 }),
      (all, x) => {
        const sorted = Float64Array.from(all).sort();
        assertEquals(firstAbove(sorted, x), all.filter((y) => y <= x).length);
      },
    ),
    { seed: 34 },
  );
});
