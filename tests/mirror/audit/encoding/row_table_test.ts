import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { RowTable } from "../../../../lib/audit/encoding/row_table.ts";

const value = fc.constantFrom(0, -0, 1, 2, 0.1, NaN, Infinity, -1e300, 5e-324, 1 + 2 ** -52);

function bitsOf(row: Float64Array): string {
  return new BigUint64Array(row.slice().buffer).join(" ");
}

/** The place of each row in a table. */
function placesIn(table: RowTable, rows: Float64Array, n: number, from = 0): number[] {
  const places = new Float64Array(n).fill(-1);
  table.fill(rows, from, n, places);
  return [...places];
}

// Mutants: rows compared by some of their words, or by value; rows that begin inside a buffer misread; places
// that two rows share, or that are not below their number; rows found that are not in the table.
Deno.test("RowTable.fill() gives each row a place of its own, and none to rows that are not in the table", () => {
  const kinds = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.array(fc.array(value, { minLength: width, maxLength: width }), {
      minLength: 2,
      maxLength: 12,
    })
  );
  fc.assert(
    fc.property(kinds, fc.integer({ min: 1, max: 11 }), (all, split) => {
      const known = all.slice(0, split), width = all[0]!.length;
      const rows = Float64Array.from(
        Array.from({ length: 1200 }, (_, i) => known[i % known.length]!).flat(),
      );
      const table = RowTable.of({ rows, width })!;
      const asked = Float64Array.from([...Array(width).fill(7), ...all.flat()]).subarray(width);
      const places = placesIn(table, asked, all.length);
      const keys = all.map((row) => bitsOf(Float64Array.from(row)));
      const inTable = new Set(keys.slice(0, split));
      const placeOf = new Map<string, number>();
      places.forEach((place, i) => {
        assertEquals(!Number.isNaN(place), inTable.has(keys[i]!));
        if (Number.isNaN(place)) return;
        assert(place >= 0 && place < inTable.size);
        assertEquals(placeOf.get(keys[i]!) ?? place, place);
        placeOf.set(keys[i]!, place);
      });
      assertEquals(new Set(placeOf.values()).size, inTable.size);
      assertEquals(placesIn(table, asked, all.length - 1, 1), places.slice(1));
    }),
    { seed: 82, numRuns: 100 },
  );
});

// Mutants: no limit of rows, or another; rows seen once not counted, or any of them too many.
Deno.test("RowTable.of() takes rows where distinct ones are few and no others are likely", () => {
  const repeated = (kinds: number, n: number): number[] =>
    Array.from({ length: n }, (_, i) => i % kinds);
  const isTable = (rows: number[]): boolean =>
    RowTable.of({ rows: Float64Array.from(rows), width: 1 }) !== undefined;
  assert(isTable(repeated(64, 4096)));
  assert(!isTable(repeated(65, 4096)));
  assert(!isTable(repeated(3, 500)));
  // Eight rows and one that was seen once, then two.
  assert(isTable([...repeated(8, 2000), 100]));
  assert(!isTable([...repeated(8, 2000), 100, 101]));
});
