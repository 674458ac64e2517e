import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { prepareRows } from "../../../../lib/learners/erm/prepare_rows.ts";
import { type RowBlocks, visitBlocks } from "../../../../lib/learners/erm/row_blocks.ts";
import {
  compactRows,
  denseRows,
  type Rows,
  selectRows,
} from "../../../../lib/learners/erm/rows.ts";
import { valuesOf } from "./stored_rows.ts";

/** Rows of a part of a table, in a layout of their own. */
const part = fc.record({ size: fc.integer({ min: 0, max: 9 }), isSparse: fc.boolean() });

function blocksOf(rows: Rows, parts: readonly { size: number; isSparse: boolean }[]): RowBlocks {
  return {
    kind: "blocks",
    rowCount: rows.rowCount,
    columnCount: rows.columnCount,
    valueCount: rows.values.length,
    rowsAtOnce: Math.max(0, ...parts.map(({ size }) => size)),
    visit(each): void {
      let first = 0;
      for (const { size, isSparse } of parts) {
        const own = selectRows(rows, Array.from({ length: size }, (_, i) => first + i));
        each(isSparse ? compactRows(own) : own, first);
        first += size;
      }
    },
  };
}

// Blocks share memory, small ones after large ones and one layout after the other. Mutants: offsets that do not begin at 0; what a block before
// left behind; memory of one visit in another.
Deno.test("prepareRows() gives blocks the values of rows in memory, also where one visit runs inside another", () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(undefined, 0.5),
      fc.constantFrom(0.3, 2, 100),
      (parts, columnCount, intercept, normBound) => {
        const rowCount = parts.reduce((sum, { size }) => sum + size, 0);
        const values = Array.from(
          { length: rowCount },
          (_, i) =>
            Array.from(
              { length: columnCount },
              (_, j) => (i + j) % 3 === 0 ? 0 : Math.sin(i + 7 * j),
            ),
        );
        if (rowCount === 0) return;
        const rows = denseRows(values);
        const preparation = { normBound, ...(intercept === undefined ? {} : { intercept }) };
        const expected = valuesOf(prepareRows(rows, preparation));
        const blocks = prepareRows(blocksOf(rows, parts), preparation);
        const found: number[] = [];
        visitBlocks(blocks, (block) => {
          const inside: number[] = [];
          visitBlocks(blocks, (other) => inside.push(...valuesOf(other)));
          assertEquals(inside, expected);
          found.push(...valuesOf(block));
        });
        assertEquals(found, expected);
        assertEquals(valuesOf(rows), values.flat());
      },
    ),
    { seed: 7320, numRuns: 200 },
  );
});

// Mutants: at least one row, or one value, for granted.
Deno.test("prepareRows() takes blocks of no rows, and rows of zeros alone", () => {
  const none = denseRows(new Float64Array(0), { columnCount: 2 });
  let visits = 0;
  visitBlocks(prepareRows(blocksOf(none, []), { normBound: 1 }), () => visits++);
  assertEquals(visits, 0);
  const zeros: Rows = {
    kind: "sparse",
    rowCount: 2,
    columnCount: 2,
    offsets: new Int32Array(3),
    columns: new Int32Array(0),
    values: new Float64Array(0),
  };
  const blocks = prepareRows(
    { ...blocksOf(zeros, [{ size: 2, isSparse: true }]), visit: (each) => each(zeros, 0) },
    { normBound: 1 },
  );
  const found: number[] = [];
  visitBlocks(blocks, (block) => found.push(...valuesOf(block)));
  assertEquals(found, [0, 0, 0, 0]);
});
