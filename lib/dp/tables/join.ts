import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { keyOf, type Row } from "../schema/cells.ts";
import { requireColumn } from "./column_values.ts";
import { checkColumn, type Column } from "../schema/column.ts";
import type { CheckedSchema } from "./schema.ts";

/** Options of a join with a public table. */
export interface JoinOptions {
  /** The column of both tables whose values are compared, as texts. */
  readonly on: string;
  /** What its columns are. Default: numbers between the least and the largest, or else categories with the values that there are. */
  readonly columns?: Readonly<Record<string, Column>>;
}

/**
 * Looks up each row in a public table: its schema, and the row with the columns of the public row that it matches, which are missing where there is none. What becomes of a row depends
 * on nothing but itself, and it stays one row of the same person: neighbours stay neighbours, and what units are bounded by stands. So no column may take
 * the place of one that is declared, or of the one that names persons.
 */
export function joinPublic(
  schema: CheckedSchema,
  rows: readonly Row[],
  options: JoinOptions,
): { readonly schema: CheckedSchema; readonly withColumns: (row: Row) => Row } {
  const action = "join a public table";
  const { on, columns: declared = {} } = requireFields("join", options, {
    on: "text",
    columns: "record?",
  });
  requireKnown(action, options, ["on", "columns"]);
  if (on !== schema.person) requireColumn(action, schema.columns, on);
  requireKind("join", "rows", rows, "list");
  const names = [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))]
    .filter((name) => name !== on);
  for (const name of [...names, ...Object.keys(declared)]) {
    if (names.includes(name) && !Object.hasOwn(schema.columns, name) && name !== schema.person) {
      continue;
    }
    throw new RangeError(
      `Cannot ${action}: columns must be some of its own, with names that the table has not: current value is ${name}`,
    );
  }
  const of = (row: Row | undefined): Row =>
    Object.fromEntries(names.map((name) => [name, row?.[name]]));
  const found = new Map<string, Row>(), missing = of(undefined);
  for (const row of rows) {
    const key = keyOf(row?.[on]);
    if (key === undefined || found.has(key)) {
      throw new RangeError(
        `Cannot ${action}: rows must have a value of ${on} each, and each value once: current value is ${
          key ?? "missing"
        }`,
      );
    }
    found.set(key, of(row));
  }
  const columns = { ...schema.columns };
  for (const name of names) {
    columns[name] = checkColumn(
      name,
      Object.hasOwn(declared, name) ? declared[name]! : columnOf(rows.map((row) => row[name])),
    );
  }
  const keys = [...found.keys()];
  const lookups = Object.fromEntries(
    names.map((name) => [name, {
      column: on,
      lookup: { keys, cells: keys.map((key) => publicCell(found.get(key)![name])) },
    }]),
  );
  const lookUp = (cell: unknown): Row => {
    const key = keyOf(cell);
    return (key === undefined ? undefined : found.get(key)) ?? missing;
  };
  return {
    schema: { ...schema, columns, lookups: { ...schema.lookups, ...lookups } },
    withColumns: (row) => ({ ...row, ...lookUp(row?.[on]) }),
  };
}

/** A cell of a public table: what is no text, number or truth value is missing. */
function publicCell(cell: unknown): string | number | boolean | undefined {
  if (typeof cell === "bigint") return String(cell);
  return ["string", "number", "boolean"].includes(typeof cell) ? cell as string : undefined;
}

/** The declaration of a column of which all is public. */
function columnOf(cells: readonly unknown[]): Column {
  const values = cells.filter((cell) => cell !== undefined && cell !== null);
  const numbers = values.filter((cell) => Number.isFinite(cell)) as number[];
  const [lower, upper] = numbers.reduce(
    ([least, most], number) => [Math.min(least, number), Math.max(most, number)],
    [Infinity, -Infinity],
  );
  return values.length > 0 && numbers.length === values.length && lower! < upper!
    ? { type: "number", lower: lower!, upper: upper! }
    : { type: "category", values: [...new Set(values.map(keyOf))] as string[] };
}
