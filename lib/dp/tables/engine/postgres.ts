import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { requireKnown } from "../../../core/text/known_options.ts";
import { type AnswerColumns, areExact, foundOfColumns } from "./found_of_columns.ts";
import { requireColumns } from "./memory.ts";
import { columnsOf, type Engine, type Found, type Plan } from "./plan.ts";
import { postgresDialect, typeOfPostgres } from "./postgres_dialect.ts";
import { quotedName, type SqlTable, type SqlType, type Sums } from "./dialect.ts";
import { queryOf } from "./sql.ts";

/** Options of {@linkcode postgres}. */
export interface PostgresOptions {
  /**
   * Where the database is: a URL, `postgres://user@host:5432/name`, or what `Client` of the package `pg` takes, as for certificates. What it lacks comes from
   * the environment (`PGHOST`, `PGUSER`, `PGDATABASE`, `PGPASSWORD`), where a password is better kept. Default: all of it.
   */
  readonly connection?: string | Readonly<Record<string, unknown>>;
  /** The schema of the database that has the table. Default: by its search path. */
  readonly schema?: string;
  /** Seconds after which a query that was not answered fails. Default: none. */
  readonly timeout?: number;
}

/** The part of a client of `pg` that is used here. */
interface Client {
  connect(): Promise<unknown>;
  query(query: object): Promise<{
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
    readonly rows: readonly (readonly (string | null)[])[];
  }>;
  end(): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
}

/**
 * Rows of a table or view of PostgreSQL 12 or later, for {@linkcode table}. It needs `pg` (`npm install pg`). All that is read for one question, or for several at once, is read in
 * one transaction that writes nothing, so that rows which others change meanwhile are as they were.
 *
 * The tables of the database need no preparation, and the user no rights but to read this one. Errors name what the database calls them, and no row.
 *
 * @throws {RangeError} for an option that is unknown. Questions throw an Error when `pg` is not installed, or the database cannot be reached or fails; then nothing is paid.
 *
 * @example
 * ```ts
 * import { postgres } from "./postgres.ts";
 * const rows = postgres("visits", { connection: "postgres://analyst@localhost/clinic" });
 * ```
 */
export function postgres(table: string, options: PostgresOptions = {}): Engine {
  requireKind("postgres", "table", table, "text");
  const { connection, schema, timeout } = requireFields("postgres", options, {
    schema: "text?",
  });
  if (timeout !== undefined && !(timeout > 0 && timeout <= 1e6)) {
    throw new RangeError(
      `Cannot ask PostgreSQL: timeout must be seconds above 0: current value is ${Number(timeout)}`,
    );
  }
  requireKnown("read by PostgreSQL", options, ["connection", "schema", "timeout"]);
  const source = `${schema === undefined ? "" : `${quotedName(schema)}.`}${quotedName(table)}`;
  return {
    engine: "postgres",
    async run(plans, declared = []): Promise<readonly Found[]> {
      const names = [...new Set([...declared, ...plans.flatMap(columnsOf)])];
      return await withClient({ connection, timeout }, async (client) => {
        const types = await typesOf(client, source);
        requireColumns([...types.keys()], names);
        const found: Found[] = [];
        const asked = { table: { source, types }, sums: "doubles" } as const;
        for (const plan of plans) found.push(await answerOf(client, plan, asked));
        return found;
      });
    },
  };
}

async function withClient<Output>(
  { connection, timeout }: {
    readonly connection: PostgresOptions["connection"] | undefined;
    readonly timeout: number | undefined;
  },
  use: (client: Client) => Promise<Output>,
): Promise<Output> {
  let Client: new (options: object) => Client;
  try {
    ({ default: { Client } } = await import("pg"));
  } catch (error) {
    throw new Error("Cannot ask PostgreSQL: pg must be installed, as by npm install pg", {
      cause: error,
    });
  }
  const own = typeof connection === "string" ? { connectionString: connection } : connection;
  let client: Client;
  try {
    client = new Client({
      connectionTimeoutMillis: 30_000,
      application_name: "dpcheck",
      ...(timeout !== undefined && { query_timeout: Math.ceil(timeout * 1000) }),
      ...own,
    });
    // It ends what is asked, which says so.
    client.on("error", () => {});
    await client.connect();
  } catch (error) {
    throw new Error(`Cannot ask PostgreSQL: ${wordsOf(error)}`);
  }
  try {
    await ask(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await ask(
      client,
      "SET LOCAL extra_float_digits = 1; SET LOCAL TimeZone = 'UTC'; SET LOCAL client_encoding = 'UTF8'",
    );
    const [[encoding] = []] = (await ask(client, "SHOW server_encoding")).rows;
    if (encoding !== "UTF8") {
      throw new Error(
        `Cannot ask PostgreSQL: the encoding of the database must be UTF8: current value is ${encoding}`,
      );
    }
    return await use(client);
  } finally {
    // What was read is read: an end that fails changes nothing.
    await client.end().catch(() => {});
  }
}

/** Why nobody could be connected to. These words are of the system or the server's door, which know no row; where a URL is wrong they would repeat it, with its password. */
function wordsOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_INVALID_URL" || error instanceof TypeError || error instanceof URIError
    ? "connection must be a URL, as in postgres://user@host/database"
    : String(message || code);
}

async function ask(
  client: Client,
  text: string,
  values: readonly unknown[] = [],
): ReturnType<Client["query"]> {
  try {
    return await client.query({
      text,
      rowMode: "array",
      ...(values.length > 0 && { values }),
      types: { getTypeParser: () => (value: string): string => value },
    });
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    // What the server says of a query may quote a cell, in a view for instance: its code says enough.
    const isOfServer = /^[0-9A-Z]{5}$/.test(code ?? "");
    throw new Error(
      `Cannot ask PostgreSQL: the query must be answered: current error is ${
        isOfServer ? `SQLSTATE ${code}${NAMES[code!] ?? ""}` : message
      }`,
    );
  }
}

/** Errors that people meet. */
const NAMES: Readonly<Record<string, string>> = {
  "25006": ", a write in a transaction that only reads",
  "42501": ", no right to read it",
  "42P01": ", no such table",
  "3F000": ", no such schema",
  "53100": ", a full disk",
  "53200": ", no memory",
  "57014": ", cancelled",
  "57P01": ", ended by an administrator",
};

async function typesOf(client: Client, source: string): Promise<Map<string, SqlType>> {
  const { fields } = await ask(client, `SELECT * FROM ${source} LIMIT 0`);
  const { rows } = await ask(
    client,
    "SELECT oid, typcategory FROM pg_catalog.pg_type WHERE oid = ANY ($1::oid[])",
    [fields.map(({ dataTypeID }) => dataTypeID)],
  );
  const categories = new Map(rows.map(([oid, category]) => [Number(oid), category ?? ""]));
  return new Map(
    fields.map(({ name, dataTypeID: oid }) => [
      name,
      typeOfPostgres({ oid, category: categories.get(oid) ?? "" }),
    ]),
  );
}

const KEY_TYPES = { text: "text", double: "float8", integer: "int8" } as const;

async function answerOf(
  client: Client,
  plan: Plan,
  { table, sums }: { readonly table: SqlTable; readonly sums: Sums },
): Promise<Found> {
  let count = 0;
  const { query, keys } = queryOf(plan, {
    table,
    sums,
    dialect: postgresDialect,
    place: ({ name, type }) => {
      const [k, p] = [++count, ++count];
      return `unnest($${k}::${KEY_TYPES[type]}[], $${p}::int[]) AS ${name}(k, p)`;
    },
  });
  const values = keys.flatMap(({ rows }) => [rows.map(([key]) => key), rows.map(([, at]) => at)]);
  const { fields, rows } = await ask(client, query, values);
  const answer: AnswerColumns = Object.fromEntries(
    fields.map(({ name, dataTypeID }, i) => [
      name,
      rows.map((row) => dataTypeID === 701 ? Number(row[i]) : row[i]),
    ]),
  );
  return sums === "whole" || areExact(plan, answer)
    ? foundOfColumns(plan, answer)
    : await answerOf(client, plan, { table, sums: "whole" });
}
