import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { prepareRows } from "../../../../lib/learners/erm/prepare_rows.ts";
import { drawRandomFeatures } from "../../../../lib/learners/erm/random_features.ts";
import { type RowBlocks, visitBlocks } from "../../../../lib/learners/erm/row_blocks.ts";
import {
  compactRows,
  denseRows,
  type Rows,
  selectRows,
} from "../../../../lib/learners/erm/rows.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
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

// Mutants: the stored values of rows before the feature map; of one row.
Deno.test("prepareRows() of blocks says how many values its rows store, random features included", () => {
  const rows = denseRows([[1, 0], [0, 1], [1, 1]]), parts = [{ size: 3, isSparse: false }];
  assertEquals(prepareRows(blocksOf(rows, parts), { normBound: 1 }).kind, "blocks");
  const features = drawRandomFeatures(new SeededSource(1), {
    kernel: { name: "gaussian", gamma: 1 },
    inputCount: 2,
    count: 5,
  });
  const plain = prepareRows(blocksOf(rows, parts), { normBound: 1 });
  const mapped = prepareRows(blocksOf(rows, parts), { normBound: 1, features });
  const counts = [plain, mapped].map((all) => all.kind === "blocks" ? all.valueCount : NaN);
  assertEquals(counts, [6, 15]);
});

// Mutant: a failure of the reader told as one of a row.
Deno.test("prepareRows() hands on errors of whoever reads the blocks as they are", () => {
  const rows = denseRows([[1, 0]]), lost = new TypeError("the file is lost");
  const block = {
    ...rows,
    get values(): Float64Array {
      throw lost;
    },
  };
  const blocks: RowBlocks = {
    ...blocksOf(rows, [{ size: 1, isSparse: false }]),
    visit: (each) => each(block, 0),
  };
  const prepared = prepareRows(blocks, { normBound: 1 });
  assertStrictEquals(assertThrows(() => visitBlocks(prepared, () => {})), lost);
});
