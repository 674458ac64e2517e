import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { fewDatasets } from "../../../../lib/audit/search/few_datasets.ts";
import type { Domain, RowSpec } from "../../../../lib/core/dataset.ts";
import { isRowOf, rowSpec } from "../row_specs.ts";

const once: Domain["size"] = { min: 1, max: 1 };
const rowsOf = (rows: RowSpec, most = 100): unknown[] | undefined =>
  fewDatasets({ rows, size: once }, most)?.map(([row]) => row);

Deno.test("fewDatasets() lists all rows of each kind of specification", () => {
  assertEquals(rowsOf({ type: "boolean" }), [false, true]);
  assertEquals(rowsOf({ type: "integer", min: -1, max: 2 }), [-1, 0, 1, 2]);
  assertEquals(rowsOf({ type: "integer", min: 0.5, max: 2.5 }), [1, 2]);
  assertEquals(rowsOf({ type: "category", values: ["a", null, 3] }), ["a", null, 3]);
  assertEquals(rowsOf({ type: "number", min: 0, max: 0 }), undefined);
  const bits: RowSpec = { type: "vector", length: 2, of: { type: "boolean" } };
  assertEquals(rowsOf(bits), [[false, false], [false, true], [true, false], [true, true]]);
  const trits: RowSpec = {
    type: "vector",
    length: 2,
    of: { type: "integer", min: -1, max: 1 },
    norm: 1,
  };
  assertEquals(rowsOf(trits), [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]]);
  const fields = { a: { type: "boolean" }, b: { type: "category", values: [1] } } as const;
  assertEquals(rowsOf({ type: "record", fields }), [{ a: false, b: 1 }, { a: true, b: 1 }]);
  const mixed: RowSpec = { type: "record", fields: { a: { type: "number", min: 0, max: 1 } } };
  assertEquals(rowsOf(mixed), undefined);
});

Deno.test("fewDatasets() gives undefined when there are more than asked for", () => {
  const count = (size: Domain["size"], most: number): number | undefined =>
    fewDatasets({ rows: { type: "boolean" }, size }, most)?.length;
  assertEquals(count({ min: 0, max: 4 }, 31), 31);
  assertEquals(count({ min: 0, max: 4 }, 30), undefined);
  assertEquals(count({ min: 4, max: 4 }, 16), 16);
  assertEquals(count({ min: 0, max: Infinity }, 1000), undefined);
  const one: RowSpec = { type: "category", values: ["a"] };
  assertEquals(fewDatasets({ rows: one, size: { min: 0, max: 2 } }, 9), [[], ["a"], ["a", "a"]]);
  assertEquals(fewDatasets({ rows: one, size: { min: 0, max: Infinity } }, 9), undefined);
  // No row at all: only the empty dataset, however long the others might be.
  const none: RowSpec = { type: "category", values: [] };
  assertEquals(fewDatasets({ rows: none, size: { min: 0, max: Infinity } }, 9), [[]]);
});

Deno.test("fewDatasets() lists different datasets of the domain, as many as rows allow", () => {
  fc.assert(
    fc.property(rowSpec, fc.nat(2), fc.nat(2), (rows, min, more) => {
      const domain = { rows, size: { min, max: min + more } };
      const all = fewDatasets(domain, 200);
      if (all === undefined) return;
      assertEquals(new Set(all.map((data) => JSON.stringify(data))).size, all.length);
      const values = fewDatasets({ rows, size: once }, 1000)!.length;
      let count = 0;
      for (let length = min; length <= min + more; length++) count += values ** length;
      assertEquals(all.length, count);
      for (const data of all) {
        assert(data.length >= min && data.length <= min + more);
        assert(data.every((row) => isRowOf(rows, row)));
      }
    }),
  );
});
