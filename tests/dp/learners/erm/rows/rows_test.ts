import { assert, assertEquals, assertThrows } from "@std/assert";
import { denseRows, type Rows, sparseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";

/** The rows as arrays, whatever the layout. */
function arrays(rows: Rows): number[][] {
  return Array.from({ length: rows.rowCount }, (_, i) => {
    const row = new Array(rows.columnCount).fill(0);
    if (rows.kind === "dense") {
      return Array.from(rows.values.subarray(i * row.length, (i + 1) * row.length));
    }
    for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
      row[rows.columns[k]!] = rows.values[k]!;
    }
    return row;
  });
}

Deno.test("denseRows() names the row and the column that are wrong, and no value", () => {
  assertThrows(
    () => denseRows([[1, 2], [3]]),
    RangeError,
    "row 2 must have 2 columns: current value is 1",
  );
  const error = assertThrows(() => denseRows([[1, 2], [3, NaN]]), RangeError, "row 2, column 2");
  assert(!error.message.includes("3"));
  assertThrows(() => denseRows([[1, Infinity]]), RangeError, "row 1, column 2");
  assertThrows(
    () => denseRows(Float64Array.of(1, NaN), { columnCount: 1 }),
    RangeError,
    "row 2, column 1",
  );
});

Deno.test("sparseRows() refuses arrays that do not fit together", () => {
  const right = {
    columnCount: 2,
    offsets: Int32Array.of(0, 1, 2),
    columns: Int32Array.of(0, 1),
    values: Float64Array.of(1, 1),
  };
  assertEquals(arrays(sparseRows(right)), [[1, 0], [0, 1]]);
  assertThrows(
    () => sparseRows({ ...right, offsets: Int32Array.of(0, 2), columns: Int32Array.of(1, 0) }),
    RangeError,
    "row 1",
  );
  assertThrows(() => sparseRows({ ...right, columns: Int32Array.of(0, 2) }), RangeError, "row 2");
  assertThrows(() => sparseRows({ ...right, offsets: Int32Array.of(0, 1) }), RangeError, "offsets");
  assertThrows(
    () => sparseRows({ ...right, values: Float64Array.of(1, NaN) }),
    RangeError,
    "row 2, column 2",
  );
});
