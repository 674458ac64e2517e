import { assertEquals, assertRejects } from "@std/assert";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import type { Row } from "../../../../lib/dp/schema/cells.ts";
import { duckdb, parquetRows, table } from "../../../../lib/dp/tables/mod.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";
import { longTest } from "../../../long.ts";
import { checkSensitivity, checkTotals, type TriedEngine } from "./conformance.ts";
import { checkHostileNames } from "./hostile_names.ts";
import { COLUMNS } from "./generated_plans.ts";

const TYPES = {
  text: "VARCHAR",
  integer: "BIGINT",
  double: "DOUBLE",
  boolean: "BOOLEAN",
  date: "DATE",
};

interface Opened {
  readonly engine: TriedEngine;
  readonly close: () => void;
}

/** DuckDB with a table of the columns of generated rows. */
async function opened(): Promise<Opened> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  const declared = Object.entries(COLUMNS).map(([name, type]) => `"${name}" ${TYPES[type]}`);
  await connection.run(`CREATE TABLE rows (${declared.join(", ")})`);
  const found = async (rows: readonly Row[], plans: Parameters<TriedEngine["found"]>[1]) => {
    await connection.run("DELETE FROM rows");
    const appender = await connection.createAppender("rows");
    for (const row of rows) {
      for (const [name, type] of Object.entries(COLUMNS)) {
        const cell = row[name];
        if (cell === null || cell === undefined) appender.appendNull();
        else if (type === "integer") appender.appendBigInt(BigInt(cell as number));
        else if (type === "double") appender.appendDouble(cell as number);
        else if (type === "boolean") appender.appendBoolean(cell as boolean);
        else if (type === "date") {
          appender.appendDate({ days: Date.parse(cell as string) / 86_400_000 } as never);
        } else appender.appendVarchar(cell as string);
      }
      appender.endRow();
    }
    appender.closeSync();
    return await duckdb("rows", { connection: connection as never }).run(plans);
  };
  return {
    engine: { name: "duckdb", found },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function withDuckDB(test: (engine: TriedEngine) => Promise<void>): Promise<void> {
  const { engine, close } = await opened();
  try {
    await test(engine);
  } finally {
    close();
  }
}

// Mutants: NaN clipped to the upper bound, texts with underlines read as numbers, −0 and 0 as two keys, keys joined that are not listed.
Deno.test("duckdb finds the totals that are found in memory", () =>
  withDuckDB((engine) => checkTotals(engine, 25)));

// Mutants: rows chosen by their place in the table; groups that are not listed counted among those of a person.
Deno.test("duckdb moves by what noise is scaled to, at most", () =>
  withDuckDB((engine) => checkSensitivity(engine, 24)));

Deno.test("duckdb takes names and cells that are statements as names and cells", async () => {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    await checkHostileNames({
      name: "duckdb",
      open: async ({ name, columns, rows }) => {
        const quoted = (each: string): string => `"${each.replaceAll('"', '""')}"`;
        const declared = columns.map((each, i) =>
          `${quoted(each)} ${i < 2 ? "VARCHAR" : "DOUBLE"}`
        );
        await connection.run(`CREATE OR REPLACE TABLE ${quoted(name)} (${declared.join(", ")})`);
        const appender = await connection.createAppender(name);
        for (const row of rows) {
          appender.appendVarchar(row[columns[0]] as string);
          appender.appendVarchar(row[columns[1]] as string);
          appender.appendDouble(row[columns[2]] as number);
          appender.endRow();
        }
        appender.closeSync();
        return duckdb(name, { connection: connection as never });
      },
    }, 15);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});

longTest(
  "duckdb finds the totals of many tables, and moves by what noise is scaled to",
  () =>
    withDuckDB(async (engine) => {
      await checkTotals(engine, 3000, "many");
      await checkSensitivity(engine, 3000);
    }),
);

Deno.test("duckdb() reads Parquet and CSV files, by our rule of lines, and refuses columns that are absent before anything is paid", async () => {
  await withFolder(async (folder) => {
    // A line with an open quote takes no other with it.
    const lines = Array.from({ length: 1001 }, (_, i) => i === 400 ? '7,"x' : `${i % 7},y`);
    await Deno.writeTextFile(`${folder}/rows.csv`, ["n,t", ...lines].join("\n"));
    const schema = {
      columns: { n: { type: "number", lower: 0, upper: 10 } as const },
      unit: "row" as const,
      relation: addRemoveOne,
      budget: { epsilon: 1e9 },
    };
    const rows = table(duckdb(`${folder}/rows.csv`), schema);
    assertEquals((await rows.count({ epsilon: 1e6 })).rows[0]!.value, 1001);
    const absent = table(duckdb(`${folder}/rows.csv`), {
      ...schema,
      columns: { nn: { type: "number", lower: 0, upper: 10 } },
    });
    await assertRejects(() => absent.sum("nn", { epsilon: 1 }), RangeError, "did you mean n?");
    assertEquals(absent.budget.ledger, []);
    await Deno.writeTextFile(`${folder}/none.parquet`, "no such file");
    const broken = table(duckdb(`${folder}/none.parquet`), schema);
    await assertRejects(() => broken.count({ epsilon: 1 }));
    assertEquals(broken.budget.ledger, []);
  });
});

/** Tests with a connection to write Parquet files by. */
async function withWriter(
  test: (
    folder: string,
    write: (query: string, file: string, version?: "V1" | "V2") => Promise<unknown>,
  ) => Promise<void>,
): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    await withFolder((folder) =>
      test(folder, (query, file, version = "V1") =>
        connection.run(
          `COPY (${query}) TO '${folder}/${file}' (FORMAT parquet, PARQUET_VERSION ${version})`,
        ))
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

// Mutants: decimals read as doubles; a letter at the beginning left out; bytes that are no text all read as one.
Deno.test("persons of a Parquet file are told apart by all of their digits and letters", () =>
  withWriter(async (folder, write) => {
    const whole = "9007199254740992 + r", most = "99999999999999999999999999999999999";
    const persons = {
      integer: `CAST(${whole} AS BIGINT)`,
      unsigned: "CAST(18446744073709551613::UBIGINT + r AS UBIGINT)",
      negative: `CAST(-(${whole}) AS BIGINT)`,
      decimal: `CAST(${whole} AS DECIMAL(18, 0))`,
      wide: `CAST(CAST(${most} AS DECIMAL(38, 0)) - r AS DECIMAL(38, 0))`,
      fraction: `CAST(CAST(-(${whole}) AS DECIMAL(38, 0)) / 1 AS DECIMAL(38, 3)) - 0.001 * r`,
      text: "CASE r WHEN 0 THEN 'a' WHEN 1 THEN chr(65279) || 'a' ELSE 'a ' END",
    };
    const columns = Object.entries(persons).map(([name, sql]) => `${sql} AS ${name}`);
    const query = `SELECT ${
      columns.join(", ")
    }, CAST(0.3 AS DECIMAL(5, 1)) AS x, CAST('\\xFF\\x0' || r AS BLOB) AS bytes FROM (SELECT CAST(r % 3 AS INTEGER) AS r FROM range(3000) AS t(r))`;
    for (const version of ["V1", "V2"] as const) {
      await write(query, "persons.parquet", version);
      const file = `${folder}/persons.parquet`;
      for (const rows of [parquetRows(file), duckdb(file)]) {
        for (const person of [...Object.keys(persons), "bytes"]) {
          const asked = table(rows, {
            columns: { x: { type: "number", lower: 0, upper: 1 } },
            unit: { person },
            relation: addRemoveOne,
            budget: { epsilon: 1e9 },
          }).boundContributions({ groups: 1, rows: 1 });
          // Of each person one row counts.
          const { value } = (await asked.count({ epsilon: 1e6 })).rows[0]!;
          assertEquals(value, person === "bytes" ? 0 : 3, `${person} ${version}`);
        }
        const where = table(rows, {
          columns: { x: { type: "number", lower: 0, upper: 1 } },
          unit: "row",
          relation: addRemoveOne,
          budget: { epsilon: 1e9 },
        }).where("x = 0.3");
        assertEquals((await where.count({ epsilon: 1e6 })).rows[0]!.value, 3000);
      }
    }
  }));
