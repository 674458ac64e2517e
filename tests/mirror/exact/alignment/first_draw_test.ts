import { assertEquals } from "@std/assert";
import { exampleDataset } from "../../../../lib/exact/alignment/first_draw.ts";

Deno.test("exampleDataset() has as many rows as a domain allows", () => {
  const rows = {
    type: "record",
    fields: {
      a: { type: "vector", length: 2, of: { type: "number", min: 1, max: 2 } },
      b: { type: "boolean" },
    },
  } as const;
  assertEquals(exampleDataset({ rows, size: { min: 0, max: 2 } }), [
    { a: [1, 1], b: false },
    { a: [1, 1], b: false },
  ]);
  assertEquals(
    exampleDataset({ rows: { type: "category", values: ["x", "y"] }, size: { min: 1, max: 1 } }),
    ["x"],
  );
});
