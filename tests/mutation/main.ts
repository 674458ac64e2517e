/**
 * Puts faults into the library, one at a time, and prints those that no test notices. Nothing is stored, and survivors
 * fail nothing: they are to be read.
 *
 *     deno task mutate [FILES…] [--changed REF] [--seconds N] [--test-seconds N] [--far-seconds N]
 *
 * @module
 */
import { Command } from "commander";
import { changedLines } from "./changed_lines.ts";
import { distancesFrom, filesBelow, readSources, type Sources } from "./import_graph.ts";
import { instrumentedCopy } from "./instrumented_copy.ts";
import { type Fate, isMirror, MutationRun, type Result } from "./mutation_run.ts";
import type { Mutant } from "./mutant.ts";

const root = new URL("../../", import.meta.url).pathname.replace(/\/$/, "");

/** Code that carries a guarantee: what is mutated unless files are named, and all that `--changed` looks at. */
const GUARANTEES: readonly string[] = [
  "lib/core",
  "lib/dp/mechanisms",
  "lib/dp/accounting",
  "lib/judge/exact",
  // The kernel of the audit.
  "lib/judge/audit/kernel",
];

/** Tests that are not run against mutants: they start other programs, read the sources, or take minutes. */
const NOT_RUN: readonly string[] = [
  "tests/mutation",
  "tests/quality",
  "tests/end_to_end",
  "tests/cli",
  "tests/proofs",
  "tests/fixtures",
  "tests/imports_test.ts",
  "tests/readme_test.ts",
  "tests/programs_page_test.ts",
];

interface Options {
  readonly changed?: string;
  readonly seconds: string;
  readonly farSeconds: string;
  readonly testSeconds: string;
}

const command = new Command("mutate")
  .argument(
    "[files...]",
    "files or folders of lib; all code that carries a guarantee if none is named",
  )
  .option(
    "--changed <ref>",
    "only lines that differ from this commit, in code that carries a guarantee",
  )
  .option(
    "--seconds <n>",
    "stop after that many seconds; what has not met all its tests is said to survive so far",
    "Infinity",
  )
  .option("--far-seconds <n>", "for recording tests that reach a file from afar", "120")
  .option("--test-seconds <n>", "that the tests of one mutant may take together, near and far", "5")
  .parse(Deno.args, { from: "user" });
await mutate(command.args, command.opts<Options>());

async function mutate(named: readonly string[], options: Options): Promise<void> {
  const sources = readSources(root, [
    "lib",
    "tests",
    "proofs",
    "fixtures",
    "cli",
    "bench",
    "scripts",
    "mod.ts",
  ]);
  const lines = options.changed === undefined
    ? undefined
    : await changedLines(root, options.changed);
  const isWanted = (file: string): boolean =>
    (named.length === 0 || named.some((path) => isIn(file, path))) &&
    (named.length > 0 && lines === undefined || GUARANTEES.some((path) => isIn(file, path))) &&
    (lines?.has(file) ?? true);
  const files = filesBelow(root, "lib").filter((file) => file.endsWith(".ts") && isWanted(file));
  const deadline = Date.now() + 1000 * Number(options.seconds);
  const usable = [...sources.texts.keys()].filter((file) =>
    (file.endsWith("_test.ts") || /^proofs\/\w+\/\w+\/\w+\.ts$/.test(file)) &&
    !NOT_RUN.some((path) => isIn(file, path))
  );
  const results: Result[] = [];
  const groups = [...Map.groupBy(files, folderOf).values()];
  for (const [k, group] of groups.entries()) {
    // Each folder gets an equal share of the time that is left.
    const now = Date.now(), end = now + (deadline - now) / (groups.length - k);
    const isChosen = ({ file, line }: Mutant): boolean =>
      lines === undefined || lines.get(file)!.has(line);
    results.push(...await runGroup(group, { sources, usable, isChosen, deadline: end, options }));
  }
  report(results);
}

async function runGroup(
  files: readonly string[],
  { sources, usable, isChosen, deadline, options }: {
    sources: Sources;
    usable: readonly string[];
    isChosen: (mutant: Mutant) => boolean;
    deadline: number;
    options: Options;
  },
): Promise<Result[]> {
  const { mirrors, above } = mirrorsOf(folderOf(files[0]!), usable);
  const reaching = usable.map((test) => {
    const distances = distancesFrom(test, sources);
    return { test, distance: Math.min(...files.map((file) => distances.get(file) ?? Infinity)) };
  }).filter(({ distance }) => distance < Infinity).sort((a, b) => a.distance - b.distance);
  const isNear = ({ test, distance }: { test: string; distance: number }): boolean =>
    mirrors.some((folder) => isIn(test, folder)) &&
    distance <= above + (mirrors.includes("tests/audit") ? 1 : 2);
  // Tests that are called like a file first: time may run out.
  const rank = (test: string): number => files.some((file) => isMirror(test, file)) ? 0 : 1;
  const near = reaching.filter(isNear).map(({ test }) => test)
    .toSorted((a, b) => rank(a) - rank(b));
  const far = reaching.filter((found) => !isNear(found)).map(({ test }) => test);
  await using copy = await instrumentedCopy(root, { files, sources });
  const chosen = copy.mutants.filter(isChosen);
  const timed = deadline < Infinity;
  const mutants = timed ? chosen.toSorted((a, b) => spread(a.id) - spread(b.id)) : chosen;
  if (mutants.length === 0) return [];
  log(
    `${files.length} files, ${mutants.length} mutants, ${near.length} + ${far.length} files of tests`,
  );
  const run = new MutationRun({
    root: copy.root,
    mutants,
    sources,
    deadline,
    testSeconds: Number(options.testSeconds),
    log,
  });
  return await run.run({ near, far, farSeconds: Number(options.farSeconds) });
}

/** Where tests mirror a folder of lib: those of a folder `above`, so many levels up, where it has none of its own. */
function mirrorsOf(
  folder: string,
  tests: readonly string[],
  above = 0,
): { readonly mirrors: readonly string[]; readonly above: number } {
  const mirrors = [folder.replace("lib/", "tests/")];
  const hasTests = tests.some((test) => isIn(test, mirrors[0]!));
  return hasTests || !folder.includes("/")
    ? { mirrors, above }
    : mirrorsOf(folderOf(folder), tests, above + 1);
}

function report(results: readonly Result[]): void {
  const of = (...fates: Fate[]): Result[] => results.filter(({ fate }) => fates.includes(fate));
  const survivors = of("survived", "survived so far", "not reached");
  for (const { mutant: { file, line, in: place, change }, fate } of survivors) {
    console.log(`${fate}: ${file}:${line} ${place}: ${change}`);
  }
  console.log(
    `${results.length} mutants: ${of("killed").length} killed, ${of("by time").length} by time, ` +
      `${survivors.length} survivors, of which ${
        of("survived so far").length
      } have not met all their tests; ` +
      `${of("not run").length} not run`,
  );
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
