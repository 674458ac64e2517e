import { assert, assertEquals, assertThrows } from "@std/assert";
import { checkedRows } from "../../../../lib/learners/erm/checked_rows.ts";
import { denseRows, type Rows, sparseRows } from "../../../../lib/learners/erm/rows.ts";

const dense = denseRows([[1, 2], [3, 4]]);
const sparse = sparseRows({
  columnCount: 3,
  offsets: Int32Array.of(0, 1, 3),
  columns: Int32Array.of(2, 0, 1),
  values: Float64Array.of(5, 6, 7),
});

Deno.test("checkedRows() gives back rows that are what they say, frozen", () => {
  for (const rows of [dense, sparse, { ...dense }, { ...sparse }]) {
    const checked = checkedRows(rows);
    assertEquals(checked, rows);
    assert(Object.isFrozen(checked));
  }
  for (const [rowCount, columnCount] of [[0, 0], [0, 5], [3, 0]] as const) {
    const empty = { kind: "dense", rowCount, columnCount, values: new Float64Array(0) } as const;
    const checked = checkedRows(empty);
    assertEquals([checked.rowCount, checked.columnCount], [rowCount, columnCount]);
    assert(Object.isFrozen(checked));
  }
});

Deno.test("checkedRows() refuses every field that is not what it says, by its name", () => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ ...dense, rowCount: -1, columnCount: -2 }, "rowCount"],
    [{ ...dense, rowCount: 1.5 }, "rowCount"],
    [{ ...dense, rowCount: "2" }, "rowCount"],
    [{ ...dense, columnCount: -2, rowCount: 0 }, "columnCount"],
    [{ ...dense, columnCount: NaN }, "columnCount"],
    [{ ...dense, values: [1, 2, 3, 4] }, "values must be of type Float64Array"],
    [{ ...dense, values: Float64Array.of(1, 2, 3) }, "number of values"],
    [{ ...dense, values: Float64Array.of(1, 2, 3, 4, 5) }, "number of values"],
    [{ kind: "dense", rowCount: 1, columnCount: 1, values: Float64Array.of(NaN) }, "row 1"],
    [
      { ...dense, kind: "other" },
      'kind must be "dense", "sparse" or "blocks": current value is other',
    ],
    [{ ...sparse, kind: undefined }, "kind"],
    [{ ...sparse, rowCount: -1 }, "rowCount"],
    [{ ...sparse, columnCount: 1.5 }, "columnCount"],
    [{ ...sparse, offsets: [0, 1, 3] }, "offsets must be of type Int32Array"],
    [{ ...sparse, columns: Float64Array.of(2, 0, 1) }, "columns must be of type Int32Array"],
    [{ ...sparse, offsets: Int32Array.of(0, 3) }, "number of offsets"],
    [{ ...sparse, rowCount: 1 }, "number of offsets"],
    [{ ...sparse, rowCount: 3 }, "number of offsets"],
    [{ ...sparse, rowCount: 0 }, "number of offsets"],
  ];
  for (const [rows, name] of wrong) {
    assertThrows(() => checkedRows(rows as unknown as Rows), RangeError, name);
  }
});
