/** Seconds and memory of questions by group over streamed rows. Run: deno task bench tables [--rows 10000000] [--groups 100000] */
import process from "node:process";
import { addRemoveOne } from "../../lib/core/relations/relation.ts";
import { type Answers, type Row, table } from "../../lib/dp/tables/mod.ts";
import { option } from "../option.ts";

const count = Number(option("rows") ?? 1e7), groups = Number(option("groups") ?? 1e5);
const values = Array.from({ length: groups }, (_, i) => `group ${i}`);

/** Rows of which none is kept. */
function* rows(): Generator<Row> {
  let word = 1;
  for (let i = 0; i < count; i++) {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    yield { group: values[word % groups]!, hours: word % 97, person: `${(word >>> 8) % 300_000}` };
  }
}

const columns = {
  group: { type: "category", values },
  hours: { type: "number", lower: 0, upper: 99 },
} as const;
const schema = { columns, relation: addRemoveOne, budget: { epsilon: 10 } };
const byRow = table(() => rows(), { ...schema, unit: "row" }).groupBy("group");
const byPerson = table(() => rows(), { ...schema, unit: { person: "person" } })
  .boundContributions({ groups: 4, rows: 2 }).groupBy("group");

async function measure(name: string, ask: () => Promise<Answers | void>): Promise<void> {
  const before = process.cpuUsage(), start = performance.now();
  await ask();
  const { user, system } = process.cpuUsage(before);
  const wall = (performance.now() - start) / 1e3, cpu = (user + system) / 1e6;
  const memory = Math.round(Deno.memoryUsage().rss / 2 ** 20);
  console.log(
    `${name}: ${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time, ${memory} MB`,
  );
}

console.log(`${count} rows, ${groups} groups`);
await measure("rows alone", async () => {
  let sum = 0;
  for (const row of rows()) sum += row.hours as number;
  await Promise.resolve(sum);
});
await measure("count", () => byRow.count({ epsilon: 1 }));
await measure("mean", () => byRow.mean("hours", { epsilon: 1 }));
await measure("count, 300,000 persons", () => byPerson.count({ epsilon: 1 }));
