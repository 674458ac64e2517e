import {
  readColumnDescription,
  readFeatureDescription,
} from "../../../../lib/learners/erm/column_description.ts";
import { featureCount } from "../../../../lib/learners/erm/column_description.ts";
import { readFeatureLines } from "../../../../lib/learners/erm/feature_lines.ts";
import { BlockMemory } from "../../../../lib/learners/erm/block_memory.ts";
import { IndexList } from "../../../../lib/learners/erm/index_list.ts";
import { RowFile } from "../../../../lib/learners/erm/row_file.ts";
import {
  mapBlocks,
  type RowBlocks,
  rowsAtOnce,
  visitBlocks,
} from "../../../../lib/learners/erm/row_blocks.ts";
import { compactRows, denseRows, type Rows } from "../../../../lib/learners/erm/rows.ts";
import { signsOfRows } from "../../../../lib/learners/erm/signs.ts";
import { openTemporaryFile } from "../../../../lib/learners/erm/temporary_file.ts";
import { tmpdir } from "node:os";
import {
  requireEqual,
  requireRefused,
  requireThat,
} from "../../../../proofs/engine/requirement.ts";

/** All values of the rows, zeros included. */
export function valuesOf(rows: Rows): number[] {
  const { rowCount, columnCount } = rows;
  if (rows.kind === "dense") return Array.from(rows.values);
  const all = new Array<number>(rowCount * columnCount).fill(0);
  for (let i = 0; i < rowCount; i++) {
    for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
      all[i * columnCount + rows.columns[k]!] = rows.values[k]!;
    }
  }
  return all;
}

/** Rows that a file holds come back as they were, in blocks of bounded size. */
export function requireStoredRows(): void {
  for (const [columnCount, classCount] of [[1, 2], [7, 256], [40, 257], [3, 1000]] as const) {
    const file = new RowFile({ columnCount, classCount });
    try {
      const values: number[] = [], classes: number[] = [];
      for (const [k, rowCount] of [3, 0, 30, 1, 12].entries()) {
        const share = [20, 10, 1, 20, 3][k]!;
        const own = Array.from(
          { length: rowCount * columnCount },
          (_, i) => (i * 7 + k) % 20 < share ? Math.sin(i + k) : 0,
        );
        const dense = denseRows(Float64Array.from(own), { columnCount });
        const labels = Array.from({ length: rowCount }, (_, i) => (i * 37 + k) % classCount);
        const early = file.rows(), before = early.rowCount;
        file.append(k % 2 === 0 ? compactRows(dense) : dense, labels);
        requireEqual(early.rowCount, before, "rows that were handed out before");
        values.push(...own);
        classes.push(...labels);
      }
      for (let visit = 0; visit < 2; visit++) {
        const found: number[] = [];
        file.rows().visit((block, first) => {
          requireEqual(first, found.length / columnCount, "the first row of a block");
          requireEqual(block.columnCount, columnCount);
          found.push(...valuesOf(block));
        });
        requireEqual(found, values, "values of a file");
      }
      requireEqual([...file.labels().indices], classes);
      requireEqual([file.rowCount, file.rows().rowCount], [classes.length, classes.length]);
      const row = denseRows([Array(columnCount).fill(1)]);
      for (
        const [what, rows, labels] of [
          ["a column more", denseRows([Array(columnCount + 1).fill(1)]), [0]],
          ["a class too few", row, []],
          ["a class too many", row, [0, 0]],
          ["a class beyond", row, [classCount]],
          ["a class below 0", row, [-1]],
          ["half a class", row, [0.5]],
          ["no number", denseRows(Float64Array.from(Array(columnCount).fill(1)), { columnCount }), [
            NaN,
          ]],
        ] as const
      ) requireRefused(what, () => file.append(rows, labels));
      requireEqual(file.rowCount, classes.length, "rows that were refused");
    } finally {
      file.close();
    }
    file.close();
    requireRefused("a file that is closed", () => file.rows().visit(() => {}), "closed");
  }
  for (const wrong of [{ columnCount: 0, classCount: 2 }, { columnCount: 1, classCount: 1 }]) {
    requireRefused("a file of nothing", () => new RowFile(wrong));
  }
}

/** Blocks have at most 2¹⁸ values or 2¹⁴ rows, and the layout that takes less room. */
export function requireBlocks(): void {
  const shapes = (columnCount: number, rows: Rows): (readonly [string, number, number])[] => {
    const file = new RowFile({ columnCount, classCount: 2 });
    try {
      file.append(rows, new Uint8Array(rows.rowCount));
      const found: (readonly [string, number, number])[] = [], stored = file.rows();
      stored.visit((block, first) => {
        found.push([block.kind, first, block.rowCount]);
        if (columnCount > 10) return;
        const own = valuesOf(block), all = valuesOf(rows);
        requireEqual(own, all.slice(first * columnCount).slice(0, own.length), "values of a block");
      });
      requireEqual(stored.rowsAtOnce, Math.max(...found.map(([, , count]) => count)));
      requireEqual(rowsAtOnce(stored), stored.rowsAtOnce);
      return found;
    } finally {
      file.close();
    }
  };
  const ones = (rowCount: number, columnCount: number): Rows =>
    denseRows(Float64Array.from({ length: rowCount * columnCount }, (_, i) => i + 1), {
      columnCount,
    });
  const sparse = (rowCount: number, columnCount: number, each: number): Rows => ({
    kind: "sparse",
    rowCount,
    columnCount,
    offsets: Int32Array.from({ length: rowCount + 1 }, (_, i) => i * each),
    columns: Int32Array.from({ length: rowCount * each }, (_, k) => k % each),
    values: Float64Array.from({ length: rowCount * each }, (_, k) => 2 + k),
  });
  const most = 2 ** 14;
  requireEqual(shapes(1, ones(most + 3, 1)), [["dense", 0, most], ["dense", most, 3]]);
  requireEqual(shapes(2 ** 17, ones(3, 2 ** 17)), [["dense", 0, 2], ["dense", 2, 1]]);
  requireEqual(shapes(2 ** 18 + 1, ones(2, 2 ** 18 + 1)), [["dense", 0, 1], ["dense", 1, 1]]);
  requireEqual(shapes(2 ** 20, sparse(3, 2 ** 20, 2 ** 17)), [["sparse", 0, 2], ["sparse", 2, 1]]);
  // From a half of the values on, all of them are stored.
  requireEqual([4, 5].map((each) => shapes(10, sparse(2, 10, each))[0]![0]), ["sparse", "dense"]);
  const file = new RowFile({ columnCount: 10, classCount: 2 });
  file.append(sparse(3, 10, 2), [0, 1, 0]);
  requireEqual(file.rows().valueCount, 6);
  file.append(ones(1, 10), [1]);
  requireEqual([file.rows().valueCount, file.rows().rowsAtOnce], [16, 3]);
  const blocks = file.rows(),
    twice = mapBlocks(blocks, {
      columnCount: 10,
      valueCount: 40,
      begin: () => (block) =>
        denseRows(Float64Array.from(valuesOf(block), (value) => 2 * value), { columnCount: 10 }),
    });
  const sums: number[] = [];
  visitBlocks(twice, (block, first) => {
    sums.push(first, valuesOf(block).reduce((total, value) => total + value, 0));
  });
  requireEqual([sums, twice.valueCount, twice.rowCount, twice.rowsAtOnce], [
    [0, 54, 3, 110],
    40,
    4,
    3,
  ]);
  file.close();
  const row = ones(1, 2);
  visitBlocks(row, (block, first) => requireThat(block === row && first === 0, "rows in memory"));
  requireEqual(rowsAtOnce(row), 1);
  const firsts = (list: readonly number[], rowCount: number): RowBlocks => ({
    kind: "blocks",
    rowCount,
    columnCount: 2,
    valueCount: 2,
    rowsAtOnce: 1,
    visit: (each) => list.forEach((first) => each(row, first)),
  });
  const through = (blocks: RowBlocks): void =>
    mapBlocks(blocks, { columnCount: 2, valueCount: 2, begin: () => (block) => block }).visit(
      () => {},
    );
  through(firsts([0, 1], 2));
  for (
    const wrong of [
      firsts([0, 2], 2),
      firsts([0, 0], 2),
      firsts([1], 1),
      firsts([0], 2),
      firsts([0, 1], 1),
    ]
  ) {
    requireRefused("blocks that leave rows out", () => through(wrong), "follow each other");
  }
}

/** Lists of classes, signs, and bytes of a file come back as they were. */
export function requireLists(): void {
  for (const [below, of] of [[256, Uint8Array], [257, Int32Array]] as const) {
    const list = new IndexList({ below }), all: number[] = [];
    for (const count of [0, 1000, 24, 1, 5000, 3]) {
      const part = Array.from({ length: count }, (_, i) => (i * 31 + count) % below);
      list.append(part);
      all.push(...part);
      requireEqual(list.length, all.length);
    }
    const array = list.toArray();
    requireThat(array instanceof of, `numbers below ${below}`);
    requireEqual(Array.from(array), all);
    array.fill(0);
    requireEqual(Array.from(list.toArray()), all, "an array of their own");
  }
  const numbers = Float64Array.of(1, -1, -1, 1), indices = Uint8Array.of(2, 0, 1, 2);
  const memory = new BlockMemory();
  requireThat(signsOfRows(numbers, { first: 0, count: 4, memory }) === numbers, "all signs");
  const cases = [[numbers, 1, 2, [-1, -1]], [numbers, 0, 3, [1, -1, -1]], [numbers, 1, 3, [
    -1,
    -1,
    1,
  ]]] as const;
  for (const [signs, first, count, expected] of cases) {
    requireEqual([...signsOfRows(signs, { first, count, memory })], expected);
  }
  requireEqual([...signsOfRows({ indices, positive: 2 }, { first: 0, count: 4, memory })], [
    1,
    -1,
    -1,
    1,
  ]);
  requireEqual([...signsOfRows({ indices, positive: 1 }, { first: 2, count: 2, memory })], [1, -1]);
  const file = openTemporaryFile(tmpdir());
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
  requireEqual(file.write(bytes.subarray(0, 60), 5), 65);
  requireEqual(file.write(new Float64Array([1.5]), 65), 73);
  const back = new Uint8Array(30), number = new Float64Array(1);
  file.read(back, 15);
  file.read(new Uint8Array(number.buffer), 65);
  requireEqual([[...back], [...number]], [[...bytes.subarray(10, 40)], [1.5]]);
  requireRefused("bytes beyond the end", () => file.read(new Uint8Array(9), 65), "ends too early");
  file.close();
  requireRefused("a closed file", () => file.read(new Uint8Array(1), 0));
}

/** Lines of features are read as they say; what cannot be meant is refused. */
export function requireLines(): void {
  const { rows, labels } = readFeatureLines(["a 1:2 3:-.5 # 9:9", "  b  ", "a 2:0 3:1e3"], {
    features: 3,
  });
  requireEqual([valuesOf(rows), labels], [[2, 0, -0.5, 0, 0, 0, 0, 0, 1000], ["a", "b", "a"]]);
  requireEqual([...rows.offsets], [0, 2, 2, 3]);
  for (
    const line of [
      "",
      "# a",
      "1:2",
      "a 1",
      "a :1",
      "a 1:",
      "a 0:1",
      "a 4:1",
      "a 2:1 2:1",
      "a 2:1 1:1",
      "a 1.5:1",
      "a 1:x",
      "a 1:Infinity",
      "a x:1",
    ]
  ) {
    requireRefused(
      `“${line}”`,
      () => readFeatureLines(["a 1:1", line], { features: 3 }, { first: 4 }),
      "row 6",
    );
  }
  const number = { name: "age", type: "number", min: 0, max: 9 },
    kind = { name: "kind", type: "category", values: ["x", "y"] };
  const label = { name: "class", classes: ["n", "p"] };
  const read = readColumnDescription({ columns: [number, kind], label });
  requireEqual(featureCount(read), 3);
  requireEqual((read.columns[0] as { scale: string }).scale, "linear");
  readColumnDescription({ columns: [{ ...kind, values: ["x"], missing: "x", unseen: "x" }] });
  readColumnDescription({
    columns: [{ ...number, name: "a" }, { ...kind, name: "b" }],
    label: { ...label, name: "c" },
  });
  requireEqual(readFeatureDescription({ features: 2 ** 31 - 1, label }).features, 2 ** 31 - 1);
  for (
    const wrong of [
      {},
      { columns: [] },
      { columns: [number, number] },
      { columns: [{ ...number, min: 9 }] },
      { columns: [{ ...number, min: 10 }] },
      { columns: [{ ...number, min: -1e308, max: 1e308 }] },
      { columns: [{ ...number, name: "" }] },
      { columns: [{ ...number, more: 1 }] },
      { columns: [{ ...number, scale: "square" }] },
      { columns: [{ ...kind, values: [] }] },
      { columns: [{ ...kind, name: "" }] },
      { columns: [{ ...kind, values: ["x", "x"] }] },
      { columns: [{ ...kind, missing: "z" }] },
      { columns: [{ ...kind, unseen: "z" }] },
      { columns: [number], label: { ...label, classes: ["n"] } },
      { columns: [number], label: { ...label, name: "" } },
    ]
  ) requireRefused(JSON.stringify(wrong), () => readColumnDescription(wrong), "column description");
  for (const features of [0, -1, 1.5, 2 ** 31, "2", NaN]) {
    requireRefused(`${features} features`, () => readFeatureDescription({ features }));
  }
}
