import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { numberOf, type Row } from "../../../../lib/dp/schema/cells.ts";
import { postgres, table } from "../../../../lib/dp/tables/mod.ts";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";
import { LONG } from "../../../long.ts";
import { postgresDialect } from "../../../../lib/dp/tables/engine/postgres_dialect.ts";
import { quotedName } from "../../../../lib/dp/tables/engine/dialect.ts";
import { checkHostileNames } from "./hostile_names.ts";
import { checkSensitivity, checkTotals, type TriedEngine } from "./conformance.ts";
import { COLUMNS } from "./generated_plans.ts";
import { checkPayments } from "./payments.ts";
import { hasPostgres, PostgresServer } from "./postgres_server.ts";
import { asksMeanHours } from "./mean_hours.ts";

const TYPES = {
  text: "text COLLATE alike",
  integer: "bigint",
  double: "double precision",
  boolean: "boolean",
  date: "date",
};

/** Puts generated rows into a table, and asks. */
async function openedOn(server: PostgresServer): Promise<TriedEngine> {
  const names = Object.entries(COLUMNS);
  // Cases and accents are equal by it, and so are NFC and NFD.
  await server.query(
    "CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
  );
  await server.query(
    `CREATE TABLE rows (${names.map(([name, type]) => `"${name}" ${TYPES[type]}`).join(", ")})`,
  );
  const arrays = names.map(([, type], i) =>
    `$${i + 1}::${TYPES[type].split(" ")[0] === "text" ? "text" : TYPES[type]}[]`
  ).join(", ");
  return {
    name: "postgres",
    found: async (rows: readonly Row[], plans) => {
      await server.query(
        `WITH gone AS (DELETE FROM rows) INSERT INTO rows SELECT * FROM unnest(${arrays})`,
        names.map(([name]) => rows.map((row) => row[name] ?? null)),
      );
      return await postgres("rows", { connection: server.connection }).run(plans);
    },
  };
}

// One server for all: each takes seconds to start.
Deno.test({
  name: "postgres",
  ignore: !hasPostgres,
  fn: async (t) => {
    await withFolder(async (folder) => {
      const server = await PostgresServer.start(folder);
      try {
        const engine = await openedOn(server);
        // Mutants: a product that overflows; 1e999 cast to a double; texts compared by the collation of their column.
        await t.step(
          "finds the totals that are found in memory",
          () => checkTotals(engine, LONG ? 1000 : 12),
        );
        await t.step(
          "moves by what noise is scaled to, at most",
          () => checkSensitivity(engine, LONG ? 500 : 8),
        );
        await t.step(
          "takes names and cells that are statements as names and cells",
          () =>
            checkHostileNames({
              name: "postgres",
              open: async ({ name, columns, rows }) => {
                const table = quotedName(name), [person, text, number] = columns;
                await server.query(`DROP TABLE IF EXISTS ${table}`);
                await server.query(
                  `CREATE TABLE ${table} (${quotedName(person)} text, ${
                    quotedName(text)
                  } varchar, ${quotedName(number)} numeric)`,
                );
                await server.query(
                  `INSERT INTO ${table} SELECT * FROM unnest($1::text[], $2::text[], $3::numeric[])`,
                  columns.map((column) => rows.map((row) => row[column])),
                );
                return postgres(name, { connection: server.connection });
              },
            }, LONG ? 200 : 12),
        );
        await t.step(
          "spends nothing where the connection dies while it is asked",
          () => died(server),
        );
        await t.step("pays before it answers, and for its question", () =>
          checkPayments({
            rows: postgres("later", { connection: server.connection }),
            come: () => server.query("CREATE TABLE later AS SELECT 'a'::text AS g, 1 AS x"),
          }));
        // Mutants: operations without a look at their operands; a threshold of texts that is one digit off.
        await t.step(
          "computes with doubles and reads texts as memory does, with no error",
          () => doubles(server),
        );
        await t.step("answers on the command line", () => commandLine(server, folder));
        await t.step("refuses before anything is paid, and says no row", () => refusals(server));
      } finally {
        await server.stop();
      }
    });
  },
});

const EXTREME = [
  ...[
    0,
    1,
    0.5,
    3,
    5e-324,
    1e-323,
    2 ** -1022,
    2 ** -538,
    2 ** -537,
    1e-200,
    2 ** 511,
    2 ** 512,
    1e200,
  ],
  ...[2 ** 1023, Number.MAX_VALUE, 2 ** 970, 2 ** 971, Infinity, 2 ** -51, 2 ** -500, 2 ** 500],
].flatMap((value) => [value, -value]);

const TEXTS = [
  ...[
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "-17976931348623159e292",
  ],
  ...[
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "2.5e-324",
    "0.1e-400",
    "1e999999999",
    "0e999999999",
  ],
  ...[
    `${"0".repeat(400)}1`,
    "9".repeat(400),
    `.${"0".repeat(400)}1e401`,
    `1${"0".repeat(400)}e-400`,
    "1e-999999999",
  ],
  ...[
    "\v1\f",
    "1e",
    "--1",
    "+.5",
    "-5.",
    "Infinity",
    "inf",
    "1\n2",
    "1_0",
    "١",
    "0.1",
    "123456789012345678901",
  ],
];

/** All pairs of extreme doubles, and texts about the ends of their range. */
async function doubles(server: PostgresServer): Promise<void> {
  await server.query("CREATE TABLE doubles (a float8, b float8)");
  await server.query(
    "INSERT INTO doubles SELECT a, b FROM unnest($1::float8[]) AS a, unnest($1::float8[]) AS b",
    [
      EXTREME,
    ],
  );
  const { apply, unlessNaN, numberOfText } = postgresDialect;
  const operations = { "+": "plus", "-": "minus", "*": "times", "/": "per" } as const;
  const columns = Object.entries(operations).map(([operator, name]) =>
    `${
      apply(operator as keyof typeof operations, "a", operator === "/" ? "nullif(b, 0)" : "b")
    } AS ${name}`
  );
  type Pair = Readonly<Record<"a" | "b" | "plus" | "minus" | "times" | "per", number | null>>;
  for (
    const row of await server.query(`SELECT a, b, ${columns.join(", ")} FROM doubles`) as Pair[]
  ) {
    const a = row.a!, b = row.b!, wanted = [a + b, a - b, a * b, b === 0 ? NaN : a / b];
    assertEquals(
      [row.plus, row.minus, row.times, row.per].map((value) => value === null ? NaN : value + 0),
      wanted.map((value) => value + 0),
      `${a} and ${b}`,
    );
  }
  const rows = await server.query(
    `SELECT t, ${unlessNaN(numberOfText("t"))} AS x FROM unnest($1::text[]) AS t`,
    [TEXTS],
  ) as { readonly t: string; readonly x: number | null }[];
  for (const { t, x } of rows) assertEquals((x ?? NaN) + 0, numberOf(t) + 0, t);
}

async function commandLine(server: PostgresServer, folder: string): Promise<void> {
  await server.query(
    "CREATE TABLE visits AS SELECT n % 60 AS hours FROM generate_series(1, 5000) AS n",
  );
  const ask = await asksMeanHours(folder, { table: "visits", engine: "postgres" });
  const { host, port } = server.connection;
  const url = `postgres://tester:secret@${host}:${port}/postgres`;
  const gone = await ask(`postgres://tester:secret@${host}:1/postgres`);
  assertEquals([gone.code, /secret/.test(gone.out + gone.err)], [3, false]);
  assertEquals((await ask("postgres://tester:secret@[")).err.includes("secret"), false);
  const { code, out } = await ask(url);
  assertEquals(code, 0);
  assertAlmostEquals(JSON.parse(out).rows[0].value, 29.5, 3);
}

async function died(server: PostgresServer): Promise<void> {
  await server.query("CREATE VIEW slow AS SELECT 1 AS n FROM pg_sleep(60)");
  const asked = table(postgres("slow", { connection: server.connection }), {
    columns: { n: { type: "number", lower: 0, upper: 1 } },
    unit: "row",
    relation: addRemoveOne,
    budget: { epsilon: 1 },
  });
  const answer = assertRejects(
    () => asked.sum("n", { epsilon: 1 }),
    Error,
    "Cannot ask PostgreSQL",
  );
  const sleeping = "application_name = 'dpcheck' AND query LIKE '%sum(%' AND state = 'active'";
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${sleeping}`;
  while ((await server.query(end)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await answer;
  assertEquals(asked.budget.ledger, []);
}

async function refusals(server: PostgresServer): Promise<void> {
  const { connection } = server;
  await server.query(
    "CREATE VIEW broken AS SELECT CAST('a secret cell' || n AS int) AS n FROM (VALUES (1)) AS t(n)",
  );
  const asked = (name: string, options: object, column = "n") =>
    table(postgres(name, { connection, ...options }), {
      columns: { [column]: { type: "number", lower: 0, upper: 10 } },
      unit: "row",
      relation: addRemoveOne,
      budget: { epsilon: 1 },
    });
  const refused = async (
    [name, options, column]: readonly [string, object, string?],
    words: string,
  ): Promise<void> => {
    const one = asked(name, options, column);
    const error = await assertRejects(() => one.sum(column ?? "n", { epsilon: 1 }), Error, words);
    assertEquals(/secret/.test(`${error.message} ${Deno.inspect(error)}`), false);
    assertEquals(one.budget.ledger, []);
  };
  await refused(["broken", {}], "SQLSTATE 22P02");
  await refused(["rows", {}, "nn"], "did you mean n?");
  await refused(["absent", {}], "no such table");
  await refused(["rows", { schema: "absent" }], "42P01");
  await refused(["rows", { connection: { ...connection, host: "/nowhere" } }], "Cannot ask");
  await refused(["rows", { connection: "postgres://me:secret@[" }], "connection must be a URL");
  await refused(["rows", { connection: { ...connection, database: "absent" } }], "does not exist");
}
