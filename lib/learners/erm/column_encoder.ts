import { requireFields, requireKind } from "../../numeric/require.ts";
import {
  type CategoryColumn,
  type ColumnDescription,
  featureCount,
  type LabelColumn,
  type NumberColumn,
} from "./column_description.ts";
import { type SparseRows, sparseRows } from "./rows.ts";

/** A table read from a file: the names of its columns, and its rows, whose values may be text. */
export interface Table {
  /** Names, one a column. */
  readonly names: readonly string[];
  /** Rows of as many values. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Where rows stand in the table that they are a part of. */
export interface PartOptions {
  /** Rows before them. Default 0. */
  readonly first?: number;
}

/**
 * Turns a table into rows of features in [0, 1]: a number is clipped to its declared bounds and scaled
 * linearly, or by ln(1 + x − min), to [0, 1]; a category becomes as many zeros and a one. What is missing, and a
 * category that is not declared, are taken as the description says, or refused. Each row is encoded by itself and
 * from the description alone, so this costs no privacy.
 *
 * @throws {RangeError} naming row (the first is 1) and column where a column is absent, a cell is not a number, or no rule
 * is declared for a value that is missing or not declared; values are never shown.
 */
export function encodeTable(
  table: Table,
  description: ColumnDescription,
  options: PartOptions = {},
): SparseRows {
  requireKind("encodeTable", "table", table, "record");
  requireKind("encodeTable", "description", description, "record");
  const { first = 0 } = requireFields("encodeTable", options, {});
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
    const row = first + i;
    let feature = 0;
    for (const { column, at, indexOf } of sources) {
      const cell = table.rows[i]![at];
      if (column.type === "number") {
        const value = shareOfColumn(readNumber(cell, { row, column }), column);
        if (value !== 0) {
          columns.push(feature);
          values.push(value);
        }
        feature++;
        continue;
      }
      columns.push(feature + readCategory(cell, { row, column, indexOf }));
      values.push(1);
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
 * The labels of a table as text.
 *
 * @throws {RangeError} naming row and column where one is missing or not among `classes`.
 */
export function readLabelColumn(
  table: Table,
  options: LabelColumn,
  given: PartOptions = {},
): string[] {
  requireKind("readLabelColumn", "table", table, "record");
  const { name, classes } = requireFields("readLabelColumn", options, { classes: "list" });
  const { first = 0 } = requireFields("readLabelColumn", given, {});
  const at = columnIndex(table, name), known = new Set(classes);
  return table.rows.map((row, i) => {
    const label = textOf(row[at]);
    if (label === undefined) throw refusal(first + i, name, "must not be missing");
    if (!known.has(label)) {
      throw refusal(first + i, name, `must be one of the classes ${JSON.stringify(classes)}`);
    }
    return label;
  });
}

/** The place of a column. @throws {RangeError} when the table has none of that name. */
export function columnIndex({ names }: Table, name: string): number {
  const at = names.indexOf(name);
  if (at < 0) throw new RangeError(`Cannot read the table: it must have a column ${name}`);
  return at;
}

/** The text of a cell without blanks around it; undefined where it is missing. */
export function textOf(cell: unknown): string | undefined {
  if (cell === undefined || cell === null) return undefined;
  const text = String(cell).trim();
  return text === "" ? undefined : text;
}

function readNumber(
  cell: unknown,
  { row, column }: { readonly row: number; readonly column: NumberColumn },
): number {
  const value = typeof cell === "number" ? cell : Number(textOf(cell) ?? column.missing);
  if (Number.isFinite(value)) return value;
  throw refusal(
    row,
    column.name,
    textOf(cell) === undefined ? "must not be missing" : "must be a finite number",
  );
}

function readCategory(
  cell: unknown,
  { row, column, indexOf }: {
    readonly row: number;
    readonly column: CategoryColumn;
    readonly indexOf: ReadonlyMap<string, number>;
  },
): number {
  const { name, missing, unseen } = column;
  const text = textOf(cell) ?? missing;
  if (text === undefined) throw refusal(row, name, "must not be missing");
  const index = indexOf.get(text) ?? indexOf.get(unseen ?? text);
  if (index === undefined) throw refusal(row, name, "must be one of the declared values");
  return index;
}

/** Where a number lies between the declared bounds of its column, from 0 to 1. Numbers outside are moved to the bounds. */
export function shareOfColumn(value: number, { min, max, scale }: NumberColumn): number {
  const above = Math.min(max, Math.max(min, value)) - min;
  return scale === "linear" ? above / (max - min) : Math.log1p(above) / Math.log1p(max - min);
}

/** The number at a share of its column: {@linkcode shareOfColumn} the other way round, but for rounding. */
export function numberAtShare(share: number, { min, max, scale }: NumberColumn): number {
  return min +
    (scale === "linear" ? share * (max - min) : Math.expm1(share * Math.log1p(max - min)));
}

function refusal(row: number, name: string, rule: string): RangeError {
  return new RangeError(`Cannot read the table: row ${row + 1}, column ${name}: the value ${rule}`);
}
