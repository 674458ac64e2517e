import { assertEquals, assertThrows } from "@std/assert";
import { type Labels, readLabels } from "../../../../lib/learners/erm/read_labels.ts";

const classes = ["a", "b", "c"];

function refuses(labels: Labels, options: Parameters<typeof readLabels>[1], message: string): void {
  assertThrows(() => readLabels(labels, options), RangeError, message);
}

// Mutants: a label of the class before or after, a row too few.
Deno.test("readLabels() is the place of every label among the classes", () => {
  assertEquals([...readLabels(["b", "a", "c", "c"], { classes, rowCount: 4 })], [1, 0, 2, 2]);
  for (const indices of [Uint8Array.of(2, 0, 1), Int32Array.of(2, 0, 1)]) {
    assertEquals(readLabels({ indices }, { classes, rowCount: 3 }), indices);
  }
  assertEquals([...readLabels([], { classes: [1, 2], rowCount: 0 })], []);
});

// Mutants: each guard left out, an end of the classes moved.
Deno.test("readLabels() refuses classes that repeat or are one, labels that are not one a row, and what is no class", () => {
  refuses(["a"], { classes: ["a"], rowCount: 1 }, "classes must be at least two");
  refuses(["a"], { classes: ["a", "b", "a"], rowCount: 1 }, "all different");
  refuses(["a"], { classes, rowCount: 2 }, "current values are 1 labels, 2 rows");
  refuses({ indices: Uint8Array.of(0, 1) }, { classes, rowCount: 1 }, "are 2 labels, 1 rows");
  refuses(["a", "d"], { classes, rowCount: 2 }, "that of row 2 is not");
  refuses({ indices: Uint8Array.of(0, 2, 3) }, { classes, rowCount: 3 }, "that of row 3 is not");
  refuses({ indices: Int32Array.of(-1, 0) }, { classes, rowCount: 2 }, "that of row 1 is not");
  refuses({ indices: [0, 1] as never }, { classes, rowCount: 2 }, "a Uint8Array or an Int32Array");
});
