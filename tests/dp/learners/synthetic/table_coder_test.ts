import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { readColumnDescription } from "../../../../lib/dp/learners/erm/files/read_column_description.ts";
import { tableCoder } from "../../../../lib/dp/learners/synthetic/table_coder.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const numbers = fc.record({
  min: fc.integer({ min: -50, max: 50 }).map((n) => n / 2),
  width: fc.integer({ min: 2, max: 5000 }).map((n) => n / 2),
  scale: fc.constantFrom("linear", "log"),
  whole: fc.boolean(),
  bins: fc.integer({ min: 1, max: 40 }),
  cuts: fc.option(
    fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 8 })
      .map((cuts) => cuts.sort((a, b) => a - b)),
    { nil: undefined },
  ),
  values: fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }), {
    minLength: 1,
    maxLength: 20,
  }),
  seed: fc.nat(),
});

Deno.test("tableCoder() draws numbers of a bin within it, its bounds and, where declared, whole", () => {
  fc.assert(
    fc.property(numbers, ({ min, width, scale, whole, bins, cuts, values, seed }) => {
      const max = min + width, source = new SeededSource(seed);
      const edges = cuts?.map((cut) => min + width * cut / 100);
      const coder = tableCoder(
        readColumnDescription({
          columns: [{ name: "x", type: "number", min, max, scale, whole, ...(edges && { edges }) }],
        }),
        { bins },
      );
      assert(coder.shape[0]! >= 1 && coder.shape[0]! <= (edges ? edges.length + 1 : bins));
      const codes = coder.encode({ names: ["x"], rows: values.map((value) => [value]) });
      assertEquals(codes.length, values.length);
      // In the order of the numbers, those beyond a bound with the bound.
      const ascending = coder.encode({
        names: ["x"],
        rows: values.toSorted((a, b) => a - b).map((value) => [String(value)]),
      }).map(([code]) => code!);
      assertEquals(ascending, ascending.toSorted((a, b) => a - b));
      const { rows } = coder.decode(codes, source);
      for (const [value] of rows as number[][]) {
        assert(value! >= min && value! <= max && (!whole || Number.isInteger(value)));
      }
      assertEquals(coder.encode({ names: ["x"], rows }), codes);
    }),
    { numRuns: 300, seed: 51 },
  );
});

const DESCRIPTION = readColumnDescription({
  columns: [
    { name: "age", type: "number", min: 0, max: 99 },
    {
      name: "job",
      type: "category",
      values: ["a", "b", "other"],
      missing: "other",
      unseen: "other",
    },
    { name: "sex", type: "category", values: ["f", "m"] },
  ],
  label: { name: "buys", classes: ["no", "yes"] },
});

Deno.test("tableCoder() leaves out rows with cells that stand for nothing, and no other", () => {
  const names = ["buys", "id", "sex", "job", "age"];
  const rows = [
    ["yes", "1", "m", " a ", "50"],
    ["no", "2", "f", "zzz", 99],
    ["no", "3", "f", "", -1],
    ["no", "4", "x", "a", 5],
    ["", "5", "f", "a", 5],
    ["no", "6", "f", "a", "old"],
    ["no", "7", "f", "a", null],
  ];
  assertEquals(tableCoder(DESCRIPTION, { bins: 2 }).encode({ names, rows }), [
    [1, 0, 1, 1],
    [1, 2, 0, 0],
    [0, 2, 0, 0],
  ]);
  assertThrows(
    () => tableCoder(DESCRIPTION).encode({ names: ["age"], rows: [] }),
    RangeError,
    "it must have a column job",
  );
  assertThrows(() => tableCoder(DESCRIPTION, { bins: 0 }), RangeError, "bins must be an integer");
});

Deno.test("readColumnDescription() refuses edges that do not ascend between the bounds, and whole numbers where there are none", () => {
  const column = { name: "x", type: "number", min: 0.2, max: 0.8 };
  for (const more of [{ edges: [0.2] }, { edges: [0.5, 0.4] }, { edges: [0.8] }, { whole: true }]) {
    assertThrows(() => readColumnDescription({ columns: [{ ...column, ...more }] }), TypeError);
  }
});
