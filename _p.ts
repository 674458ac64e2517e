import process from "node:process";
import { DuckDBInstance } from "@duckdb/node-api";
const c0=process.cpuUsage(); const cpu = () => { const { user, system } = process.cpuUsage(c0); return (user + system) / 1e6; };
const inst = await DuckDBInstance.create(":memory:", {preserve_insertion_order:"false"}); const c = await inst.connect();
await c.run("SET disabled_optimizers = 'statistics_propagation'");
await c.run("CREATE TEMP TABLE keys0 AS SELECT range AS k, CAST(range AS INTEGER) AS p FROM range(100000)");
const F="read_parquet('/tmp/eb/rows.parquet')";
const key=12345;
const qs: Record<string,string> = {
 plain: `SELECT g, count(*) AS n FROM (SELECT id, g, row_number() OVER (PARTITION BY id, g ORDER BY x) AS k, dense_rank() OVER (PARTITION BY id ORDER BY g) AS j FROM ${F}) AS r WHERE k <= 10 AND j <= 3 GROUP BY g`,
 count1: `WITH r AS (SELECT p g, i FROM (SELECT g k, id i FROM ${F}) s JOIN keys0 ON keys0.k=s.k) SELECT g, sum(least(n, 10)) FROM (SELECT g, n, row_number() OVER (PARTITION BY i ORDER BY hash(i,g,${key}), g) AS k FROM (SELECT i, g, count(*) n FROM r GROUP BY i, g)) WHERE k <= 3 GROUP BY g`,
 count2: `SELECT g, sum(least(n, 10)) FROM (SELECT i, unnest(min_by({g: g, n: n}, hash(i, g, ${key}), 3), recursive := true) FROM (SELECT i, p g, sum(n) n FROM (SELECT id i, g k, count(*) n FROM ${F} GROUP BY i, k) s JOIN keys0 ON keys0.k=s.k GROUP BY i, p) GROUP BY i) GROUP BY g`,
 dist: `SELECT count(*), sum(n) FROM (SELECT id i, g k, count(*) n FROM ${F} GROUP BY i, k)`,
};
for (let r=0;r<2;r++) for (const [n,q] of Object.entries(qs)) {
  const a=cpu(); try { const rd = await c.runAndReadAll(q); rd.getColumns(); console.log(n.padEnd(10),"query",(cpu()-a).toFixed(3), Math.round(Deno.memoryUsage().rss/2**20)); } catch(e){console.log(n,String(e).slice(0,300));continue;} 
}
