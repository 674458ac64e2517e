import { assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { dayOf as dayOfCell, numberOf, type Row } from "../../../../lib/dp/schema/cells.ts";
import { askedOf } from "../../../../lib/dp/tables/ask.ts";
import {
  clickhouseDialect,
  doubleOfBits,
} from "../../../../lib/dp/tables/engine/clickhouse_dialect.ts";
import { sumsOf, textOfSums, wholeOfSum } from "../../../../lib/dp/tables/engine/clickhouse_sql.ts";
import { foundInMemory } from "../../../../lib/dp/tables/engine/memory.ts";
import { ONE_GROUP } from "../../../../lib/dp/tables/keys.ts";
import {
  clickhouse,
  type ClickhouseOptions,
  type Column,
  type Engine,
  type Plan,
  table,
  type TableSchema,
} from "../../../../lib/dp/tables/mod.ts";
import { checkSchema } from "../../../../lib/dp/tables/schema.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";
import { LONG } from "../../../long.ts";
import { ClickhouseServers, hasClickhouse } from "./clickhouse_server.ts";
import { checkSensitivity, checkTotals, type TriedEngine } from "./conformance.ts";
import { COLUMNS, Generated, plain } from "./generated_plans.ts";
import { checkHostileNames, type NamedTable } from "./hostile_names.ts";
import { checkPayments } from "./payments.ts";
import { rowBinary } from "./row_binary.ts";
import { asksMeanHours } from "./mean_hours.ts";

const TYPES = {
  text: "Nullable(String)",
  integer: "Nullable(Int64)",
  double: "Nullable(Float64)",
  // It has no truth values, and no dates before 1970.
  boolean: "Nullable(Enum8('false' = 0, 'true' = 1))",
  date: "Nullable(String)",
};

const NAMES = Object.entries(COLUMNS);

const DECLARED = NAMES.map(([name, type]) => `\`${name}\` ${TYPES[type]}`).join(", ");

const BINARY = NAMES.map(([name, type]) => ({ name, type }));

/** A table of each server, and such as put the rows of a person on one of them. */
async function makeTables(servers: ClickhouseServers): Promise<void> {
  for (const shard of servers.urls.keys()) {
    await servers.query(`CREATE TABLE local (${DECLARED}) ENGINE = Memory`, { shard });
  }
  for (const [by, none] of [["id", "''"], ["number_id", "0"]]) {
    const hash = `cityHash64(ifNull(${by}, ${none}))`;
    await servers.query(
      `CREATE TABLE by_${by} AS local ENGINE = Distributed(shards, default, local, ${hash})`,
    );
  }
}

/** Puts generated rows into a table, a person's on one server, and asks: the servers, or a table that is distributed over them. */
function openedOn(servers: ClickhouseServers, name: "shards" | "distributed"): TriedEngine {
  return {
    name: "clickhouse",
    found: async (rows: readonly Row[], plans) => {
      const by = plans[0]!.persons?.column === "number_id" ? "number_id" : "id";
      for (const shard of servers.urls.keys()) {
        await servers.query("TRUNCATE TABLE local", { shard });
      }
      await servers.query(`INSERT INTO by_${by} FORMAT RowBinary`, {
        data: rowBinary(rows, BINARY),
      });
      const engine = name === "shards"
        ? clickhouse("local", { connection: servers.urls })
        : clickhouse(`by_${by}`, { connection: servers.urls[0]! });
      return await engine.run(plans);
    },
  };
}

Deno.test({
  name: "clickhouse",
  ignore: !hasClickhouse,
  fn: async (t) => {
    await withFolder(async (folder) => {
      const servers = await ClickhouseServers.start(folder, 2);
      try {
        await makeTables(servers);
        for (const name of ["shards", "distributed"] as const) {
          const engine = openedOn(servers, name);
          // Mutants: an alias that a column has; NaN as a key of its own for each of its bits; a missing number as a key.
          await t.step(
            `finds the totals that are found in memory: ${name}`,
            () => checkTotals(engine, LONG ? 150 : 5),
          );
          // Mutants: rows of a person taken where they are not to be; the hash without the key.
          await t.step(
            `moves by what noise is scaled to, at most: ${name}`,
            () => checkSensitivity(engine, LONG ? 60 : 2),
          );
        }
        await t.step(
          "takes names and cells that are statements as names and cells",
          () =>
            checkHostileNames(
              { name: "clickhouse", open: (table) => hostile(servers, table) },
              LONG ? 200 : 12,
            ),
        );
        await t.step("counts a person on one server alone", () => misplaced(servers));
        await t.step("adds up exactly, beyond 64 bits", () => largeSums(servers));
        await t.step("reads numbers and days of texts as memory does", () => texts(servers));
        await t.step("reads its own types", () => ownTypes(servers));
        await t.step(
          "counts by whole numbers that follow each other",
          () => consecutiveNumbers(servers),
        );
        await t.step("spends nothing where the server dies while it is asked", () => died(servers));
        await t.step("pays before it answers, and for its question", () =>
          checkPayments({
            rows: clickhouse("later", { connection: servers.urls[0]! }),
            come: () => servers.query("CREATE VIEW later AS SELECT 'a' AS g, 1 AS x"),
          }));
        await t.step("answers on the command line", () => commandLine(servers, folder));
        await t.step("refuses before anything is paid, and says no row", () => refusals(servers));
      } finally {
        await servers.stop();
      }
    });
  },
});

async function hostile(
  servers: ClickhouseServers,
  { name, columns, rows }: NamedTable,
): Promise<Engine> {
  const { column } = clickhouseDialect, types = ["text", "text", "double"] as const;
  await servers.query(`DROP TABLE IF EXISTS ${column(name)}`);
  const declared = columns.map((each, i) => `${column(each)} ${TYPES[types[i]!]}`);
  await servers.query(`CREATE TABLE ${column(name)} (${declared.join(", ")}) ENGINE = Memory`);
  await servers.query(`INSERT INTO ${column(name)} FORMAT RowBinary`, {
    data: rowBinary(rows, columns.map((name, i) => ({ name, type: types[i]! }))),
  });
  return clickhouse(name, { connection: servers.urls[0]! });
}

/** A plan for the mean of a column. */
function meanOf(
  { column, lower, upper, person }: {
    readonly column: string;
    readonly lower: number;
    readonly upper: number;
    readonly person?: string;
  },
): Plan {
  const schema = checkSchema({
    columns: { [column]: { type: "number", lower, upper } },
    unit: person === undefined ? "row" : { person },
    relation: addRemoveOne,
    budget: { epsilon: 1 },
  });
  const view = { schema, bounds: { groups: 1, rows: 2 }, where: [] };
  const cost = { epsilon: 1 };
  return askedOf(view, ONE_GROUP, { what: "mean", column, cost }).plans({ uint32: () => 7 })[0]!;
}

async function totalsOf(engine: Engine, plan: Plan): Promise<unknown> {
  return plain((await engine.run([plan]))[0]!);
}

/** A row on the server where its person's are not does not count: another one may be there too. */
async function misplaced(servers: ClickhouseServers): Promise<void> {
  for (const shard of servers.urls.keys()) {
    await servers.query("CREATE TABLE visits (id UInt64, x Float64) ENGINE = Memory", { shard });
    await servers.query("INSERT INTO visits SELECT number, 1 FROM numbers(100)", { shard });
  }
  const plan = meanOf({ column: "x", lower: 0, upper: 1, person: "id" });
  const found = await totalsOf(clickhouse("visits", { connection: servers.urls }), plan);
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, x: 1 }));
  assertEquals(found, plain(foundInMemory(plan, rows)));
}

/** Mutants: sums of 64 bits; sums of doubles. */
async function largeSums(servers: ClickhouseServers): Promise<void> {
  await servers.query("CREATE TABLE large (x Float64) ENGINE = Memory");
  const generated = new Generated(new SeededSource("large sums"));
  for (let round = 0; round < 4; round++) {
    const rows = Array.from({ length: 5000 }, () => ({
      x: generated.one([1e15, 1e15 - 1, 1, -1e15, 1 - 1e15, 0]),
    }));
    if (round === 0) { for (let i = 0; i < 5000; i++) rows[i] = { x: 1e15 }; }
    await servers.query("TRUNCATE TABLE large");
    await servers.query("INSERT INTO large FORMAT TSV", {
      data: rows.map(({ x }) => `${x}\n`).join(""),
    });
    // Steps of these values are 52 bits wide, so that 5,000 of them end beyond 64 bits.
    const plan = meanOf({ column: "x", lower: -1e15, upper: 1e15 });
    const steps = {
      lower: -1e15,
      upper: 1e15,
      granularity: 2 ** -10,
      origin: 0,
      middle: undefined,
    };
    const wide = { ...plan, wanted: { kind: "totals" as const, measures: [{ steps }] } };
    const engine = clickhouse("large", { connection: servers.urls[0]! });
    assertEquals(await totalsOf(engine, wide), plain(foundInMemory(wide, rows)));
    const { double, whole } = clickhouseDialect;
    const sums = Object.entries(sumsOf("m", whole(`x * ${double(1024)}`), 31))
      .map(([name, sql]) => `${sql} AS ${name}`);
    const text = await servers.query(
      `SELECT ${textOfSums("m", 31)} FROM (SELECT ${sums.join(", ")} FROM large) FORMAT TSV`,
    );
    assertEquals(
      wholeOfSum(text.trim()),
      rows.reduce((sum, { x }) => sum + BigInt(x * 1024), 0n),
    );
  }
}

async function texts(servers: ClickhouseServers): Promise<void> {
  const generated = new Generated(new SeededSource("texts"));
  const digits = (most: number): string =>
    Array.from({ length: generated.below(most + 1) }, () => generated.below(10)).join("");
  const numbers = Array.from({ length: 2000 }, () => {
    const whole = digits(8), point = generated.one(["", ".", `.${digits(7)}`]);
    return generated.one(["", "-", "+", " ", "x"]) + whole + point +
      generated.one(["", "", "e", `e${generated.below(30) - 15}`, "E+3", "\n", "_"]);
  });
  numbers.push(
    ..."Infinity -Infinity +Infinity inf nan 1e999 -1e999 1e-999 9007199254740993 12345678901234567 1_0 ١ . e1"
      .split(" "),
  );
  const days = Array.from({ length: 2000 }, () => {
    const two = (below: number): string => String(generated.below(below)).padStart(2, "0");
    const year = generated.one(["0000", "0001", "1899", "1900", "2000", "2023", "2024", "9999"]);
    return `${year}-${two(14)}-${two(33)}${generated.one(["", "T10:00", " x", "x"])}`;
  });
  await servers.query("CREATE TABLE texts (t String, d String) ENGINE = Memory");
  const rows = numbers.map((t, i) => ({ t, d: days[i] ?? "" }));
  await servers.query("INSERT INTO texts FORMAT JSONEachRow", {
    data: rows.map((row) => JSON.stringify(row)).join("\n"),
  });
  const { numberOfText, dayOf } = clickhouseDialect;
  const bits = (double: string): string =>
    `toString(reinterpretAsUInt64(reinterpretAsString(${double})))`;
  const { data } = JSON.parse(
    await servers.query(
      `SELECT t, d, ${bits(numberOfText("t"))}, ${
        bits(dayOf("d", "text"))
      } FROM texts FORMAT JSONCompact`,
    ),
  ) as { readonly data: readonly [string, string, string, string][] };
  assertEquals(data.length, rows.length);
  for (const [t, d, number, day] of data) {
    assertEquals(doubleOfBits(number) + 0, numberOf(t) + 0, JSON.stringify(t));
    assertEquals(doubleOfBits(day), dayOfCell(d), d);
  }
}

/** Mutants: the last number left out; the place behind. */
async function consecutiveNumbers(servers: ClickhouseServers): Promise<void> {
  await servers.query("CREATE TABLE whole (w Nullable(Int64)) ENGINE = Memory");
  await servers.query(
    "INSERT INTO whole VALUES (-1), (0), (1), (2), (9223372036854775807), (NULL)",
  );
  const engine = clickhouse("whole", { connection: servers.urls[0]! });
  for (const [more, counts] of [[{}, [1, 1, 1]], [{ missing: 0, unseen: 1 }, [1, 2, 3]]] as const) {
    const asked = table(engine, {
      columns: { w: { type: "category", values: [-1, 0, 1], ...more } },
      unit: "row",
      relation: addRemoveOne,
      budget: { epsilon: 1e9 },
    });
    const { rows } = await asked.groupBy("w").count({ epsilon: 1e6 });
    assertEquals(rows.map(({ value }) => value), [...counts]);
  }
}

async function ownTypes(servers: ClickhouseServers): Promise<void> {
  await servers.query(
    "CREATE TABLE own (d Date, t Nullable(DateTime), c LowCardinality(Nullable(String)), f FixedString(2), u UUID, b UInt64, m Decimal(18, 2), e Enum8('a' = 1), l Array(String)) ENGINE = Memory",
  );
  const uuid = "61f0c404-5cb3-11e7-907b-a6006ad3dba0";
  await servers.query(
    `INSERT INTO own VALUES ('2020-03-01', '2020-03-01 23:59:59', 'x', 'ab', '${uuid}', 18446744073709551615, 1.25, 'a', []), ('1970-01-02', NULL, NULL, 'c', '${uuid}', 1, -3, 'a', ['x'])`,
  );
  const rows = [
    {
      d: "2020-03-01",
      t: "2020-03-01",
      c: "x",
      f: "ab",
      u: uuid,
      b: 18446744073709551615n,
      m: 1.25,
      e: "a",
    },
    { d: "1970-01-02", c: null, f: "c", u: uuid, b: 1, m: -3, e: "a" },
  ];
  const engine = clickhouse("own", { connection: servers.urls[0]! });
  const asked = table(engine, {
    columns: {
      d: { type: "date", lower: "1970-01-01", upper: "2030-01-01" },
      t: { type: "date", lower: "1970-01-01", upper: "2030-01-01" },
      m: { type: "number", lower: -10, upper: 10 },
      b: { type: "category", values: ["18446744073709551615", "1"] },
      l: { type: "category", values: ["x"], missing: "x" },
      ...Object.fromEntries(
        ["c", "f", "u", "e"].map((
          name,
        ) => [name, { type: "category", values: ["x", "ab", "c", uuid, "a"] }]),
      ) as Record<string, Column>,
    },
    unit: "row",
    relation: addRemoveOne,
    budget: { epsilon: 1e9 },
  });
  for (const column of ["d", "t", "m"]) {
    const { rows: [answer] } = await asked.sum(column, { epsilon: 1e6 });
    const read = column === "m" ? numberOf : dayOfCell;
    const wanted = rows.reduce((sum, row) => sum + (read(row[column as "d"]) || 0), 0);
    assertAlmostEquals(answer!.value, wanted, 0.5, column);
  }
  for (const column of ["c", "f", "u", "b", "e", "l"]) {
    const { rows: answers } = await asked.groupBy(column).count({ epsilon: 1e6 });
    for (const { key, value } of answers) {
      const wanted = rows.filter((row) =>
        column === "l" || String((row as Row)[column]) === String(key[0])
      ).length;
      assertEquals(Math.round(value), wanted, `${column} ${key}`);
    }
  }
}

async function died(servers: ClickhouseServers): Promise<void> {
  const asked = table(
    clickhouse("numbers_slow", { connection: servers.urls[0]!, timeout: 0.5 }),
    ROWS_OF("n"),
  );
  await servers.query("CREATE VIEW numbers_slow AS SELECT sleep(3) AS n FROM system.one");
  await assertRejects(() => asked.sum("n", { epsilon: 1 }), Error, "no answer in 0.5 seconds");
  assertEquals(asked.budget.ledger, []);
}

const ROWS_OF = (column: string): TableSchema => ({
  columns: { [column]: { type: "number", lower: 0, upper: 10 } },
  unit: "row",
  relation: addRemoveOne,
  budget: { epsilon: 1 },
});

async function commandLine(servers: ClickhouseServers, folder: string): Promise<void> {
  for (const shard of servers.urls.keys()) {
    await servers.query("CREATE TABLE stays (hours Int32) ENGINE = Memory", { shard });
    await servers.query("INSERT INTO stays SELECT number % 60 FROM numbers(3000)", { shard });
  }
  const ask = await asksMeanHours(folder, { table: "stays", engine: "clickhouse" });
  const withUser = (url: string, password: string): string =>
    url.replace("//", `//reader:${password}@`);
  const [first, second] = servers.urls as [string, string];
  const wrong = await ask(withUser(first, "sesame"));
  assertEquals([wrong.code, /sesame/.test(wrong.out + wrong.err)], [3, false]);
  assertEquals((await ask("http://reader:sesame@[")).err.includes("sesame"), false);
  const { code, out } = await ask([first, second].map((url) => withUser(url, "secret")).join(","));
  assertEquals(code, 0);
  assertAlmostEquals(JSON.parse(out).rows[0].value, 29.5, 3);
}

async function refusals(servers: ClickhouseServers): Promise<void> {
  const connection = servers.urls[0]!;
  await servers.query("CREATE TABLE cells (n String) ENGINE = Memory");
  await servers.query("INSERT INTO cells VALUES ('a secret cell')");
  await servers.query("CREATE VIEW broken AS SELECT toInt32(n) AS n FROM cells");
  const refused = async (
    [name, options, column = "n"]: readonly [string, ClickhouseOptions, string?],
    words: string,
  ): Promise<void> => {
    const one = table(clickhouse(name, { connection, ...options }), ROWS_OF(column));
    const error = await assertRejects(() => one.sum(column, { epsilon: 1 }), Error, words);
    assertEquals(/secret/.test(`${error.message} ${Deno.inspect(error)}`), false);
    assertEquals(one.budget.ledger, []);
  };
  await refused(["broken", {}], "code 6");
  await refused(["cells", {}, "nn"], "did you mean n?");
  await refused(["absent", {}], "no such table");
  await refused(["cells", { connection: `${connection}/?database=absent` }], "no such database");
  await refused(["cells", { connection: "http://127.0.0.1:1" }], "no connection to 127.0.0.1:1");
  await refused(["cells", { user: "reader", password: "secrets" }], "another password");
  // Whoever is 'brief' gets a part of what was asked for where it takes too long.
  await refused(["cells", { user: "brief" }], "group_by_overflow_mode");
  await refused(
    ["cells", { connection: [connection, connection], user: "nobody" }],
    "no such user",
  );
  const ofPersons = table(clickhouse("own", { connection: [connection, connection] }), {
    ...ROWS_OF("m"),
    unit: { person: "u" },
  }).boundContributions({ groups: 1, rows: 1 });
  await assertRejects(() => ofPersons.count({ epsilon: 1 }), RangeError, "current type is UUID");
  for (const words of ["http://me:secret@[", "ftp://me:secret@host", "host"]) {
    const error = assertThrows(
      () => clickhouse("cells", { connection: words }),
      RangeError,
      "a URL",
    );
    assertEquals(error.message.includes("secret"), false);
  }
  await brokenAnswers();
}

/** Servers that break off, or are none, have answered nothing. */
async function brokenAnswers(): Promise<void> {
  const whole = JSON.stringify({ meta: [{ name: "name" }], data: [["n"]], rows: 1 });
  for (
    const [answer, words] of [
      [whole.slice(0, -3), "ends early"],
      [whole.replace('"rows":1', '"rows":2'), "ends early"],
      [`${whole}\nCode: 241, e.displayText() = secret`, "ends early"],
      ["<html>", "not of ClickHouse"],
      ["null", "not of ClickHouse"],
    ] as const
  ) {
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      () => new Response(answer),
    );
    try {
      const connection = `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`;
      const asked = table(clickhouse("cells", { connection }), ROWS_OF("n"));
      await assertRejects(() => asked.sum("n", { epsilon: 1 }), Error, words);
      assertEquals(asked.budget.ledger, []);
    } finally {
      await server.shutdown();
    }
  }
}
