import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { prepareRows } from "../../../../lib/learners/erm/prepare_rows.ts";
import { type RowBlocks, visitBlocks } from "../../../../lib/learners/erm/row_blocks.ts";
import {
  compactRows,
  denseRows,
  type Rows,
  selectRows,
} from "../../../../lib/learners/erm/rows.ts";

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

/** All values, zeros included, as numbers. */
function valuesOf(rows: Rows): number[] {
  const { rowCount, columnCount, values } = rows;
  if (rows.kind === "dense") return [...values];
  const all = new Array<number>(rowCount * columnCount).fill(0);
  for (let i = 0; i < rowCount; i++) {
    for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
      all[i * columnCount + rows.columns[k]!] = values[k]!;
    }
  }
  return all;
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

// Mutant: new memory for every block, of which a visit to a large file makes as much as the file is long.
Deno.test("prepareRows() uses the same memory for one block after the other", () => {
  const rows = denseRows(Array.from({ length: 40 }, (_, i) => [i, 1, -i]));
  for (const isSparse of [false, true]) {
    const parts = Array.from({ length: 10 }, () => ({ size: 4, isSparse }));
    const blocks = prepareRows(blocksOf(rows, parts), { normBound: 1, intercept: 1 });
    const memory = new Set<ArrayBufferLike>();
    visitBlocks(blocks, ({ values }) => memory.add(values.buffer));
    // Sparse blocks have more values, or fewer, than those before.
    assert(memory.size <= (isSparse ? 3 : 1), `${memory.size}`);
  }
});
