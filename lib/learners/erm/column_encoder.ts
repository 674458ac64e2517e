import { z } from "zod";
import { type SparseRows, sparseRows } from "./rows.ts";

const numberColumn = z.strictObject({
  name: z.string().min(1),
  type: z.literal("number"),
  min: z.number(),
  max: z.number(),
  scale: z.enum(["linear", "log"]).default("linear"),
}).refine(({ min, max }) => min < max, { message: "min must be below max" })
  .refine(({ min, max }) => max - min < Infinity, { message: "max - min must be finite" });

const categoryColumn = z.strictObject({
  name: z.string().min(1),
  type: z.literal("category"),
  values: z.array(z.string()).min(1),
}).refine(({ values }) => new Set(values).size === values.length, {
  message: "values must all be different",
});

const schema = z.strictObject({
  columns: z.array(z.union([numberColumn, categoryColumn])).min(1),
  label: z.strictObject({ name: z.string().min(1), classes: z.array(z.string()).min(2) })
    .optional(),
}).refine(({ columns }) => new Set(columns.map(({ name }) => name)).size === columns.length, {
  message: "columns must have different names",
});

/**
 * What the columns of a table hold, declared and not learned: bounds of numbers, values of categories,
 * classes of the label. Columns of the table that are not named are not used.
 */
export interface ColumnDescription {
  /** The columns that become features, in this order. */
  readonly columns: readonly (NumberColumn | CategoryColumn)[];
  /** The column of classes and the classes: for two, [negative, positive]. */
  readonly label?: { readonly name: string; readonly classes: readonly string[] } | undefined;
}

/** A column of numbers: clipped to [min, max], then scaled to [0, 1]. */
export interface NumberColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** A number. */
  readonly type: "number";
  /** Declared lower bound. */
  readonly min: number;
  /** Declared upper bound, above `min`. */
  readonly max: number;
  /** `"log"` for heavy tails: by ln(1 + x − min). Default in files: linear. */
  readonly scale: "linear" | "log";
}

/** A column of categories: becomes one feature a value. */
export interface CategoryColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** One of `values`. */
  readonly type: "category";
  /** The values that may occur, declared. */
  readonly values: readonly string[];
}

/** A table read from a file: the names of its columns, and its rows, whose values may be text. */
export interface Table {
  /** Names, one a column. */
  readonly names: readonly string[];
  /** Rows of as many values. */
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Checks a column description.
 *
 * @throws {TypeError} naming the part that is wrong.
 */
export function readColumnDescription(json: unknown): ColumnDescription {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new TypeError(
    `Cannot read the column description: ${path.join(".") || "the file"} is wrong: ${message}`,
  );
}

/** How many features the described columns make: one a number, one a value of a category. */
export function featureCount({ columns }: ColumnDescription): number {
  return columns.reduce((sum, each) => sum + (each.type === "number" ? 1 : each.values.length), 0);
}

/**
 * Turns a table into rows of features in [0, 1]: a number is clipped to its declared bounds and scaled
 * linearly, or by ln(1 + x − min), to [0, 1]; a category becomes as many zeros and a one. Each row is
 * encoded by itself and from the description alone, so this costs no privacy.
 *
 * @throws {RangeError} naming row (the first is 1) and column where a column is absent, a value is
 * missing, a number is none, or a category is not declared; values are never shown.
 */
export function encodeTable(table: Table, description: ColumnDescription): SparseRows {
  const sources = description.columns.map((column) => ({
    column,
    at: columnIndex(table, column.name),
    indexOf: column.type === "category"
      ? new Map(column.values.map((value, index) => [value, index]))
      : undefined,
  }));
  const offsets = new Int32Array(table.rows.length + 1);
  const columns: number[] = [], values: number[] = [];
  for (let i = 0; i < table.rows.length; i++) {
    let first = 0;
    for (const { column, at, indexOf } of sources) {
      const cell = table.rows[i]![at];
      if (column.type === "number") {
        const value = scaled(readNumber(cell, { row: i, name: column.name }), column);
        if (value !== 0) {
          columns.push(first);
          values.push(value);
        }
        first++;
        continue;
      }
      const index = indexOf!.get(readText(cell, { row: i, name: column.name }));
      if (index === undefined) throw refusal(i, column.name, "must be one of the declared values");
      columns.push(first + index);
      values.push(1);
      first += column.values.length;
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
  { name, classes }: { name: string; classes: readonly string[] },
): string[] {
  const at = columnIndex(table, name);
  return table.rows.map((row, i) => {
    const label = readText(row[at], { row: i, name });
    if (!classes.includes(label)) {
      throw refusal(i, name, `must be one of the classes ${JSON.stringify(classes)}`);
    }
    return label;
  });
}

function columnIndex({ names }: Table, name: string): number {
  const at = names.indexOf(name);
  if (at < 0) throw new RangeError(`Cannot read the table: it must have a column ${name}`);
  return at;
}

function readText(cell: unknown, { row, name }: { row: number; name: string }): string {
  if (cell === undefined || cell === null || String(cell).trim() === "") {
    throw refusal(row, name, "must not be missing");
  }
  return String(cell).trim();
}

function readNumber(cell: unknown, where: { row: number; name: string }): number {
  const value = Number(readText(cell, where));
  if (!Number.isFinite(value)) throw refusal(where.row, where.name, "must be a finite number");
  return value;
}

function scaled(
  value: number,
  { min, max, scale }: { min: number; max: number; scale: "linear" | "log" },
): number {
  const above = Math.min(max, Math.max(min, value)) - min;
  return scale === "linear" ? above / (max - min) : Math.log1p(above) / Math.log1p(max - min);
}

function refusal(row: number, name: string, rule: string): RangeError {
  return new RangeError(`Cannot read the table: row ${row + 1}, column ${name}: the value ${rule}`);
}
