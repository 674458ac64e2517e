import { tmpdir } from "node:os";
import { requireInteger } from "../../../../core/numeric/require.ts";
import { checkedRows } from "../rows/checked_rows.ts";
import { IndexList } from "./index_list.ts";
import type { LabelIndices } from "./read_labels.ts";
import type { RowBlocks } from "./row_blocks.ts";
import type { DenseRows, Rows, SparseRows } from "../rows/rows.ts";
import { openTemporaryFile, type TemporaryFile } from "../../../temporary_file.ts";

/** Stored values of a block, of 8 bytes each: enough that reading is quick, few enough that memory is not felt. */
const VALUES_OF_BLOCK = 2 ** 18;

/** Rows of a block at most, where rows are short. */
const ROWS_OF_BLOCK = 2 ** 14;

/** Dense rows take less room, and less time, from this share of values that are not zero on. */
const DENSE_SHARE = 0.5;

/** Position and size of a block in the file. */
interface Place {
  readonly kind: Rows["kind"];
  readonly first: number;
  readonly rowCount: number;
  /** Stored values. */
  readonly count: number;
  readonly position: number;
  readonly bytes: number;
}

/**
 * Labelled rows in a temporary file, for tables that are larger than memory: rows are appended in blocks, and
 * `fit` reads them some tens of times. The file can be read by its owner alone, loses its name as soon as it is
 * open (where the system allows that), and is gone when it is closed.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../../accounting/budget/budget.ts";
 * import { pure } from "../../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../../core/relations/relation.ts";
 * import { fit } from "../fit.ts";
 * import { RowFile } from "./row_file.ts";
 * import { denseRows } from "../rows/rows.ts";
 * const file = new RowFile({ columnCount: 2, classCount: 2 });
 * try {
 *   file.append(denseRows([[0.9, 0.1], [-0.7, 0.2]]), [1, 0]);
 *   file.append(denseRows([[0.8, -0.3], [-0.9, 0]]), [1, 0]);
 *   const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
 *   fit(file.rows(), file.labels(), { epsilon: 1, lambda: 0.1, normBound: 1, budget });
 * } finally {
 *   file.close();
 * }
 * ```
 */
export class RowFile {
  /** d. */
  readonly columnCount: number;
  readonly #indices: IndexList;
  readonly #places: Place[] = [];
  readonly #classCount: number;
  #file: TemporaryFile | undefined;
  #position = 0;

  /**
   * An empty file.
   *
   * @throws {RangeError} unless columns are at least 1 and classes at least 2.
   */
  constructor({ columnCount, classCount, folder = tmpdir() }: {
    readonly columnCount: number;
    readonly classCount: number;
    /** Folder of the file. Default: the system's folder of temporary files. */
    readonly folder?: string;
  }) {
    requireInteger("open a row file", "columnCount", columnCount, { min: 1 });
    requireInteger("open a row file", "classCount", classCount, { min: 2 });
    this.columnCount = columnCount;
    this.#classCount = classCount;
    this.#indices = new IndexList({ below: classCount });
    this.#file = openTemporaryFile(folder);
  }

  /** Rows so far. */
  get rowCount(): number {
    return this.#indices.length;
  }

  /**
   * Adds rows, and the class of each, as its place in the list of classes.
   *
   * @throws {RangeError} on rows of another number of columns, naming row and column where a value is not finite,
   * and unless there is one class a row, all of them below the number of classes; nothing is added then.
   * @throws {Error} where the file cannot be written; nothing is added then either.
   */
  append(rows: Rows, classes: ArrayLike<number>): void {
    const checked = checkedRows(rows), action = "append rows";
    const { rowCount, columnCount } = checked;
    const exactly = (count: number) => ({ min: count, max: count });
    requireInteger(action, "columnCount", columnCount, exactly(this.columnCount));
    requireInteger(action, "number of classes given", classes.length, exactly(rowCount));
    for (let i = 0; i < rowCount; i++) {
      requireInteger(action, "class", classes[i]!, { min: 0, max: this.#classCount - 1 });
    }
    const places = this.#places.length, position = this.#position;
    try {
      for (let from = 0; from < rowCount;) {
        const to = endOfBlock(checked, from);
        this.#write(blockOf(checked, { from, to }), this.rowCount + from);
        from = to;
      }
    } catch (error) {
      // Blocks without classes would be rows that are not counted. Only the last block of a part is joined to one before the part:
      // another is full, so that one more row is too much for it.
      this.#places.length = places;
      this.#position = position;
      throw error;
    }
    this.#indices.append(classes);
  }

  /** The rows, read from the file at every visit. Rows that are appended later are not among them. */
  rows(): RowBlocks {
    const places = this.#places.slice();
    // There may be more blocks than a call takes arguments.
    const most = (of: "bytes" | "rowCount"): number =>
      places.reduce((largest, place) => Math.max(largest, place[of]), 0);
    const largest = most("bytes");
    // Memory that no visit uses: a visit inside another has its own.
    const idle: ArrayBuffer[] = [];
    return {
      kind: "blocks",
      rowCount: this.rowCount,
      columnCount: this.columnCount,
      valueCount: places.reduce((sum, { count }) => sum + count, 0),
      rowsAtOnce: most("rowCount"),
      visit: (each) => {
        const buffer = idle.pop() ?? new ArrayBuffer(largest);
        for (const place of places) each(this.#read(place, buffer), place.first);
        idle.push(buffer);
      },
    };
  }

  /** The class of every row. */
  labels(): LabelIndices {
    return { indices: this.#indices.toArray() };
  }

  /** Closes the file, which is then gone. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #write(rows: Rows, first: number): void {
    const { rowCount, values } = rows;
    const parts: ArrayBufferView[] = [values];
    if (rows.kind === "sparse") parts.push(rows.offsets, rows.columns);
    const position = this.#position;
    for (const part of parts) this.#position = this.#open.write(part, this.#position);
    const place: Place = {
      kind: rows.kind,
      first,
      rowCount,
      count: values.length,
      position,
      bytes: this.#position - position,
    };
    const joined = joinedPlace(this.#places.at(-1), place);
    if (joined === undefined) this.#places.push(place);
    else this.#places[this.#places.length - 1] = joined;
  }

  #read({ kind, rowCount, count, position, bytes }: Place, buffer: ArrayBuffer): Rows {
    this.#open.read(new Uint8Array(buffer, 0, bytes), position);
    const { columnCount } = this;
    const values = new Float64Array(buffer, 0, count);
    if (kind === "dense") return { kind, rowCount, columnCount, values };
    const offsets = new Int32Array(buffer, 8 * count, rowCount + 1);
    const columns = new Int32Array(buffer, 8 * count + 4 * (rowCount + 1), count);
    return { kind, rowCount, columnCount, offsets, columns, values };
  }

  get #open(): TemporaryFile {
    if (this.#file === undefined) throw new TypeError("Cannot use a row file: it is closed");
    return this.#file;
  }
}

/** Two dense blocks as one, where the second follows the first in the file and one block holds both. */
function joinedPlace(before: Place | undefined, place: Place): Place | undefined {
  if (before?.kind !== "dense" || place.kind !== "dense") return undefined;
  const rowCount = before.rowCount + place.rowCount, count = before.count + place.count;
  if (rowCount > ROWS_OF_BLOCK || count > VALUES_OF_BLOCK) return undefined;
  return { ...before, rowCount, count, bytes: before.bytes + place.bytes };
}

/** The row after the last that goes into a block with row `from`. */
function endOfBlock(rows: Rows, from: number): number {
  const most = Math.min(rows.rowCount, from + ROWS_OF_BLOCK);
  if (rows.kind === "dense") {
    return Math.min(most, from + Math.max(1, Math.floor(VALUES_OF_BLOCK / rows.columnCount)));
  }
  const { offsets } = rows;
  let to = from + 1;
  while (to < most && offsets[to + 1]! - offsets[from]! <= VALUES_OF_BLOCK) to++;
  return to;
}

/** Rows `from` to `to`, dense where that takes less room. */
function blockOf(rows: Rows, { from, to }: { readonly from: number; readonly to: number }): Rows {
  const rowCount = to - from, { columnCount } = rows;
  if (rows.kind === "dense") {
    const values = rows.values.subarray(from * columnCount, to * columnCount);
    return { kind: "dense", rowCount, columnCount, values };
  }
  const start = rows.offsets[from]!, end = rows.offsets[to]!;
  const sparse: SparseRows = {
    kind: "sparse",
    rowCount,
    columnCount,
    offsets: rows.offsets.slice(from, to + 1).map((offset) => offset - start),
    columns: rows.columns.subarray(start, end),
    values: rows.values.subarray(start, end),
  };
  return end - start < DENSE_SHARE * rowCount * columnCount ? sparse : filled(sparse);
}

function filled({ rowCount, columnCount, offsets, columns, values }: SparseRows): DenseRows {
  const all = new Float64Array(rowCount * columnCount);
  for (let i = 0; i < rowCount; i++) {
    for (let k = offsets[i]!; k < offsets[i + 1]!; k++) {
      all[i * columnCount + columns[k]!] = values[k]!;
    }
  }
  return { kind: "dense", rowCount, columnCount, values: all };
}
