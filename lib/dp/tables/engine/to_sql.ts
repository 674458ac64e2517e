import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { type AnswerColumns, foundOfColumns } from "./found_of_columns.ts";
import { requireColumns } from "./memory.ts";
import { columnsOf, type Found, type Plan } from "./plan.ts";
import { bigqueryDialect } from "./bigquery_dialect.ts";
import { sparkDialect } from "./spark_dialect.ts";
import type { Dialect, KeyTable, SqlType } from "./dialect.ts";
import { queryOf } from "./sql.ts";

/** Of what {@linkcode toSQL} writes a query. */
export interface SqlOptions {
  /** Whose SQL it is. */
  readonly dialect: "spark" | "bigquery";
  /** The table, by the parts of its name: `["project", "dataset", "table"]`. */
  readonly table: string | readonly string[];
  /** What each of its columns holds. `"decimal"` is a number of exact digits; what has none of these types is `"other"`, and its cells are missing. */
  readonly types: Readonly<Record<string, SqlType>>;
}

const DIALECTS = {
  spark: { dialect: sparkDialect, keys: sparkKeys },
  bigquery: { dialect: bigqueryDialect, keys: bigqueryKeys },
} as const satisfies Record<
  string,
  { readonly dialect: Dialect; readonly keys: (keys: KeyTable) => string }
>;

/**
 * Writes a plan as one query for an engine that is not part of this library. Whoever has a client of Spark or BigQuery makes an {@linkcode Engine} of it: its `run` sends these texts, and gives what
 * {@linkcode foundOfRows} makes of the rows that come back.
 *
 * These texts are read by parsers of their dialects in tests, and were never run: compare totals of a table that is known before answers are believed. They hold the secret key of
 * priorities where persons are bounded, so that logs of queries belong to who may see rows.
 *
 * @throws {TypeError} for what is no plan, or options without types.
 * @throws {RangeError} for another dialect, and where a column that the plan reads has no type.
 */
export function toSQL(plan: Plan, options: SqlOptions): string {
  requirePlan("toSQL", plan);
  const { dialect: name, table, types } = requireFields("toSQL", options, { types: "record" });
  if (name !== "spark" && name !== "bigquery") {
    throw new RangeError(
      `Cannot write SQL: dialect must be "spark" or "bigquery": current value is ${
        typeof name === "string" ? name : typeof name
      }`,
    );
  }
  const { dialect, keys } = DIALECTS[name];
  requireColumns(Object.keys(types), columnsOf(plan));
  const source = (typeof table === "string" ? [table] : table).map(dialect.column).join(".");
  const of = { source, types: new Map(Object.entries(types)) };
  return queryOf(plan, { table: of, dialect, place: keys }).query;
}

/**
 * Reads whole numbers by public key from the rows that the query of {@linkcode toSQL} gave: records, with whole numbers as numbers, big ones, or texts.
 *
 * @throws {Error} where they are no answer to the plan.
 */
export function foundOfRows(plan: Plan, rows: readonly Readonly<Record<string, unknown>>[]): Found {
  requirePlan("foundOfRows", plan);
  requireKind("foundOfRows", "rows", rows, "list");
  const answer: AnswerColumns = Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((name) => [name, rows.map((row) => row[name])]),
  );
  return foundOfColumns(plan, answer);
}

function requirePlan(name: string, plan: Plan): void {
  requireKind(name, "plan", plan, "record");
  requireKind(name, "plan.parts", plan.parts, "list");
  requireKind(name, "plan.wanted", plan.wanted, "record");
}

function sparkKeys({ name, type, rows }: KeyTable): string {
  const { text, double } = sparkDialect;
  const listed = rows.map(([key, place]) =>
    `(${typeof key === "string" ? text(key) : double(Number(key))}, ${place})`
  );
  // No cell is equal to NULL.
  const none = `(CAST(NULL AS ${type === "text" ? "STRING" : "DOUBLE"}), 0)`;
  return `(VALUES ${listed.join(", ") || none}) AS ${name}(k, p)`;
}

function bigqueryKeys({ name, type, rows }: KeyTable): string {
  const { text, double } = bigqueryDialect;
  const listed = rows.map(([key, place]) =>
    `STRUCT(${typeof key === "string" ? text(key) : double(Number(key))} AS k, ${place} AS p)`
  );
  const none = `STRUCT(CAST(NULL AS ${type === "text" ? "STRING" : "FLOAT64"}) AS k, 0 AS p)`;
  return `UNNEST([${listed.join(", ") || none}]) AS ${name}`;
}
