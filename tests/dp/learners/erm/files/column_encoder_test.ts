import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  type ColumnDescription,
  featureCount,
} from "../../../../../lib/dp/learners/erm/files/column_description.ts";
import { readColumnDescription } from "../../../../../lib/dp/learners/erm/files/read_column_description.ts";
import {
  encodeTable,
  readLabelColumn,
} from "../../../../../lib/dp/learners/erm/files/column_encoder.ts";

const DESCRIPTION = readColumnDescription({
  columns: [
    { name: "age", type: "number", min: 20, max: 60 },
    { name: "colour", type: "category", values: ["red", "green", "blue"] },
    { name: "income", type: "number", min: 1, max: 8, scale: "log" },
    { name: "size", type: "category", values: ["s", "l"] },
  ],
});
const names = ["size", "unused", "income", "colour", "age"];

/** The features of one row of a table, zeros included. */
function features(row: readonly unknown[], description: ColumnDescription = DESCRIPTION): number[] {
  const { columnCount, columns, values } = encodeTable({ names, rows: [row] }, description);
  const all = new Array<number>(columnCount).fill(0);
  columns.forEach((column, k) => all[column] = values[k]!);
  return all;
}

Deno.test("encodeTable() scales numbers from their bounds to [0, 1], and gives a one to a category", () => {
  assertEquals(featureCount(DESCRIPTION), 7);
  assertEquals(features(["l", "?", 1, "green", 30]), [0.25, 0, 1, 0, 0, 0, 1]);
  assertEquals(features(["s", "?", 8, "red", 60]), [1, 1, 0, 0, 1, 1, 0]);
  // Beyond the bounds numbers are held to them.
  assertEquals(features(["s", "?", 1e9, "blue", 1e9]), [1, 0, 0, 1, 1, 1, 0]);
  assertEquals(features(["s", "?", -5, "blue", -1e9]), [0, 0, 0, 1, 0, 1, 0]);
  // ln(1 + 3 − 1)/ln(1 + 8 − 1) and text that is a number.
  assertAlmostEquals(
    features(["s", "?", " 3 ", "blue", "20"])[4]!,
    Math.log(3) / Math.log(8),
    1e-15,
  );
});

Deno.test("encodeTable() stores what is not zero, row by row", () => {
  const { offsets, columns, values } = encodeTable({
    names,
    rows: [["s", 0, 1, "red", 20], ["l", 0, 8, "blue", 40]],
  }, DESCRIPTION);
  assertEquals([...offsets], [0, 2, 6]);
  assertEquals([...columns], [1, 5, 0, 3, 4, 6]);
  assertEquals([...values], [1, 1, 0.5, 1, 1, 1]);
});

// Mutants: a row refused; a cell that lets its neighbours in the row slip; an infinity taken for missing.
Deno.test("encodeTable() and readLabelColumn() take rows as they are: what is missing or not declared is no feature, and the first class", () => {
  for (const missing of [undefined, null, "", "  ", new Date(0), [1], { a: 1 }]) {
    assertEquals(features([missing, 0, 1, "red", 40]), [0.5, 1, 0, 0, 0, 0, 0]);
    assertEquals(features(["s", 0, 8, "red", missing]), [0, 1, 0, 0, 1, 1, 0]);
  }
  assertEquals(features(["s", 0, 8, "mauve", "forty"]), [0, 0, 0, 0, 1, 1, 0]);
  assertEquals(features(["s", 0, "-Infinity", "red", "Infinity"]), [1, 1, 0, 0, 0, 1, 0]);
  assertEquals(features([]), [0, 0, 0, 0, 0, 0, 0]);
  assertThrows(
    () => encodeTable({ names: ["age"], rows: [] }, DESCRIPTION),
    RangeError,
    "must have a column colour",
  );
  const classes = ["no", "yes"];
  const rows = [["no"], [" yes "], ["maybe"], [""], [], [{}]];
  assertEquals(
    readLabelColumn({ names: ["buys"], rows }, { name: "buys", classes }),
    ["no", "yes", "no", "no", "no", "no"],
  );
});

Deno.test("readColumnDescription() refuses bounds that are no interval of finite width", () => {
  const describe = (min: number, max: number): ColumnDescription =>
    readColumnDescription({ columns: [{ name: "x", type: "number", min, max }] });
  for (const [min, max] of [[0, 0], [1, 0], [-1e308, 1e308], [NaN, 1], [0, Infinity]]) {
    assertThrows(() => describe(min!, max!), TypeError);
  }
  for (const [min, max] of [[-1, 1], [-1e307, 1e308], [1e308, 1.1e308], [0, 5e-324]]) {
    assertEquals(describe(min!, max!).columns.length, 1);
  }
  const twice = { name: "x", type: "number", min: 0, max: 1 };
  assertThrows(() => readColumnDescription({ columns: [twice, twice] }), TypeError, "different");
  assertThrows(() => readColumnDescription({ columns: [] }), TypeError, "columns");
});

Deno.test("readColumnDescription() takes names, values and classes of one letter or one value, and refuses none", () => {
  const number = { name: "a", type: "number", min: 0, max: 1 } as const;
  const category = { name: "b", type: "category", values: ["x"] } as const;
  const label = { name: "c", classes: ["0", "1"] };
  readColumnDescription({ columns: [number, category], label });
  readColumnDescription({ columns: [number] });
  const refused = [
    { columns: [] },
    { columns: [{ ...number, name: "" }] },
    { columns: [{ ...category, name: "" }] },
    { columns: [{ ...category, values: [] }] },
    { columns: [number], label: { ...label, name: "" } },
    { columns: [number], label: { ...label, classes: ["0"] } },
  ];
  for (const description of refused) {
    assertThrows(() => readColumnDescription(description));
  }
});
