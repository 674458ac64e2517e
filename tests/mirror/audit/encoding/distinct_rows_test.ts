import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { DistinctRows } from "../../../../lib/audit/encoding/distinct_rows.ts";

/** How often each row occurs, by the text of its bits. */
function tally(
  rows: Float64Array,
  width: number,
  weights?: Float64Array,
): Map<string, number> {
  const found = new Map<string, number>();
  for (let i = 0; i * width < rows.length; i++) {
    const bits = new BigUint64Array(rows.slice(i * width, (i + 1) * width).buffer).join(" ");
    const weight = weights?.[i] ?? 1;
    if (weight > 0) found.set(bits, (found.get(bits) ?? 0) + weight);
  }
  return found;
}

const value = fc.constantFrom(0, -0, 1, 2, 0.1, NaN, Infinity, -1e300, 5e-324, 1 + 2 ** -52);

// Mutants: rows compared by their hashes alone, by a part of their words; weights of the block before kept.
Deno.test("DistinctRows.of() counts every row as often as it occurs, block after block", () => {
  const rows = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      kinds: fc.array(fc.array(value, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 40,
      }),
      picks: fc.array(fc.array(fc.nat(), { minLength: 1024, maxLength: 1100 }), {
        minLength: 1,
        maxLength: 3,
      }),
    })
  );
  fc.assert(
    fc.property(rows, ({ width, kinds, picks }) => {
      const distinct = new DistinctRows(width);
      for (const block of picks) {
        const all = Float64Array.from(block.flatMap((pick) => kinds[pick % kinds.length]!));
        const found = distinct.of(all)!;
        assertEquals(tally(found.rows, width, found.weights), tally(all, width));
      }
    }),
    { seed: 81, numRuns: 40 },
  );
});

Deno.test("DistinctRows.of() reads blocks that begin inside a buffer", () => {
  const buffer = Float64Array.from({ length: 4100 }, (_, i) => i % 7);
  const rows = buffer.subarray(3, 3 + 2 * 2048);
  const found = new DistinctRows(2).of(rows)!;
  assertEquals(tally(found.rows, 2, found.weights), tally(rows, 2));
});

// Mutant: rows compared by their hashes alone.
Deno.test("DistinctRows.of() separates rows of one slot of the table", () => {
  // Of 1500 rows in 16,384 places about 68 pairs meet.
  const all = Float64Array.from(
    { length: 2 * 16_384 },
    (_, at) => at % 2 === 0 ? Math.sqrt((at >> 1) % 1500) : 0.5,
  );
  const found = new DistinctRows(2).of(all)!;
  assertEquals(found.weights.length, 1500);
  assertEquals(tally(found.rows, 2, found.weights), tally(all, 2));
});

// Mutants: no skipped blocks (a table without end); no further try; rows kept from before the skipped blocks.
Deno.test("DistinctRows.of() skips blocks after one of distinct rows and tries again later", () => {
  const distinct = new DistinctRows(1);
  const all = Float64Array.from({ length: 2048 }, (_, i) => i);
  const few = Float64Array.from({ length: 2048 }, (_, i) => i % 3);
  const others = Float64Array.from({ length: 2048 }, (_, i) => 10 + i % 5);
  assertEquals(distinct.of(others)!.rows.length, 5);
  assertEquals(distinct.of(all), undefined);
  assertEquals(distinct.of(few), undefined);
  const found = distinct.of(few)!;
  assertEquals(tally(found.rows, 1, found.weights), tally(few, 1));
  assert(found.rows.length === 3, "the rows of the block that was given up are forgotten");
  assertEquals(new DistinctRows(1).of(few.subarray(0, 1023)), undefined);
});
