import { assertEquals, assertThrows } from "@std/assert";
import {
  readColumnDescription,
  readFeatureDescription,
} from "../../../../../lib/dp/learners/erm/files/read_column_description.ts";
import { encodeTable } from "../../../../../lib/dp/learners/erm/files/column_encoder.ts";
import { readFeatureLines } from "../../../../../lib/dp/learners/erm/files/feature_lines.ts";

Deno.test("readFeatureLines() reads labels, indices from 1 and values, without comments and zeros", () => {
  const lines = ["+1 1:0.5 3:-2e-3 # the first", "-1", "  2.0\t2:0 4:7  "];
  const { rows, labels } = readFeatureLines(lines, { features: 4 });
  assertEquals(labels, ["+1", "-1", "2.0"]);
  assertEquals([rows.rowCount, rows.columnCount], [3, 4]);
  assertEquals([...rows.offsets], [0, 2, 2, 3]);
  assertEquals([...rows.columns], [0, 2, 3]);
  assertEquals([...rows.values], [0.5, -0.002, 7]);
});

// Mutants: an entry that is wrong ends the line; an index that does not rise replaces the one before; a line refused.
Deno.test("readFeatureLines() makes a row of every line, and leaves out entries that are none", () => {
  const lines: readonly (readonly [line: string, label: string, entries: [number, number][]])[] = [
    ["", "", []],
    ["# only a comment", "", []],
    ["1:0.5", "", [[0, 0.5]]],
    ["1 0:99 2:1", "1", [[1, 1]]],
    ["1 5:99", "1", []],
    ["1 2:1 2:99", "1", [[1, 1]]],
    ["1 3:1 2:99 4:2", "1", [[2, 1], [3, 2]]],
    ["1 1.5:99 2:1", "1", [[1, 1]]],
    ["1 :99", "1", []],
    ["1 1: 2:1", "1", [[1, 1]]],
    ["1 1:1e999 2:NaN 3:-Infinity", "1", []],
    ["1 99 x 4:1", "1", [[3, 1]]],
    ['"\0 __proto__:1 1:1', '"\0', [[0, 1]]],
  ];
  const { rows, labels } = readFeatureLines(lines.map(([line]) => line), { features: 4 });
  assertEquals(labels, lines.map(([, label]) => label));
  lines.forEach(([line, , entries], i) => {
    const [from, to] = [rows.offsets[i]!, rows.offsets[i + 1]!];
    const read = Array.from({ length: to - from }, (_, k) => [
      rows.columns[from + k]!,
      rows.values[from + k]!,
    ]);
    assertEquals(read, entries, line);
  });
});

Deno.test("readFeatureDescription() takes a whole number of features and classes", () => {
  const label = { name: "y", classes: ["-1", "+1"] };
  assertEquals(readFeatureDescription({ features: 100_000, label }), { features: 100_000, label });
  for (const wrong of [{}, { features: 0 }, { features: 1.5 }, { features: 2, columns: [] }]) {
    assertThrows(
      () => readFeatureDescription(wrong),
      TypeError,
      "Cannot read the column description",
    );
  }
});

// Mutants: missing taken for unseen; a rule of one column used for another; the number not held to its bounds.
Deno.test("encodeTable() takes what is missing or unseen as declared, and as no feature where nothing is declared", () => {
  const description = readColumnDescription({
    columns: [
      { name: "age", type: "number", min: 0, max: 100, missing: 40 },
      { name: "height", type: "number", min: 0, max: 2 },
      {
        name: "pet",
        type: "category",
        values: ["cat", "none", "other"],
        missing: "none",
        unseen: "other",
      },
      { name: "sex", type: "category", values: ["f", "m"] },
    ],
  });
  const names = ["age", "height", "pet", "sex"];
  const features = (row: readonly unknown[]): number[] => {
    const { columns, values } = encodeTable({ names, rows: [row] }, description);
    const all = new Array<number>(7).fill(0);
    columns.forEach((column, k) => all[column] = values[k]!);
    return all;
  };
  assertEquals(features(["", 1, "", "f"]), [0.4, 0.5, 0, 1, 0, 1, 0]);
  assertEquals(features([null, 1, undefined, "m"]), [0.4, 0.5, 0, 1, 0, 0, 1]);
  assertEquals(features([50, 1, "dragon", "m"]), [0.5, 0.5, 0, 0, 1, 0, 1]);
  assertEquals(features(["?", 1, "cat", "f"]), [0.4, 0.5, 1, 0, 0, 1, 0]);
  assertEquals(features([1, " ", "cat", "f"]), [0.01, 0, 1, 0, 0, 1, 0]);
  assertEquals(features([1, 1, "cat", ""]), [0.01, 0.5, 1, 0, 0, 0, 0]);
  assertEquals(features([1, 1, "cat", "x"]), [0.01, 0.5, 1, 0, 0, 0, 0]);
  for (const rule of [{ missing: "dog" }, { unseen: "dog" }]) {
    const column = { name: "pet", type: "category", values: ["cat"], ...rule };
    assertThrows(
      () => readColumnDescription({ columns: [column] }),
      TypeError,
      "must have missing and unseen among its values",
    );
  }
});
