import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ValueCounts } from "../../../../lib/audit/encoding/value_counts.ts";

// Mutants: NaN is never equal to NaN; 0 and -0 differ; a full slot is taken over; slots are not looked at from the first one again.
Deno.test("ValueCounts counts numbers as a map does, in the order in which they came", () => {
  const number = fc.oneof(
    fc.integer({ min: -40, max: 40 }).map((k) => k / 8),
    fc.constantFrom(NaN, Infinity, -Infinity, 0, -0, 5e-324),
    fc.double(),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 300 }), (numbers) => {
      const expected = new Map<number, number>(), found = new ValueCounts(numbers.length);
      for (const value of numbers) {
        expected.set(value, (expected.get(value) ?? 0) + 1);
        assertEquals(found.add(value), expected.get(value));
        assertEquals(found.size, expected.size);
      }
      assertEquals([...found.values], [...expected.keys()]);
      assertEquals([...found.counts], [...expected.values()]);
    }),
    { seed: 67, numRuns: 300 },
  );
});
