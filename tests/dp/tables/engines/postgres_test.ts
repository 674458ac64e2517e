import { assertEquals, assertRejects } from "@std/assert";
import type { Row } from "../../../../lib/dp/schema/cells.ts";
import { postgres, table } from "../../../../lib/dp/tables/mod.ts";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";
import { LONG } from "../../../long.ts";
import { checkSensitivity, checkTotals, type TriedEngine } from "./conformance.ts";
import { COLUMNS } from "./generated_plans.ts";
import { hasPostgres, PostgresServer } from "./postgres_server.ts";

const TYPES = {
  text: "text",
  integer: "bigint",
  double: "double precision",
  boolean: "boolean",
  date: "date",
};

/** Puts generated rows into a table, and asks. */
async function openedOn(server: PostgresServer): Promise<TriedEngine> {
  const names = Object.entries(COLUMNS);
  await server.query(
    `CREATE TABLE rows (${names.map(([name, type]) => `"${name}" ${TYPES[type]}`).join(", ")})`,
  );
  const arrays = names.map(([, type], i) => `$${i + 1}::${TYPES[type]}[]`).join(", ");
  return {
    name: "postgres",
    found: async (rows: readonly Row[], plans) => {
      await server.query("TRUNCATE rows");
      await server.query(
        `INSERT INTO rows SELECT * FROM unnest(${arrays})`,
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
        // Mutants: a product that overflows; 1e999 cast to a double; texts compared by the language of the database.
        await t.step(
          "finds the totals that are found in memory",
          () => checkTotals(engine, LONG ? 1000 : 25),
        );
        await t.step(
          "moves by what noise is scaled to, at most",
          () => checkSensitivity(engine, LONG ? 500 : 24),
        );
        await t.step("refuses before anything is paid, and says no row", () => refusals(server));
      } finally {
        await server.stop();
      }
    });
  },
});

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
