import { assert, assertEquals } from "@std/assert";
import { valuePatterns, valueRows } from "../../../../lib/audit/search/value_patterns.ts";
import { isRow } from "../../../../lib/audit/search/row_values.ts";
import type { RowSpec } from "../../../../lib/core/dataset.ts";

// Mutants: in their order; without the centre; only the first field of a record.
Deno.test("valueRows() begin with the centre, with empty values and with the last of many", () => {
  const rowsOf = (spec: RowSpec): unknown[] => valueRows(spec);
  assertEquals(rowsOf({ type: "number", min: -4, max: 10 }), [3, -1, 1, 0]);
  assertEquals(rowsOf({ type: "boolean" }), []);
  const category: RowSpec = { type: "category", values: ["a", "b", "c", null, "d", ""] };
  assertEquals(rowsOf(category), [null, "", "d", "c"]);
  const box: RowSpec = { type: "vector", length: 2, of: { type: "number", min: 0, max: 4 } };
  assertEquals(rowsOf(box), [[2, 2], [1, 1]]);
  const [long] = rowsOf({ ...box, norm: 1 }) as number[][];
  assert(Math.abs(Math.hypot(...long!) - 1) < 1e-12);
  assertEquals(
    rowsOf({ type: "record", fields: { x: { type: "number", min: 0, max: 4 }, y: category } }),
    [
      { x: 2, y: "a" },
      { x: 0, y: null },
      { x: 1, y: "a" },
      { x: 0, y: "" },
      { x: 0, y: "d" },
      { x: 0, y: "c" },
    ],
  );
});

// Mutants: rows of one value alone; never beside a row that is replaced.
Deno.test("valuePatterns() are of rows that the domain allows, replaced, beside and added", () => {
  const rows: RowSpec = { type: "category", values: ["a", "b", "c"] };
  assertEquals(valuePatterns({ rows, size: { min: 0, max: 5 } }), [
    [["c", "a"], ["b", "a"]],
    [["a", "c"], ["b", "c"]],
    [["c", "a"], ["a"]],
  ]);
  assertEquals(valuePatterns({ rows, size: { min: 0, max: 1 } })[2], [["c"], []]);
  assertEquals(valuePatterns({ rows, size: { min: 3, max: 4 } })[0], [["c", "a", "a"], [
    "b",
    "a",
    "a",
  ]]);
  const many: RowSpec = { type: "category", values: Array.from({ length: 100 }, (_, k) => k) };
  const patterns = valuePatterns({ rows: many, size: { min: 1, max: 4 } });
  assertEquals(patterns.length, 48);
  for (const data of patterns.flat()) assert(data.every((row) => isRow(many, row)));
});
