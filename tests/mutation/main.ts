/**
 * Puts faults into the library, one at a time, and says which of them no test notices.
 *
 *     deno task mutate [FILES…] [--changed REF] [--seconds N] [--json FILE] [--again FILE] [--write FILE]
 *
 * @module
 */
import { Command } from "commander";
import { distancesFrom, filesBelow, readSources, type Sources } from "./import_graph.ts";
import { instrumentedCopy } from "./instrumented_copy.ts";
import { MutationRun, type Result } from "./mutation_run.ts";
import { keyOf } from "./mutant.ts";
import { resultsTable, rowsWithoutSurvivors } from "./results_table.ts";
import { type AcceptedSurvivors, compareSurvivors } from "./survivors.ts";

const root = new URL("../../", import.meta.url).pathname.replace(/\/$/, "");

/** With `--changed` only files fail a run that have no survivors without a reason here. */
const TABLE = "tests/mutation/RESULTS.md";

interface Options {
  readonly changed?: string;
  readonly seconds: string;
  readonly farSeconds: string;
  readonly testSeconds: string;
  readonly again?: string;
  readonly json?: string;
  readonly write?: string;
}

const command = new Command("mutate")
  .argument("[files...]", "files or folders of lib; all targets if none is named")
  .option("--changed <ref>", "only files that differ from this commit")
  .option(
    "--seconds <n>",
    "stop after that many seconds; what did not meet all its tests is no survivor",
    "Infinity",
  )
  .option("--far-seconds <n>", "for recording tests that reach a file from afar", "120")
  .option("--test-seconds <n>", "that the tests of one mutant may take together, near and far", "5")
  .option("--again <file>", "leave out what was noticed in a run before, by its --json")
  .option("--json <file>", "write what became of each mutant")
  .option("--write <file>", "renew the rows of a table by file")
  .parse(Deno.args, { from: "user" });
Deno.exitCode = await mutate(command.args, command.opts<Options>());

async function mutate(named: readonly string[], options: Options): Promise<number> {
  const { targets, testsNotRun } = readJson<{ targets: string[]; testsNotRun: string[] }>(
    "targets",
  );
  const sources = readSources(root, [
    "lib",
    "tests",
    "proofs",
    "fixtures",
    "cli",
    "bench",
    "experiments",
    "scripts",
    "mod.ts",
  ]);
  const all = targets.flatMap((path) => filesBelow(root, path)).filter((file) =>
    file.endsWith(".ts")
  );
  const changed = options.changed === undefined ? undefined : await changedSince(options.changed);
  const files = all.filter((file) =>
    (named.length === 0 || named.some((path) => isIn(file, path))) && (changed?.has(file) ?? true)
  );
  const deadline = Date.now() + 1000 * Number(options.seconds);
  const usable = [...sources.texts.keys()].filter((file) =>
    (file.endsWith("_test.ts") || /^proofs\/\w+\/\w+\.ts$/.test(file)) &&
    !testsNotRun.some((path) => isIn(file, path))
  );
  const results: Result[] = [];
  for (const [folder, group] of Map.groupBy(files, folderOf)) {
    if (Date.now() > deadline) {
      log(`no time is left for ${folder}`);
      continue;
    }
    results.push(...await runGroup(group, { sources, usable, deadline, options }));
    if (options.json !== undefined) await Deno.writeTextFile(options.json, JSON.stringify(results));
  }
  return report(results, options);
}

async function runGroup(
  files: readonly string[],
  { sources, usable, deadline, options }: {
    sources: Sources;
    usable: readonly string[];
    deadline: number;
    options: Options;
  },
): Promise<Result[]> {
  // Where tests mirror the library: beside each other, or below tests/mirror.
  const mirrors = ["tests/", "tests/mirror/"].map((path) =>
    folderOf(files[0]!).replace("lib/", path)
  );
  const reaching = usable.map((test) => {
    const distances = distancesFrom(test, sources);
    return { test, distance: Math.min(...files.map((file) => distances.get(file) ?? Infinity)) };
  }).filter(({ distance }) => distance < Infinity).sort((a, b) => a.distance - b.distance);
  const isNear = ({ test, distance }: { test: string; distance: number }): boolean =>
    mirrors.some((folder) => isIn(test, folder)) &&
    distance <= (mirrors.includes("tests/audit") ? 1 : 2);
  const near = reaching.filter(isNear).map(({ test }) => test);
  const far = reaching.filter((found) => !isNear(found)).map(({ test }) => test);
  await using copy = await instrumentedCopy(root, { files, sources });
  const before = options.again === undefined ? undefined : noticedIn(options.again);
  const chosen = copy.mutants.filter((mutant) => !before?.has(keyOf(mutant)));
  const timed = deadline < Infinity;
  const mutants = timed ? chosen.toSorted((a, b) => spread(a.id) - spread(b.id)) : chosen;
  const known = copy.mutants.flatMap((mutant) => {
    const result = before?.get(keyOf(mutant));
    return result === undefined ? [] : [{ ...result, mutant }];
  });
  if (mutants.length === 0) return known;
  log(
    `${files.length} files, ${mutants.length} mutants, ${near.length} + ${far.length} files of tests`,
  );
  const save = (results: readonly Result[]): void => {
    if (options.json !== undefined) {
      Deno.writeTextFileSync(options.json, JSON.stringify([...known, ...results]));
    }
  };
  const testSeconds = Number(options.testSeconds);
  const run = new MutationRun({
    root: copy.root,
    mutants,
    sources,
    deadline,
    testSeconds,
    log,
    save,
  });
  const results = await run.run({
    near,
    far,
    farSeconds: Number(options.farSeconds),
  });
  return [...known, ...results];
}

function report(results: readonly Result[], { json, write, changed }: Options): number {
  const comparison = compareSurvivors(results, readJson<AcceptedSurvivors[]>("survivors"));
  if (json !== undefined) Deno.writeTextFileSync(json, JSON.stringify(results));
  const exists = (file: string): boolean => {
    try {
      return Deno.statSync(`${root}/${file}`).isFile;
    } catch {
      return false;
    }
  };
  if (write !== undefined) {
    const before = exists(write) ? Deno.readTextFileSync(`${root}/${write}`) : "";
    Deno.writeTextFileSync(
      `${root}/${write}`,
      resultsTable(before, { results, comparison, exists }),
    );
  }
  for (const { mutant: { file, line, in: place, change }, fate } of comparison.unexplained) {
    console.log(`${fate}: ${file}:${line} ${place}: ${change}`);
  }
  const clean = rowsWithoutSurvivors(
    exists(TABLE) ? Deno.readTextFileSync(`${root}/${TABLE}`) : "",
  );
  const mustBeExplained = changed === undefined
    ? comparison.unexplained
    : comparison.unexplained.filter(({ mutant }) => clean.has(mutant.file));
  for (const key of comparison.stale) console.log(`listed, but noticed or gone: ${key}`);
  const count = (fate: string): number => results.filter((result) => result.fate === fate).length;
  console.log(
    `${results.length} mutants: ${count("killed")} killed, ${count("by time")} by time, ` +
      `${comparison.explained.length} listed, of which ${
        comparison.explained.filter(({ equivalent }) => equivalent).length
      } equivalent, ${comparison.unexplained.length} not explained, ` +
      `${count("not run")} not run against all their tests`,
  );
  return mustBeExplained.length + comparison.stale.length === 0 ? 0 : 1;
}

/** What was noticed in a run before, by its key. */
function noticedIn(file: string): Map<string, Result> {
  const results = JSON.parse(Deno.readTextFileSync(file)) as Result[];
  const noticed = results.filter(({ fate }) => fate === "killed" || fate === "by time");
  return new Map(noticed.map((result) => [keyOf(result.mutant), result]));
}

/** The files that differ from a commit; none where there is no such commit. */
async function changedSince(ref: string): Promise<Set<string>> {
  const { success, stdout } = await new Deno.Command("git", {
    args: ["-C", root, "diff", "--name-only", ref],
    stderr: "null",
  }).output();
  if (!success) log(`There is no commit ${ref} to compare with.`);
  return new Set(success ? new TextDecoder().decode(stdout).split("\n") : []);
}

function readJson<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(`${name}.json`, import.meta.url))) as T;
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/"));
}

function isIn(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path.replace(/\/$/, "")}/`);
}

/** An order that does not follow the ids, the same in every run. */
function spread(id: number): number {
  return Math.imul(id, 0x9e3779b1) >>> 0;
}

function log(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}
