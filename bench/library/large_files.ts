/**
 * Seconds and memory of `dpcheck train` on files of more and more rows: a CSV of numbers, and lines of 100,000 numbered features.
 * Memory is the largest that the process had, by GNU time. Files are made in a temporary folder and removed.
 *
 * Usage: `deno task bench large-files [--rows 100000,1000000] [--columns 100] [--features-rows 100000]`
 */
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { option } from "../option.ts";
import { type Taken, underTime } from "../audits/under_time.ts";

const columns = Number(option("columns") ?? "100");
const tables = (option("rows") ?? "100000,1000000").split(",").map(Number);
const featureRows = (option("features-rows") ?? "100000").split(",").map(Number);
const FEATURES = 100_000;
const encoder = new TextEncoder();

/** Writes lines to a file, some thousands at a time. */
function writeLines(file: string, lines: Iterable<string>): void {
  using out = Deno.openSync(file, { write: true, create: true, truncate: true });
  let part = "";
  const flush = (): void => {
    const bytes = encoder.encode(part);
    for (let done = 0; done < bytes.length;) done += out.writeSync(bytes.subarray(done));
    part = "";
  };
  for (const line of lines) {
    part += line + "\n";
    if (part.length > 2 ** 20) flush();
  }
  flush();
}

function* table(rowCount: number): Generator<string> {
  const source = new SeededSource(1);
  yield [...Array.from({ length: columns }, (_, j) => `x${j}`), "y"].join(",");
  for (let i = 0; i < rowCount; i++) {
    const row = Array.from({ length: columns }, () => source.uint32() % 1000);
    const score = row[0]! + row[1]! - row[2]! - 500 + source.uint32() % 200 - 100;
    yield `${row.join(",")},${score > 0 ? "yes" : "no"}`;
  }
}

function* features(rowCount: number): Generator<string> {
  const source = new SeededSource(2);
  for (let i = 0; i < rowCount; i++) {
    const first = source.uint32() % 1000;
    const others = new Set(Array.from({ length: 10 }, () => 2 + source.uint32() % (FEATURES - 1)));
    const entries = [...others].sort((a, b) => a - b).map((index) => `${index}:0.2`);
    yield `${first > 500 ? "+1" : "-1"} 1:${first / 1000 - 0.5} ${entries.join(" ")}`;
  }
}

/** Runs `dpcheck train`. */
function train(folder: string, data: string): Promise<Taken> {
  return underTime([
    ...["run", "--allow-read", "--allow-write", "--allow-env", "--allow-sys", "cli/main.ts"],
    ...["train", "--data", data, "--label", "y", "--columns", `${folder}/columns.json`],
    ...["--learner", "logistic-regression", "--epsilon", "1", "--lambda", "0.0001"],
    ...["--norm-bound", "1", "--intercept", "0.5", "--out", `${folder}/model.json`],
  ]);
}

const folder = await Deno.makeTempDir();
console.log("| file | rows | MB | seconds | CPU seconds | MiB |");
console.log("| ---- | ---: | -: | ------: | ----------: | --: |");
async function row(name: string, lines: Iterable<string>, rowCount: number): Promise<void> {
  const data = `${folder}/rows.${name === "CSV" ? "csv" : "libsvm"}`;
  writeLines(data, lines);
  const { size } = await Deno.stat(data);
  const { seconds, cpu, mebibytes } = await train(folder, data);
  await Deno.remove(data);
  const cells = [rowCount, ...[size / 1e6, seconds, cpu, mebibytes].map(Math.round)];
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
try {
  const write = (description: unknown): Promise<void> =>
    Deno.writeTextFile(`${folder}/columns.json`, JSON.stringify(description));
  await write({
    columns: Array.from(
      { length: columns },
      (_, j) => ({ name: `x${j}`, type: "number", min: 0, max: 1000 }),
    ),
    label: { name: "y", classes: ["no", "yes"] },
  });
  for (const rowCount of tables) await row("CSV", table(rowCount), rowCount);
  await write({ features: FEATURES, label: { name: "y", classes: ["-1", "+1"] } });
  for (const rowCount of featureRows) await row("LIBSVM", features(rowCount), rowCount);
} finally {
  await Deno.remove(folder, { recursive: true });
}
