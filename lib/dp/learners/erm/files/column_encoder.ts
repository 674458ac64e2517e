import { requireFields, requireKind } from "../../../../core/numeric/require.ts";
import {
  type CategoryColumn,
  type ColumnDescription,
  featureCount,
  type LabelColumn,
  type NumberColumn,
} from "./column_description.ts";
import { type SparseRows, sparseRows } from "../rows/rows.ts";

/** A table read from a file: the names of its columns, and its rows, whose values may be text. */
export interface Table {
  /** Names, one a column. */
  readonly names: readonly string[];
  /** Rows of as many values. */
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Turns a table into rows of features in [0, 1]: a number is clipped to its declared bounds and scaled
 * linearly, or by ln(1 + x − min), to [0, 1]; a category becomes as many zeros and a one. What is missing or no number, and a
 * category that is not declared, are taken as the description says; where it says nothing, all features of the cell are 0. Each row is encoded by itself and
 * from the description alone, and never refused, so this costs no privacy.
 *
 * @throws {RangeError} where a column is absent.
 */
export function encodeTable(
  table: Table,
  description: ColumnDescription,
): SparseRows {
  requireKind("encodeTable", "table", table, "record");
  requireKind("encodeTable", "description", description, "record");
  const sources = description.columns.map((column) => ({
    column,
    at: columnIndex(table, column.name),
    indexOf: new Map(
      column.type === "category" ? column.values.map((value, index) => [value, index]) : [],
    ),
  }));
  const offsets = new Int32Array(table.rows.length + 1);
  const columns: number[] = [], values: number[] = [];
  for (let i = 0; i < table.rows.length; i++) {
    let feature = 0;
    for (const { column, at, indexOf } of sources) {
      const cell = table.rows[i]![at];
      if (column.type === "number") {
        const value = shareOfColumn(readNumber(cell, column), column);
        if (value !== 0) {
          columns.push(feature);
          values.push(value);
        }
        feature++;
        continue;
      }
      const index = readCategory(cell, { column, indexOf });
      if (index !== undefined) {
        columns.push(feature + index);
        values.push(1);
      }
      feature += column.values.length;
    }
    offsets[i + 1] = columns.length;
  }
  return sparseRows({
    columnCount: featureCount(description),
    offsets,
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
  });
}

/**
 * Returns the labels of a table as text. One that is missing or not among `classes` counts as the first of them: an error would tell of a row.
 *
 * @throws {RangeError} where the column is absent.
 */
export function readLabelColumn(
  table: Table,
  options: LabelColumn,
): string[] {
  requireKind("readLabelColumn", "table", table, "record");
  const { name, classes } = requireFields("readLabelColumn", options, { classes: "list" });
  const at = columnIndex(table, name), known = new Set(classes);
  return table.rows.map((row) => {
    const text = textOf(row[at]);
    return text !== undefined && known.has(text) ? text : classes[0]!;
  });
}

/** The place of a column. @throws {RangeError} when the table has none of that name. */
export function columnIndex({ names }: Table, name: string): number {
  const at = names.indexOf(name);
  if (at < 0) throw new RangeError(`Cannot read the table: it must have a column ${name}`);
  return at;
}

/** The text of a cell without blanks around it; undefined where it is missing, or no text, number or truth value. */
export function textOf(cell: unknown): string | undefined {
  if (!["string", "number", "boolean", "bigint"].includes(typeof cell)) return undefined;
  const text = String(cell).trim();
  return text === "" ? undefined : text;
}

/** The number of a cell, or what stands for one. */
function readNumber(cell: unknown, { min, missing = min }: NumberColumn): number {
  const value = typeof cell === "number" ? cell : Number(textOf(cell) ?? NaN);
  return Number.isNaN(value) ? missing : value;
}

/** The place of a cell's category, or of what stands for it; undefined where nothing does. */
function readCategory(
  cell: unknown,
  { column: { missing, unseen }, indexOf }: {
    readonly column: CategoryColumn;
    readonly indexOf: ReadonlyMap<string, number>;
  },
): number | undefined {
  const text = textOf(cell) ?? missing;
  return text === undefined ? undefined : indexOf.get(text) ?? indexOf.get(unseen ?? text);
}

/** Returns the position of a number between the declared bounds of its column, from 0 to 1, on the column's scale. Numbers outside are clamped to the bounds. */
export function shareOfColumn(value: number, { min, max, scale }: NumberColumn): number {
  const above = Math.min(max, Math.max(min, value)) - min;
  return scale === "linear" ? above / (max - min) : Math.log1p(above) / Math.log1p(max - min);
}

/** The number at a share of its column: {@linkcode shareOfColumn} the other way round, but for rounding. */
export function numberAtShare(share: number, { min, max, scale }: NumberColumn): number {
  return min +
    (scale === "linear" ? share * (max - min) : Math.expm1(share * Math.log1p(max - min)));
}
