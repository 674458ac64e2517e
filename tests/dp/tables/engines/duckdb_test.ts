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
  text: "VARCHAR COLLATE NOCASE.NOACCENT",
  integer: "BIGINT",
  double: "DOUBLE",
  boolean: "BOOLEAN",
  date: "DATE",
};

interface Opened {
  readonly engine: TriedEngine;
  readonly close: () => void;
}

/** DuckDB with a table of the columns of generated rows, and a collation by which texts that differ are equal. */
async function opened(): Promise<Opened> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  await connection.run("SET default_collation = 'NFC'; SET integer_division = true");
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

// Mutants: NaN clipped to the upper bound, texts with underlines read as numbers, −0 and 0 as two keys, keys joined that are not listed, texts grouped, or listed, as the collation has them.
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
          `COPY (${query}) TO '${folder}/${file}' (FORMAT parquet, COMPRESSION uncompressed, PARQUET_VERSION ${version})`,
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

// Mutants: whole numbers of 128 bits compared with keys of 64, which ends in an error for a row; −0 or 01 as the keys 0 and 1.
Deno.test("duckdb groups by whole numbers of every width, and no cell is an error", async () => {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    const values = ["0", "9007199254740993", "9223372036854775807", "18446744073709551615", "-1"];
    const keys = [...values, "-0", "01", "+1", "1.0", "9".repeat(40)];
    for (
      const [type, cells] of Object.entries({
        BIGINT: [...values.slice(0, 3), "-1", "9007199254740992"],
        UBIGINT: values.slice(0, 4),
        HUGEINT: [...values, `-${2n ** 127n}`, `${2n ** 127n - 1n}`],
        UHUGEINT: [...values.slice(0, 4), `${2n ** 128n - 1n}`],
      })
    ) {
      const rows = [...cells, "NULL"].map((cell) => `(CAST('${cell}' AS ${type}))`)
        .join(", ").replaceAll("'NULL'", "NULL");
      await connection.run(
        `CREATE OR REPLACE TABLE wide AS SELECT g FROM (VALUES ${rows}) AS t(g)`,
      );
      const asked = table(duckdb("wide", { connection: connection as never }), {
        columns: { g: { type: "category", values: keys } },
        unit: { person: "g" },
        relation: addRemoveOne,
        budget: { epsilon: 1e9 },
      }).boundContributions({ groups: 1, rows: 1 });
      const { rows: found } = await asked.groupBy("g").count({ epsilon: 1e6 });
      assertEquals(
        found.map(({ value }) => value),
        keys.map((key) => cells.includes(key) ? 1 : 0),
        type,
      );
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});

// Mutants: days of the zone of the session; times before 1970 on the day behind.
Deno.test("duckdb finds the days of times in UTC, whatever the zone is, and none is an error", async () => {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'America/New_York'");
    const times = {
      "TIMESTAMP WITH TIME ZONE": [
        "1969-12-31 23:59:59.999999+00",
        "290309-12-22 (BC) 00:00:00+00",
      ],
      TIMESTAMP: ["1969-12-31 23:59:59.999999", "294247-01-10 04:00:54"],
      TIMESTAMP_S: ["1969-12-31 23:59:59", "2262-01-01"],
      TIMESTAMP_MS: ["1969-12-31 23:59:59.999", "2262-01-01"],
      TIMESTAMP_NS: ["1969-12-31 23:59:59.999999", "2262-01-01"],
    };
    for (const [type, cells] of Object.entries(times)) {
      const rows = [...cells, "infinity", "-infinity", "2024-01-02 02:00:00"]
        .map((cell) =>
          `(CAST('${cell}${/ZONE/.test(type) && cell.startsWith("2024") ? "+00" : ""}' AS ${type}))`
        );
      await connection.run(
        `CREATE OR REPLACE TABLE times AS SELECT d FROM (VALUES ${
          rows.join(", ")
        }, (NULL)) AS t(d)`,
      );
      const asked = table(duckdb("times", { connection: connection as never }), {
        columns: { d: { type: "date", lower: "1960-01-01", upper: "2030-01-01" } },
        unit: "row",
        relation: addRemoveOne,
        budget: { epsilon: 1e9 },
      });
      const edges = [
        "1960-01-01",
        "1969-12-31",
        "1970-01-01",
        "2024-01-02",
        "2024-01-03",
        "2030-01-01",
      ];
      const counts = await asked.groupBy("d", { bins: { d: edges } }).count({ epsilon: 1e6 });
      const isEarly = type === "TIMESTAMP WITH TIME ZONE";
      assertEquals(
        counts.rows.map(({ value }) => value),
        isEarly ? [1, 1, 0, 1, 0] : [0, 1, 0, 1, 1],
        type,
      );
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});

// Mutants: numbers of a Parquet file compared as they are, so that its statistics decide that none is NaN; the same with statistics that no connection heeds.
Deno.test("duckdb finds NaN in a Parquet file whose statistics leave it out", () =>
  withWriter(async (folder, write) => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const file = `${folder}/rows.parquet`;
    // Many numbers are written as they are, and no one else is this one.
    await write(
      "SELECT CASE WHEN r = 5000 THEN 50.123456 ELSE (r * 7919 % 10007) / 101.0 END AS x FROM range(9000) AS t(r)",
      "rows.parquet",
    );
    const bytes = await Deno.readFile(file), found = new DataView(bytes.buffer);
    const places = Array.from({ length: bytes.length - 7 }, (_, at) => at)
      .filter((at) => found.getFloat64(at, true) === 50.123456);
    assertEquals(places.length, 1);
    found.setFloat64(places[0]!, NaN, true);
    await Deno.writeFile(file, bytes);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      await connection.run(`CREATE VIEW rows AS SELECT * FROM '${file}'`);
      const on = { connection: connection as never };
      const counts: number[][] = [];
      for (const rows of [parquetRows(file), duckdb(file), duckdb("rows", on)]) {
        const asked = table(rows, {
          columns: { x: { type: "number", lower: 0, upper: 200 } },
          unit: "row",
          relation: addRemoveOne,
          budget: { epsilon: 1e9 },
        });
        const sum = await asked.sum("x", { epsilon: 1e7 });
        const conditions = ["x is missing", "x >= 0", "x <= 200", "x > 99", "x != 5", "-x < 1"];
        const answers = [];
        for (const condition of conditions) {
          answers.push(await asked.where(condition).count({ epsilon: 1e6 }));
        }
        const bins = await asked.groupBy("x", { bins: { x: [0, 100, 200] } }).count({
          epsilon: 1e6,
        });
        counts.push([
          Math.round(sum.rows[0]!.value),
          ...[...answers, bins].flatMap(({ rows }) => rows.map(({ value }) => value)),
        ]);
      }
      const [memory, ...others] = counts;
      assertEquals(memory!.slice(1, 4), [1, 8999, 8999]);
      for (const each of others) assertEquals(each, memory);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }));
