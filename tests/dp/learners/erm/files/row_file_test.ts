import { assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { RowFile } from "../../../../../lib/dp/learners/erm/files/row_file.ts";
import {
  compactRows,
  denseRows,
  type Rows,
  sparseRows,
} from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { valuesOf } from "../stored_rows.ts";

/** What a visit finds: all values, the places of blocks, their layouts. */
function contents(file: RowFile): { values: number[]; firsts: number[]; kinds: string[] } {
  const values: number[] = [], firsts: number[] = [], kinds: string[] = [];
  file.rows().visit((block, first) => {
    for (const value of valuesOf(block)) values.push(value);
    firsts.push(first);
    kinds.push(block.kind);
  });
  return { values, firsts, kinds };
}

/** A row of three columns with one value: sparse, and of less room than a dense one. */
const thinRow = sparseRows({
  columnCount: 3,
  offsets: Int32Array.of(0, 1),
  columns: Int32Array.of(1),
  values: Float64Array.of(5),
});

const part = fc.record({
  rowCount: fc.integer({ min: 0, max: 30 }),
  filled: fc.constantFrom(1, 0.5, 0.05),
  sparse: fc.boolean(),
});

// Mutants: bytes read at another place; offsets of a part of sparse rows not begun at 0; columns read as offsets.
Deno.test("RowFile gives back rows of both layouts and their classes, in the order in which they were appended", () => {
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(2, 256, 257, 1000),
      (parts, columnCount, classCount) => {
        const file = new RowFile({ columnCount, classCount });
        try {
          const values: number[] = [], classes: number[] = [];
          parts.forEach(({ rowCount, filled, sparse }, k) => {
            const own = Array.from(
              { length: rowCount * columnCount },
              (_, i) => (i * 7 + k) % 20 < 20 * filled ? Math.sin(i + k) : 0,
            );
            const dense = denseRows(Float64Array.from(own), { columnCount });
            const labels = Array.from({ length: rowCount }, (_, i) => (i * 37 + k) % classCount);
            file.append(sparse ? compactRows(dense) : dense, labels);
            values.push(...own);
            classes.push(...labels);
          });
          assertEquals(contents(file).values, values);
          // A second visit reads the same.
          assertEquals(contents(file).values, values);
          assertEquals([...file.labels().indices], classes);
          assertEquals(file.rowCount, classes.length);
          assertEquals(file.rows().rowCount, classes.length);
        } finally {
          file.close();
        }
      },
    ),
    { seed: 7311, numRuns: 200 },
  );
});

Deno.test("RowFile refuses rows and classes that do not fit, and adds nothing then", () => {
  const file = new RowFile({ columnCount: 2, classCount: 2 });
  try {
    const one = denseRows([[1, 2]]);
    const refuses = (rows: Rows, classes: ArrayLike<number>, message: string): void => {
      assertThrows(() => file.append(rows, classes), RangeError, message);
    };
    refuses(denseRows([[1]]), [0], "columnCount must be");
    refuses(one, [0, 1], "number of classes given must be");
    refuses(one, [2], "class must be");
    refuses(one, [-1], "class must be");
    refuses(one, [0.5], "class must be");
    refuses({ ...one, values: Float64Array.of(1, NaN) }, [0], "row 1, column 2 is not");
    assertEquals([file.rowCount, contents(file).values], [0, []]);
    file.append(one, [1]);
    assertEquals(contents(file).values, [1, 2]);
  } finally {
    file.close();
  }
  assertThrows(() => file.append(denseRows([[1, 2]]), [0]), TypeError, "it is closed");
  assertThrows(() => new RowFile({ columnCount: 0, classCount: 2 }), RangeError, "columnCount");
  assertThrows(() => new RowFile({ columnCount: 1, classCount: 1 }), RangeError, "classCount");
});

Deno.test("RowFile leaves nothing in its folder, while it is open and after", async () => {
  const folder = await Deno.makeTempDir();
  const file = new RowFile({ columnCount: 1, classCount: 2, folder });
  file.append(denseRows([[1]]), [0]);
  if (Deno.build.os !== "windows") assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  file.close();
  file.close();
  assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  await Deno.remove(folder);
});

// Sparse rows that are cut into several blocks, of which full ones are kept dense. Mutants: all rows filled into the first; offsets
// of a later block not begun at 0; another end of a block, or another share that is dense.
Deno.test("RowFile gives back sparse rows that fill several blocks, dense where that takes less room", () => {
  for (
    const [columnCount, perRow, rowCount, kind] of [
      [3, 3, 100_000, "dense"],
      [40, 24, 12_000, "dense"],
      [1000, 100, 3000, "sparse"],
    ] as const
  ) {
    const count = rowCount * perRow;
    // As many whole rows as have 2¹⁸ values, and 2¹⁴ rows.
    const most = Math.min(2 ** 14, Math.floor(2 ** 18 / perRow));
    const rows = sparseRows({
      columnCount,
      offsets: Int32Array.from({ length: rowCount + 1 }, (_, i) => i * perRow),
      columns: Int32Array.from(
        { length: count },
        (_, k) => (k % perRow) + (Math.floor(k / perRow) % (columnCount - perRow + 1)),
      ),
      values: Float64Array.from({ length: count }, (_, k) => 1 + (k % 977)),
    });
    const file = new RowFile({ columnCount, classCount: 2 });
    try {
      file.append(rows, new Uint8Array(rowCount));
      let next = 0, blocks = 0;
      file.rows().visit((block, first) => {
        assertEquals([block.kind, first], [kind, next]);
        assertEquals(block.rowCount, Math.min(rowCount - first, most));
        const all = valuesOf(block);
        const own = new Array<number>(block.rowCount * columnCount).fill(0);
        for (let i = 0; i < block.rowCount; i++) {
          for (let k = (first + i) * perRow; k < (first + i + 1) * perRow; k++) {
            own[i * columnCount + rows.columns[k]!] = rows.values[k]!;
          }
        }
        assertEquals(all.length, own.length);
        assertEquals(all.findIndex((value, at) => value !== own[at]), -1);
        next += block.rowCount;
        blocks++;
      });
      assertEquals([next, blocks], [rowCount, Math.ceil(rowCount / most)]);
    } finally {
      file.close();
    }
  }
});

// Mutants: a block of no rows, for ever; the end of a block counted from the first row of all.
Deno.test("RowFile keeps sparse rows that are longer than a block, each in a block of its own", () => {
  const perRow = 2 ** 18 + 1, columnCount = 2 ** 20;
  const columns = Int32Array.from({ length: 2 * perRow }, (_, k) => k % perRow);
  const values = Float64Array.from({ length: 2 * perRow }, (_, k) => 1 + k);
  const offsets = Int32Array.of(0, perRow, 2 * perRow);
  const file = new RowFile({ columnCount, classCount: 2 });
  try {
    assertEquals([file.rows().rowsAtOnce, file.rows().valueCount], [0, 0]);
    file.append(sparseRows({ columnCount, offsets, columns, values }), [0, 1]);
    const found: unknown[] = [];
    file.rows().visit(({ kind, rowCount, values }, first) =>
      found.push([kind, rowCount, first, values.length, values[0]])
    );
    assertEquals(found, [["sparse", 1, 0, perRow, 1], ["sparse", 1, 1, perRow, 1 + perRow]]);
  } finally {
    file.close();
  }
});

// As a file of thirty million rows has. Mutant: the largest block found by a call with all blocks as arguments.
Deno.test("RowFile has any number of blocks", () => {
  const file = new RowFile({ columnCount: 3, classCount: 2 }), count = 200_000;
  for (let i = 0; i < count; i++) file.append(thinRow, [1]);
  const rows = file.rows();
  file.close();
  assertEquals([rows.rowCount, rows.valueCount, rows.rowsAtOnce], [count, count, 1]);
});
