import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { clipRows } from "../../../../lib/learners/erm/clip_rows.ts";
import {
  compactRows,
  denseRows,
  selectRows,
  sparseRows,
} from "../../../../lib/learners/erm/rows.ts";
import type { Rows } from "../../../../lib/learners/erm/rows.ts";
import { withIntercept } from "../../../../lib/learners/erm/with_intercept.ts";

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

const table = fc.integer({ min: 0, max: 20 }).chain((n) =>
  fc.array(
    fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -9, max: 9 })), {
      minLength: 17,
      maxLength: 17,
    }),
    { minLength: n, maxLength: n },
  )
);

Deno.test("compactRows(), selectRows() and withIntercept() agree on dense and sparse rows", () => {
  fc.assert(
    fc.property(table, fc.array(fc.nat(), { maxLength: 5 }), (values, picks) => {
      const dense = denseRows(values, { columnCount: 17 });
      const compact = compactRows(dense);
      assertEquals(arrays(compact), values);
      if (values.length === 0) return;
      const chosen = picks.map((pick) => pick % values.length);
      const expected = chosen.map((i) => values[i]!);
      assertEquals(arrays(selectRows(dense, chosen)), expected);
      assertEquals(arrays(selectRows(compact, chosen)), expected);
      const wider = values.map((row) => [...row, 0.5]);
      assertEquals(arrays(withIntercept(dense, { value: 0.5 })), wider);
      assertEquals(arrays(withIntercept(compact, { value: 0.5 })), wider);
    }),
    { seed: 57, numRuns: 200 },
  );
});

Deno.test("clipRows() keeps directions, bounds norms, and leaves short rows alone", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.double({ min: -1e307, max: 1e307, noNaN: true }), {
        minLength: 3,
        maxLength: 3,
      })),
      fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      (values, normBound) => {
        const clipped = arrays(clipRows(denseRows(values, { columnCount: 3 }), { normBound }));
        values.forEach((row, i) => {
          const before = Math.hypot(...row), after = Math.hypot(...clipped[i]!);
          assert(after <= normBound);
          if (before < normBound * (1 - 1e-9)) assertEquals(clipped[i], row);
          else if (before > normBound) assertAlmostEquals(after / normBound, 1, 1e-9);
          if (after === 0) return;
          clipped[i]!.forEach((value, j) =>
            assertAlmostEquals(value / after, row[j]! / before, 1e-9)
          );
        });
      },
    ),
    { seed: 58, numRuns: 300 },
  );
});

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
