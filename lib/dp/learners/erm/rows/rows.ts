import { requireKnown } from "../../../../core/text/known_options.ts";
import { requireFields, requireInteger, requireKind } from "../../../../core/numeric/require.ts";

/** Rows of features one after another: row i is `values[i·columnCount …]`. */
export interface DenseRows {
  /** The layout. */
  readonly kind: "dense";
  /** n. */
  readonly rowCount: number;
  /** d. */
  readonly columnCount: number;
  /** n·d values, row-major. */
  readonly values: Float64Array;
}

/**
 * Compressed sparse rows, for one-hot features: row i has the entries `offsets[i]` to
 * `offsets[i + 1] − 1` of `columns` and `values`, columns ascending.
 */
export interface SparseRows {
  /** The layout. */
  readonly kind: "sparse";
  /** n. */
  readonly rowCount: number;
  /** d. */
  readonly columnCount: number;
  /** n + 1 positions in the other two arrays. */
  readonly offsets: Int32Array;
  /** The column of every stored value. */
  readonly columns: Int32Array;
  /** The stored values. */
  readonly values: Float64Array;
}

/** Feature vectors of one length, dense or sparse. Learners treat both alike. */
export type Rows = DenseRows | SparseRows;

/**
 * Makes dense rows of arrays of numbers, or from one block of values with `columnCount`.
 *
 * @throws {RangeError} naming row and column when rows differ in length or a value is not finite,
 * never showing the value.
 *
 * @example
 * ```ts
 * import { denseRows } from "./rows.ts";
 * denseRows([[1, 0], [0, 1]]).columnCount; // 2
 * ```
 */
export function denseRows(
  rows: readonly ArrayLike<number>[] | Float64Array,
  options: { columnCount?: number } = {},
): DenseRows {
  requireKind("denseRows", "rows", rows, "list");
  const { columnCount } = requireFields("denseRows", options, {});
  requireKnown("call denseRows()", options, ["columnCount"]);
  if (columnCount !== undefined) {
    requireInteger("read rows", "columnCount", columnCount, { min: 0 });
  }
  const width = columnCount ?? (rows instanceof Float64Array ? 0 : rows[0]?.length ?? 0);
  if (rows instanceof Float64Array) {
    requireInteger("read rows", "columnCount", width, { min: 1 });
    requireInteger("read rows", "values per column", rows.length / width, { min: 0 });
    const dense = {
      kind: "dense",
      rowCount: rows.length / width,
      columnCount: width,
      values: rows,
    } as const;
    requireFiniteRows(dense);
    return dense;
  }
  const values = new Float64Array(rows.length * width);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.length !== width) {
      throw new RangeError(
        `Cannot read rows: row ${i + 1} must have ${width} columns: current value is ${row.length}`,
      );
    }
    for (let j = 0; j < width; j++) {
      const value = row[j];
      if (!(typeof value === "number" && Number.isFinite(value))) throw notFinite(i, j);
      values[i * width + j] = value;
    }
  }
  return { kind: "dense", rowCount: rows.length, columnCount: width, values };
}

/**
 * Makes sparse rows of their three arrays, after checking them.
 *
 * @throws {RangeError} naming the row when offsets or columns are out of order or out of range, or a
 * value is not finite.
 */
export function sparseRows(parts: Omit<SparseRows, "kind" | "rowCount">): SparseRows {
  requireFields("sparseRows", parts, { offsets: "list", columns: "list", values: "list" });
  const { columnCount, offsets, columns, values } = parts;
  requireInteger("read sparse rows", "columnCount", columnCount, { min: 1 });
  const rowCount = offsets.length - 1;
  requireInteger("read sparse rows", "offsets minus one", rowCount, { min: 0 });
  if (offsets[0] !== 0 || offsets[rowCount] !== values.length) {
    throw new RangeError(
      "Cannot read sparse rows: offsets must run from 0 to the number of values: " +
        `current values are ${offsets[0]}, ${offsets[rowCount]} and ${values.length}`,
    );
  }
  requireInteger("read sparse rows", "length of columns", columns.length, {
    min: values.length,
    max: values.length,
  });
  for (let i = 0; i < rowCount; i++) {
    if (offsets[i + 1]! < offsets[i]!) {
      throw new RangeError(
        `Cannot read sparse rows: offsets must not fall: they do at row ${i + 1}`,
      );
    }
    let last = -1;
    for (let k = offsets[i]!; k < offsets[i + 1]!; k++) {
      const column = columns[k]!;
      if (column <= last || column >= columnCount) {
        throw new RangeError(
          `Cannot read sparse rows: columns must ascend below ${columnCount}: they do not in row ${
            i + 1
          }`,
        );
      }
      last = column;
    }
  }
  const rows = { kind: "sparse", rowCount, columnCount, offsets, columns, values } as const;
  requireFiniteRows(rows);
  return rows;
}

/**
 * The same rows in the layout that costs less: sparse when fewer than one value in four is not zero.
 * The layout changes the last bits of sums only, which the privacy calibration pays for.
 */
export function compactRows(rows: Rows): Rows {
  if (rows.kind === "sparse") return rows;
  const { rowCount, columnCount, values } = rows;
  let filled = 0;
  for (let k = 0; k < values.length; k++) if (values[k] !== 0) filled++;
  if (columnCount < 16 || 4 * filled >= values.length) return rows;
  const offsets = new Int32Array(rowCount + 1);
  const columns = new Int32Array(filled);
  const kept = new Float64Array(filled);
  let next = 0;
  for (let i = 0; i < rowCount; i++) {
    for (let j = 0; j < columnCount; j++) {
      const value = values[i * columnCount + j]!;
      if (value === 0) continue;
      columns[next] = j;
      kept[next++] = value;
    }
    offsets[i + 1] = next;
  }
  return { kind: "sparse", rowCount, columnCount, offsets, columns, values: kept };
}

/** The rows of these numbers, in this order. */
export function selectRows(rows: Rows, indices: ArrayLike<number>): Rows {
  const count = indices.length;
  if (rows.kind === "dense") {
    const { columnCount } = rows;
    const values = new Float64Array(count * columnCount);
    for (let i = 0; i < count; i++) {
      const from = indices[i]! * columnCount;
      values.set(rows.values.subarray(from, from + columnCount), i * columnCount);
    }
    return { kind: "dense", rowCount: count, columnCount, values };
  }
  const offsets = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) {
    offsets[i + 1] = offsets[i]! + rows.offsets[indices[i]! + 1]! - rows.offsets[indices[i]!]!;
  }
  const columns = new Int32Array(offsets[count]!);
  const values = new Float64Array(offsets[count]!);
  for (let i = 0; i < count; i++) {
    const from = rows.offsets[indices[i]!]!, to = rows.offsets[indices[i]! + 1]!;
    columns.set(rows.columns.subarray(from, to), offsets[i]!);
    values.set(rows.values.subarray(from, to), offsets[i]!);
  }
  return {
    kind: "sparse",
    rowCount: count,
    columnCount: rows.columnCount,
    offsets,
    columns,
    values,
  };
}

/** Throws unless every value is finite, naming row and column. */
function requireFiniteRows(rows: Rows): void {
  const { values } = rows;
  for (let k = 0; k < values.length; k++) {
    if (Number.isFinite(values[k])) continue;
    if (rows.kind === "dense") {
      throw notFinite(Math.floor(k / rows.columnCount), k % rows.columnCount);
    }
    let i = 0;
    while (rows.offsets[i + 1]! <= k) i++;
    throw notFinite(i, rows.columns[k]!);
  }
}

function notFinite(row: number, column: number): RangeError {
  return new RangeError(
    `Cannot read rows: values must be finite numbers: row ${row + 1}, column ${column + 1} is not`,
  );
}
