import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  readColumnDescription,
  readFeatureDescription,
} from "../../../../lib/learners/erm/column_description.ts";
import { encodeTable } from "../../../../lib/learners/erm/column_encoder.ts";
import { readFeatureLines } from "../../../../lib/learners/erm/feature_lines.ts";

Deno.test("readFeatureLines() reads labels, indices from 1 and values, without comments and zeros", () => {
  const lines = ["+1 1:0.5 3:-2e-3 # the first", "-1", "  2.0\t2:0 4:7  "];
  const { rows, labels } = readFeatureLines(lines, { features: 4 });
  assertEquals(labels, ["+1", "-1", "2.0"]);
  assertEquals([rows.rowCount, rows.columnCount], [3, 4]);
  assertEquals([...rows.offsets], [0, 2, 2, 3]);
  assertEquals([...rows.columns], [0, 2, 3]);
  assertEquals([...rows.values], [0.5, -0.002, 7]);
});

Deno.test("readFeatureLines() refuses what is no row, by its number and without its values", () => {
  for (
    const [line, rule] of [
      ["", "must begin with a label"],
      ["# only a comment", "must begin with a label"],
      ["1:0.5", "must begin with a label"],
      ["1 0:99", "must have indices that rise from 1 to 4"],
      ["1 5:99", "must have indices that rise from 1 to 4"],
      ["1 2:1 2:99", "must have indices that rise"],
      ["1 3:1 2:99", "must have indices that rise"],
      ["1 1.5:99", "a whole index and a finite value"],
      ["1 :99", "a whole index and a finite value"],
      ["1 1:", "a whole index and a finite value"],
      ["1 1:1e999", "a whole index and a finite value"],
      ["1 2:1 :99", "a whole index and a finite value"],
      ["1 99", "a whole index and a finite value"],
    ] as const
  ) {
    const { message } = assertThrows(
      () => readFeatureLines(["1 1:1", line], { features: 4 }, { first: 10 }),
      RangeError,
      rule,
    );
    assert(message.includes("row 12 ") && !message.includes("99"), message);
  }
});

Deno.test("readFeatureLines() counts rows from 1 where no other place is given", () => {
  assertThrows(() => readFeatureLines([""], { features: 4 }), RangeError, "row 1 ");
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
Deno.test("encodeTable() takes what is missing or unseen as declared, and refuses it where nothing is declared", () => {
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
  for (
    const [row, message] of [
      [["?", 1, "cat", "f"], "row 8, column age: the value must be a finite number"],
      [[1, " ", "cat", "f"], "row 8, column height: the value must not be missing"],
      [[1, 1, "cat", ""], "row 8, column sex: the value must not be missing"],
      [[1, 1, "cat", "x"], "row 8, column sex: the value must be one of the declared values"],
    ] as const
  ) {
    assertThrows(
      () => encodeTable({ names, rows: [row] }, description, { first: 7 }),
      RangeError,
      message,
    );
  }
  for (const rule of [{ missing: "dog" }, { unseen: "dog" }]) {
    const column = { name: "pet", type: "category", values: ["cat"], ...rule };
    assertThrows(
      () => readColumnDescription({ columns: [column] }),
      TypeError,
      "missing and unseen must be among the values",
    );
  }
});
