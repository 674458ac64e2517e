import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  cornerRows,
  isRow,
  pick,
  pickIndex,
  randomRow,
} from "../../../../lib/audit/search/row_values.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { isRowOf, rowSpec } from "../row_specs.ts";

Deno.test("cornerRows() and randomRow() give rows that the specification allows", () => {
  fc.assert(
    fc.property(rowSpec, fc.nat(1000), (spec, seed) => {
      const source = new SeededSource(seed);
      const rows = [
        ...cornerRows(spec),
        ...Array.from({ length: 5 }, () => randomRow(spec, source)),
      ];
      for (const row of rows) {
        assert(isRowOf(spec, row), `${JSON.stringify(row)} of ${JSON.stringify(spec)}`);
        assert(isRow(spec, row));
      }
    }),
    { seed: 33, numRuns: 500 },
  );
});

Deno.test("isRow() refuses what the specification does not allow", () => {
  const number = { type: "number", min: 0, max: 1 } as const;
  for (const row of [1.1, -0.1, NaN, Infinity, "1", null, [0]]) assert(!isRow(number, row));
  assert(!isRow({ ...number, type: "integer" }, 0.5));
  assert(!isRow({ type: "boolean" }, 0));
  assert(!isRow({ type: "category", values: ["a"] }, "b"));
  const vector = { type: "vector", length: 2, of: number, norm: 1 } as const;
  assert(isRow(vector, [0.6, 0.8]));
  for (const row of [[0.7, 0.8], [0.5], [0.5, "x"], "ab"]) assert(!isRow(vector, row));
  const record = { type: "record", fields: { a: number } } as const;
  assert(isRow(record, { a: 0.5 }));
  for (const row of [{}, { a: 2 }, null, 3]) assert(!isRow(record, row));
});

Deno.test("cornerRows() holds both bounds, and each value once", () => {
  const corners = cornerRows({ type: "number", min: -2, max: 7 });
  for (const bound of [-2, 7, 0]) assert(corners.includes(bound));
  assertEquals(new Set(corners).size, corners.length);
});

Deno.test("pick() and pickIndex() stay in range at both ends of the source", () => {
  for (const uniform of [2 ** -54, 0.5, 1 - 2 ** -53]) {
    const source = { ...new SeededSource(1), uniform: () => uniform } as unknown as SeededSource;
    for (const n of [1, 2, 3, 1000]) {
      assert(pickIndex(source, n) >= 0 && pickIndex(source, n) < n);
    }
    assert(pick(source, ["a", "b"]) !== undefined);
  }
});
