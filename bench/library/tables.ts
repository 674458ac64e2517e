/**
 * CPU seconds of questions by group on every engine, beside the same without privacy. Run: deno task bench tables [--rows 10000000] [--groups 100000] [--persons 1000000] [--rounds 3]
 * [--engines memory,duckdb,…] [--postgres URL --postgres-pid PID] [--clickhouse URL,URL --clickhouse-pids PID,PID]: the databases get a table dpcheck_bench. Seconds of a
 * server count where its process is named, on Linux; 100 ticks are a second.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { addRemoveOne } from "../../lib/core/relations/relation.ts";
import {
  clickhouse,
  csvRows,
  duckdb,
  type Engine,
  parquetRows,
  postgres,
  type RowSource,
  table,
} from "../../lib/dp/tables/mod.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";

const rows = Number(option("rows") ?? 1e7), groups = Number(option("groups") ?? 1e5);
const persons = Number(option("persons") ?? 1e6), rounds = Number(option("rounds") ?? 3);
const [postgresUrl, clickhouseUrls] = [option("postgres"), option("clickhouse")?.split(",")];

/** Columns of row number `n`, by arithmetic that all engines have. */
const columnsOf = (n: string, double: string): string =>
  `CAST(${n} * 7919 % ${groups} AS ${double === "Float64" ? "Int64" : "bigint"}) AS g, ` +
  `CAST(${n} * 31 % 97 AS ${double}) AS x, CAST(${n} * 104729 % ${persons} AS ${
    double === "Float64" ? "Int64" : "bigint"
  }) AS id`;

const PLAIN = {
  mean: (source: string) => `SELECT g, count(*) AS n, sum(x) AS s FROM ${source} GROUP BY g`,
  // Three groups of each person, and ten rows in each.
  persons: (source: string) =>
    `SELECT g, count(*) AS n FROM (SELECT id, g, row_number() OVER (PARTITION BY id, g ORDER BY x) AS k, dense_rank() OVER (PARTITION BY id ORDER BY g) AS j FROM ${source}) AS r WHERE k <= 10 AND j <= 3 GROUP BY g`,
  personsLimitBy: (source: string) =>
    `SELECT g, count(*) AS n FROM (SELECT id, g FROM (SELECT id, g FROM ${source} ORDER BY id, g, x LIMIT 10 BY id, g) ORDER BY id, g LIMIT 30 BY id) GROUP BY g`,
};

/** An engine with its rows, and what is asked of it without privacy. */
interface Bench {
  readonly name: string;
  readonly rows: RowSource | Engine;
  readonly plain: ((question: "mean" | "persons") => Promise<unknown>) | undefined;
  readonly pids?: readonly string[];
}

function secondsOf(pids: readonly string[]): number {
  const { user, system } = process.cpuUsage();
  const ticks = pids.map((pid) =>
    readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ").slice(11, 15)
      .reduce((sum, each) => sum + Number(each), 0)
  );
  return (user + system) / 1e6 + ticks.reduce((sum, each) => sum + each, 0) / 100;
}

async function seconds(pids: readonly string[], run: () => Promise<unknown>): Promise<number> {
  const before = secondsOf(pids);
  await run();
  return secondsOf(pids) - before;
}

const columns = {
  g: { type: "category", values: Array.from({ length: groups }, (_, i) => i) },
  x: { type: "number", lower: 0, upper: 96 },
} as const;
const budget = { epsilon: 1e3 };

function asked({ rows }: Bench, question: "mean" | "persons"): Promise<unknown> {
  const schema = { columns, relation: addRemoveOne, budget };
  return question === "mean"
    ? table(rows, { ...schema, unit: "row" }).groupBy("g").mean("x", { epsilon: 1 })
    : table(rows, { ...schema, unit: { person: "id" } })
      .boundContributions({ groups: 3, rows: 10 }).groupBy("g").count({ epsilon: 1 });
}

async function withFiles(use: (folder: string, benches: Bench[]) => Promise<void>): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const folder = await Deno.makeTempDir({ prefix: "dpcheck-bench-" });
  try {
    const instance = await DuckDBInstance.create(":memory:", { temp_directory: folder });
    const connection = await instance.connect();
    const made = `(SELECT ${columnsOf("n", "double")} FROM range(${rows}) AS t(n))`;
    for (const [name, form] of [["rows.parquet", "PARQUET"], ["rows.csv", "CSV, HEADER"]]) {
      await connection.run(`COPY ${made} TO '${folder}/${name}' (FORMAT ${form})`);
    }
    connection.closeSync();
    instance.closeSync();
    const plain = (source: string) => async (question: "mean" | "persons") => {
      const own = await DuckDBInstance.create(":memory:", { temp_directory: folder });
      const connection = await own.connect();
      await (await connection.runAndReadAll(PLAIN[question](source))).getColumns();
      connection.closeSync();
      own.closeSync();
    };
    const parquet = `${folder}/rows.parquet`, csv = `${folder}/rows.csv`;
    await use(folder, [
      { name: "memory, CSV", rows: csvRows(csv), plain: plain(`read_csv('${csv}')`) },
      { name: "memory, Parquet", rows: parquetRows(parquet), plain: undefined },
      {
        name: "duckdb, Parquet",
        rows: duckdb(parquet),
        plain: plain(`read_parquet('${parquet}')`),
      },
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function postgresBench(url: string): Promise<Bench> {
  const { default: { Client } } = await import("pg");
  const query = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query({ text, rowMode: "array" });
    await client.end();
  };
  await query(
    `CREATE TABLE IF NOT EXISTS dpcheck_bench AS SELECT ${
      columnsOf("n", "double precision")
    } FROM generate_series(0::bigint, ${rows - 1}) AS t(n)`,
  );
  await query("ANALYZE dpcheck_bench");
  return {
    name: "postgres",
    rows: postgres("dpcheck_bench", { connection: url }),
    plain: (question) => query(PLAIN[question]("dpcheck_bench")),
    pids: option("postgres-pid")?.split(",") ?? [],
  };
}

async function clickhouseBench(urls: readonly string[]): Promise<Bench> {
  const query = async (url: string, text: string): Promise<void> => {
    const response = await fetch(url, { method: "POST", body: text });
    const answer = await response.text();
    if (!response.ok) throw new Error(answer.slice(0, 200));
  };
  // Persons lie where their hash says.
  await Promise.all(urls.map(async (url, i) => {
    await query(url, "DROP TABLE IF EXISTS dpcheck_bench");
    await query(
      url,
      "CREATE TABLE dpcheck_bench (g Int64, x Float64, id Int64) ENGINE = MergeTree PARTITION BY tuple() ORDER BY id",
    );
    await query(
      url,
      `INSERT INTO dpcheck_bench SELECT g, x, id FROM (SELECT ${
        columnsOf("toInt64(number)", "Float64")
      } FROM numbers(${rows})) WHERE cityHash64(id) % ${urls.length} = ${i}`,
    );
  }));
  const limited = { mean: PLAIN.mean, persons: PLAIN.personsLimitBy };
  return {
    name: `clickhouse, ${urls.length} shards`,
    rows: clickhouse("dpcheck_bench", { connection: urls }),
    plain: (question) =>
      Promise.all(
        urls.map((url) => query(url, `${limited[question]("dpcheck_bench")} FORMAT JSONCompact`)),
      ),
    pids: option("clickhouse-pids")?.split(",") ?? [],
  };
}

async function compare(bench: Bench): Promise<void> {
  const { name, plain, pids = [] } = bench;
  for (const question of ["mean", "persons"] as const) {
    const own: number[] = [], others: number[] = [];
    for (let round = 0; round < rounds; round++) {
      own.push(await seconds(pids, () => asked(bench, question)));
      if (plain !== undefined) others.push(await seconds(pids, () => plain(question)));
    }
    const cells = [name, question, median(own).toFixed(2)];
    if (others.length > 0) {
      cells.push(median(others).toFixed(2), (median(own) / median(others)).toFixed(1));
    }
    console.log(`| ${cells.join(" | ")} | ${Math.round(Deno.memoryUsage().rss / 2 ** 20)} MB |`);
  }
}

console.log(
  `${rows} rows, ${groups} groups, ${persons} persons; medians of ${rounds} rounds, CPU seconds: private, plain, times`,
);
const chosen = option("engines")?.split(",");
await withFiles(async (_, benches) => {
  for (const each of benches) {
    if (chosen === undefined || chosen.includes(each.name.split(",")[0]!)) await compare(each);
  }
});
if (postgresUrl !== undefined) await compare(await postgresBench(postgresUrl));
if (clickhouseUrls !== undefined) await compare(await clickhouseBench(clickhouseUrls));
