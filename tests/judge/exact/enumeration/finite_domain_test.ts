import { assertEquals, assertThrows } from "@std/assert";
import type { RowSpec } from "../../../../lib/core/relations/dataset.ts";
import { datasetsOfDomain } from "../../../../lib/judge/exact/enumeration/finite_domain.ts";

// Mutants: a limit elsewhere, a count without one of its factors or without the datasets before it, rows that are made before they are counted.
Deno.test("datasetsOfDomain() refuses more rows or datasets than it may make, before it makes them", () => {
  const integers = (count: number): RowSpec => ({ type: "integer", min: 1, max: count });
  const vectors = (count: number): RowSpec => ({ type: "vector", length: 2, of: integers(count) });
  const records = (first: number, other: number): RowSpec => ({
    type: "record",
    fields: { a: integers(first), b: integers(other) },
  });
  const none = { min: 0, max: 0 }, limit = { most: 2000 };
  for (
    const [rows, count] of [
      [integers(2001), 2001],
      [vectors(45), 2025],
      [records(3, 667), 2001],
      [records(667, 3), 2001],
    ] as const
  ) {
    assertThrows(
      () => datasetsOfDomain({ rows, size: none }, limit),
      RangeError,
      `at most 2000: current number is ${count} or more`,
    );
  }
  for (const rows of [integers(2000), vectors(44), records(4, 500), records(500, 4)]) {
    assertEquals(datasetsOfDomain({ rows, size: none }, limit), [[]]);
  }
  // The empty dataset is one of them.
  assertEquals(
    datasetsOfDomain({ rows: integers(1999), size: { min: 0, max: 1 } }, limit).length,
    2000,
  );
  assertThrows(
    () => datasetsOfDomain({ rows: integers(2000), size: { min: 0, max: 1 } }, limit),
    RangeError,
    "current number is 2001",
  );
});

Deno.test("datasetsOfDomain() has null where rows may be missing, NaN and infinities of one number, and refuses texts", () => {
  const size = { min: 1, max: 1 };
  const bit: RowSpec = { type: "boolean", missing: true };
  assertEquals(datasetsOfDomain({ rows: bit, size }), [[false], [true], [null]]);
  assertEquals(
    datasetsOfDomain({ rows: { type: "record", fields: { bit } }, size }),
    [[{ bit: false }], [{ bit: true }], [{ bit: null }]],
  );
  const number = { type: "number", min: 2, max: 2, nan: true, infinite: true } as const;
  assertEquals(datasetsOfDomain({ rows: number, size }), [[2], [NaN], [Infinity], [-Infinity]]);
  const text = { type: "text", length: "0..1", values: ["a"] } as const;
  assertThrows(() => datasetsOfDomain({ rows: text, size }), RangeError, "current type is text");
  assertEquals(datasetsOfDomain({ rows: { type: "text", length: "0" }, size }), [[""]]);
});
