import { assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relation.ts";
import {
  datasetsOfDomain,
  neighboursAmong,
} from "../../../../lib/exact/enumeration/finite_domain.ts";

// Mutants: the largest value left out; short datasets, or long ones; a norm that bounds nothing; a field left out.
Deno.test("datasetsOfDomain() gives every dataset once", () => {
  const integers = { type: "integer", min: -1, max: 1 } as const;
  assertEquals(datasetsOfDomain({ rows: integers, size: { min: 1, max: 1 } }), [[-1], [0], [1]]);
  const all = datasetsOfDomain({ rows: { type: "boolean" }, size: { min: 0, max: 3 } });
  assertEquals(all.length, 1 + 2 + 4 + 8);
  assertEquals(new Set(all.map((data) => JSON.stringify(data))).size, 15);
  const disc = { type: "vector", length: 2, of: integers, norm: 1 } as const;
  assertEquals(datasetsOfDomain({ rows: disc, size: { min: 1, max: 1 } }).length, 5);
  const record = { type: "record", fields: { a: { type: "boolean" }, b: integers } } as const;
  assertEquals(
    datasetsOfDomain({ rows: record, size: { min: 1, max: 1 } })[5],
    [{ a: true, b: 1 }],
  );
  const point = { type: "number", min: 2, max: 2 } as const;
  assertEquals(datasetsOfDomain({ rows: point, size: { min: 2, max: 2 } }), [[2, 2]]);
});

Deno.test("datasetsOfDomain() refuses what has no end, or too many", () => {
  const size = { min: 1, max: 1 };
  assertThrows(
    () => datasetsOfDomain({ rows: { type: "number", min: 0, max: 1 }, size }),
    RangeError,
    "finitely many",
  );
  assertThrows(
    () => datasetsOfDomain({ rows: { type: "integer", min: 0, max: 1e6 }, size }),
    RangeError,
    "at most 2000",
  );
  assertThrows(
    () => datasetsOfDomain({ rows: { type: "boolean" }, size: { min: 11, max: 11 } }),
    RangeError,
    "at most 2000",
  );
});

// Mutants: a pair skipped; a dataset its own neighbour.
Deno.test("neighboursAmong() gives every pair once", () => {
  const datasets = datasetsOfDomain({ rows: { type: "boolean" }, size: { min: 0, max: 2 } });
  assertEquals(neighboursAmong(datasets, replaceOne).length, 1 + 4);
  assertEquals(neighboursAmong(datasets, addRemoveOne).length, 2 + 2 * 3);
  assertEquals(neighboursAmong(datasets, addRemoveOne)[0], [0, 1]);
});
