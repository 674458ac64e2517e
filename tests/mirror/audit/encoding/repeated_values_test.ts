import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { repeatedValues } from "../../../../lib/audit/encoding/repeated_values.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** The same by a map. */
function byMap(values: Float64Array, fewest: number): [number, number][] {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (!Number.isNaN(value)) counts.set(value + 0, (counts.get(value + 0) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= fewest);
}

function found(values: Float64Array, fewest: number): [number, number][] {
  const { values: distinct, counts } = repeatedValues(values, fewest);
  return Array.from(distinct, (value, k): [number, number] => [value, counts[k]!])
    .filter(([, count]) => count >= fewest);
}

// Mutants: 0 and -0 in two slots, NaN counted, a slot that overflows into its neighbour, > for >=, part of a buffer read from its start.
Deno.test("repeatedValues() are the values that occur so often, whatever the values are", () => {
  const value = fc.oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 5e-324, -5e-324, 1.5, -1.5),
    fc.double(),
  );
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 300 }),
      fc.nat({ max: 4 }),
      fc.nat({ max: 3 }),
      fc.boolean(),
      (numbers, more, before, many) => {
        const others = many ? Array.from({ length: 4100 }, (_, i) => 100 + i / 7) : [];
        const all = [...Array(before).fill(1), ...others, ...numbers];
        const values = Float64Array.from(all).subarray(before);
        assertEquals(found(values, 1 + more), byMap(values, 1 + more));
      },
    ),
    { seed: 71, numRuns: 200 },
  );
});

Deno.test("repeatedValues() finds three equal numbers among two hundred thousand, and leaves most of the others out", () => {
  const source = new SeededSource("repeated values");
  const values = Float64Array.from({ length: 200_000 }, () => source.uniform());
  for (const at of [7, 70_000, 199_999]) values[at] = 0.5;
  for (const at of [8, 80_000]) values[at] = 0.25;
  for (let at = 1000; at < 1300; at++) values[at] = -0.125;
  assertEquals(found(values, 3), [[0.5, 3], [-0.125, 300]]);
  assert(repeatedValues(values, 3).size < 10_000);
});
