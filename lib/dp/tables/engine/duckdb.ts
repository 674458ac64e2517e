import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { requireKnown } from "../../../core/text/known_options.ts";
import { type CsvOptions, csvParts } from "../csv_rows.ts";
import { type AnswerColumns, areExact, foundOfColumns } from "./found_of_columns.ts";
import { requireColumns } from "./memory.ts";
import { columnsOf, type Engine, type Found, type Plan } from "./plan.ts";
import {
  type Dialect,
  type KeyTable,
  quotedName,
  type SqlTable,
  type SqlType,
  type Sums,
} from "./dialect.ts";
import { queryOf } from "./sql.ts";
import { doublesAs, NUMBER_PATTERN } from "./sql_doubles.ts";

/** Part of a connection of `@duckdb/node-api`. */
export interface DuckDBConnectionLike {
  /** Runs a statement. */
  run(sql: string): Promise<unknown>;
  /** Runs a query and gives all its rows, by column. */
  runAndReadAll(sql: string): Promise<{
    columnNames(): readonly string[];
    getColumns(): readonly (readonly unknown[])[];
  }>;
  /** Begins to append rows to a table. */
  createAppender(table: string): Promise<DuckDBAppenderLike>;
}

/** Part of an appender of `@duckdb/node-api`. */
export interface DuckDBAppenderLike {
  /** Appends a text to the row. */
  appendVarchar(value: string): void;
  /** Appends a double. */
  appendDouble(value: number): void;
  /** Appends a whole number of 64 bits. */
  appendBigInt(value: bigint): void;
  /** Appends a whole number of 32 bits. */
  appendInteger(value: number): void;
  /** Appends a missing value. */
  appendNull(): void;
  /** Ends the row. */
  endRow(): void;
  /** Writes what was appended. */
  closeSync(): void;
}

/** Options of {@linkcode duckdb}. */
export interface DuckDBOptions extends CsvOptions {
  /** A connection that is open, for which the first argument names a table or a view of it. */
  readonly connection?: DuckDBConnectionLike;
  /** Of a connection of its own: memory that it may take before it writes to temporary files, as in "1GB". */
  readonly memory?: string;
  /** Of a connection of its own: threads. Default: as many as there are cores. */
  readonly threads?: number;
}

/**
 * Rows that DuckDB reads, for {@linkcode table}: a Parquet file, a CSV file, or a table of a connection; they may be larger than memory. It needs `@duckdb/node-api` (`npm install @duckdb/node-api`).
 *
 * CSV is cut into rows and cells here, by the rule of `csvRows`, and not by DuckDB, whose reader loses rows beside one that is odd; for a file that fits in a question's memory
 * `csvRows` alone is quicker. Parquet is read as by `parquetRows`.
 *
 * @throws {RangeError} for an option that is unknown. Questions throw an Error when DuckDB is not installed or fails; then nothing is paid.
 *
 * @example
 * ```ts
 * import { duckdb } from "./duckdb.ts";
 * const rows = duckdb("survey.parquet", { memory: "1GB" });
 * ```
 */
export function duckdb(file: string, options: DuckDBOptions = {}): Engine {
  requireKind("duckdb", "file", file, "text");
  const { connection, memory, threads, ...csv } = requireFields("duckdb", options, {
    memory: "text?",
    delimiter: "text?",
  });
  requireKnown("read by DuckDB", options, ["connection", "memory", "threads", "delimiter"]);
  return {
    engine: "duckdb",
    async run(plans, declared = []): Promise<readonly Found[]> {
      const names = [...new Set([...declared, ...plans.flatMap(columnsOf)])];
      if (connection !== undefined) {
        return await runOn(connection, plans, { source: quotedName(file), names });
      }
      return await withConnection({ memory, threads }, async (own) => {
        if (file.endsWith(".parquet")) {
          return await runOn(own, plans, { source: `read_parquet(${textOf(file)})`, names });
        }
        await loadCsv(own, file, { ...csv, names });
        return await runOn(own, plans, { source: CSV_TABLE, names });
      });
    },
  };
}

/** Rows of a CSV file, in a table of their own. */
const CSV_TABLE = "dpcheck_rows";

async function withConnection<Output>(
  { memory, threads }: {
    readonly memory: string | undefined;
    readonly threads: number | undefined;
  },
  use: (connection: DuckDBConnectionLike) => Promise<Output>,
): Promise<Output> {
  let DuckDBInstance;
  try {
    ({ DuckDBInstance } = await import("@duckdb/node-api"));
  } catch (error) {
    throw new Error(
      "Cannot ask DuckDB: @duckdb/node-api must be installed, as by npm install @duckdb/node-api; csvRows and parquetRows need nothing",
      { cause: error },
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "dpcheck-duckdb-"));
  try {
    const instance = await DuckDBInstance.create(":memory:", {
      temp_directory: folder,
      preserve_insertion_order: "false",
      ...(memory !== undefined && { memory_limit: memory }),
      ...(threads !== undefined && { threads: String(threads) }),
    });
    const connection = await instance.connect();
    try {
      // Groups that are whole numbers within a range of a million are then places of a list, and not hashed: mostly half of the time.
      await connection.run("SET perfect_ht_threshold = 20");
      return await use(connection as unknown as DuckDBConnectionLike);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Cuts a CSV file by our rule, and hands its cells over as texts. */
async function loadCsv(
  connection: DuckDBConnectionLike,
  file: string,
  { names, ...options }: CsvOptions & { readonly names: readonly string[] },
): Promise<void> {
  let appender: DuckDBAppenderLike | undefined, places: readonly number[] = [];
  for await (const { names: columns, rows } of csvParts(file, options)) {
    if (appender === undefined) {
      requireColumns(columns, names);
      places = names.map((name) => columns.indexOf(name));
      const declared = names.map((name) => `${quotedName(name)} VARCHAR COLLATE C`).join(", ");
      await connection.run(`CREATE TEMP TABLE ${CSV_TABLE} (${declared || "none VARCHAR"})`);
      appender = await connection.createAppender(CSV_TABLE);
    }
    for (const row of rows) {
      for (const place of places) {
        const cell = row[place];
        if (cell === undefined) appender.appendNull();
        else appender.appendVarchar(cell);
      }
      if (places.length === 0) appender.appendNull();
      appender.endRow();
    }
  }
  appender?.closeSync();
}

/** Answers plans about a table of a connection. */
async function runOn(
  connection: DuckDBConnectionLike,
  plans: readonly Plan[],
  { source, names }: { readonly source: string; readonly names: readonly string[] },
): Promise<Found[]> {
  const types = await typesOf(connection, source);
  requireColumns([...types.keys()], names);
  const found: Found[] = [];
  for (const plan of plans) found.push(await answerOf(connection, plan, { source, types }));
  return found;
}

let tables = 0;

async function answerOf(
  connection: DuckDBConnectionLike,
  plan: Plan,
  table: SqlTable,
): Promise<Found> {
  const prefix = `dpcheck_${++tables}_`, dialect = duckdbDialect;
  const place = ({ name }: KeyTable): string => `${prefix}${name} AS ${name}`;
  const written = (sums: Sums) => queryOf(plan, { table, dialect, place, sums });
  const { query, keys } = written("doubles");
  const ask = async (query: string): Promise<AnswerColumns> => {
    const reader = await connection.runAndReadAll(query), columns = reader.getColumns();
    return Object.fromEntries(reader.columnNames().map((name, i) => [name, columns[i] ?? []]));
  };
  try {
    for (const each of keys) await makeKeys(connection, `${prefix}${each.name}`, each);
    const answer = await ask(query), isExact = areExact(plan, answer);
    return foundOfColumns(plan, isExact ? answer : await ask(written("whole").query));
  } finally {
    for (const { name } of keys) await connection.run(`DROP TABLE IF EXISTS ${prefix}${name}`);
  }
}

const KEY_TYPES = { text: "VARCHAR COLLATE C", double: "DOUBLE", integer: "BIGINT" } as const;

async function makeKeys(
  connection: DuckDBConnectionLike,
  name: string,
  { type, rows }: KeyTable,
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${name} (k ${KEY_TYPES[type]}, p INTEGER)`);
  const appender = await connection.createAppender(name);
  for (const [key, place] of rows) {
    if (typeof key === "string") appender.appendVarchar(key);
    else if (typeof key === "bigint") appender.appendBigInt(key);
    else appender.appendDouble(key);
    appender.appendInteger(place);
    appender.endRow();
  }
  appender.closeSync();
}

async function typesOf(
  connection: DuckDBConnectionLike,
  source: string,
): Promise<Map<string, SqlType>> {
  const [names, types] = (await connection.runAndReadAll(
    `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${source})`,
  )).getColumns();
  return new Map((names ?? []).map((name, i) => [String(name), typeOf(String(types![i]))]));
}

function typeOf(type: string): SqlType {
  if (/^(VARCHAR|UUID|ENUM\()/.test(type) && !type.endsWith("]")) return "text";
  if (/^(U?(TINYINT|SMALLINT|INTEGER)|BIGINT)$/.test(type)) return "integer";
  if (/^(UBIGINT|U?HUGEINT)$/.test(type)) return "wide integer";
  if (/^DECIMAL\([\d,]+\)$/.test(type)) return "decimal";
  if (/^(FLOAT|DOUBLE)$/.test(type)) return "double";
  if (type === "BOOLEAN") return "boolean";
  if (type === "DATE") return "date";
  return /^TIMESTAMP(_S|_MS|_NS)?$/.test(type) || type === "TIMESTAMP WITH TIME ZONE"
    ? "timestamp"
    : "other";
}

/** A text as a literal; a zero byte would end it. */
function textOf(text: string): string {
  const parts = text.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? parts[0]! : `(${parts.join(" || chr(0) || ")})`;
}

const BLANKS = "' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13)";

const { double: doubleOf, unlessNaN } = doublesAs("DOUBLE");

/** The SQL of DuckDB. */
const duckdbDialect: Dialect = {
  name: "duckdb",
  keepsIntegers: true,
  column: quotedName,
  text: textOf,
  // Half of a pair is in no text of a database.
  canHold: (text) => text.isWellFormed(),
  double: doubleOf,
  numberOfText(text): string {
    const trimmed = `trim(${text}, ${BLANKS})`;
    // Most texts are such, and are read at a fifth of the cost.
    const plain = `regexp_full_match(${text}, '-?[0-9]{1,15}([.][0-9]{1,15})?')`;
    return `(CASE WHEN ${plain} THEN TRY_CAST(${text} AS DOUBLE) WHEN regexp_full_match(${trimmed}, '${NUMBER_PATTERN}') THEN TRY_CAST(ltrim(${trimmed}, '+') AS DOUBLE) END)`;
  },
  dayOf(cell, type): string {
    const days = (date: string): string =>
      `CAST(date_diff('day', DATE '1970-01-01', ${date}) AS DOUBLE)`;
    if (type === "date") return `(CASE WHEN isfinite(${cell}) THEN ${days(cell)} END)`;
    if (type === "timestamp") {
      // A cast to a date would be of the zone that the session has, and ends in an error for the first days that there are. Of what is infinite this is NULL, and // cuts towards 0.
      const since = `epoch_us(${cell})`;
      return `CAST(${since} // 86400000000 - CAST(${since} % 86400000000 < 0 AS BIGINT) AS DOUBLE)`;
    }
    if (type !== "text") return "CAST(NULL AS DOUBLE)";
    const form = String.raw`[0-9]{4}-[0-9]{2}-[0-9]{2}([T ](.|\n)*)?`;
    const date = `TRY_CAST(substr(${cell}, 1, 10) AS DATE)`;
    return `(CASE WHEN regexp_full_match(${cell}, '${form}') AND substr(${cell}, 1, 4) <> '0000' THEN ${
      days(date)
    } END)`;
  },
  doubles: "DOUBLE",
  // What a Parquet file says of the least and the largest cell leaves NaN out, and a comparison that it decides is not made: of a number that is computed it says nothing, nor of isnan.
  unlessNaN: (double) => unlessNaN(`(-(-${double}))`),
  isNumber: (double) => `NOT isnan(${double})`,
  asDouble: (cell) => `CAST(${cell} AS DOUBLE)`,
  // A column, or the connection, may take other texts for equal.
  asText: (cell) => `(CAST(${cell} AS VARCHAR) COLLATE C)`,
  whole: (double) => `CAST(${double} AS BIGINT)`,
  sum: (whole) => `sum(${whole})`,
  sumOfSums: (sum) => `sum(${sum})`,
  // Most divisors are powers of two, whose inverses are exact, and products are cheaper.
  quotient: (double, divisor) =>
    Number.isFinite(1 / divisor) && 2 ** Math.round(Math.log2(divisor)) === divisor
      ? `${double} * ${doubleOf(1 / divisor)}`
      : `${double} / ${doubleOf(divisor)}`,
  square: (double) => `(${double} * ${double})`,
  apply: (operator, left, right) => unlessNaN(`(${left} ${operator} ${right})`),
  alike: (value) => value,
  hash: (parts, key) => `hash(${[...parts, String(key)].join(", ")})`,
};
