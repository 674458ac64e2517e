/**
 * Puts faults that are drawn at random into mechanisms, learners, accounting and exact checks, and says which of
 * them the theorems do not notice.
 *
 *     deno task prove:faults [--seed N] [--count N] [--folders NAMES] [--files REGEX] [--theorems REGEX] [--test-seconds N]
 *       [--json FILE] [--again FILE] [--left FILE]
 *
 * @module
 */
import { Command } from "commander";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { distancesFrom, readSources } from "../../mutation/import_graph.ts";
import { instrumentedCopy } from "../../mutation/instrumented_copy.ts";
import { keyOf, type Mutant } from "../../mutation/mutant.ts";
import { MutationRun, type Result } from "../../mutation/mutation_run.ts";
import type { AcceptedSurvivors } from "../../mutation/survivors.ts";
import { chooseFaults, FOLDERS, isDrawnFrom } from "./choose_faults.ts";

const root = new URL("../../../", import.meta.url).pathname.replace(/\/$/, "");

interface Options {
  readonly seed: string;
  readonly count: string;
  readonly json?: string;
  readonly again?: string;
  readonly left?: string;
  readonly theorems: string;
  readonly folders: string;
  readonly files: string;
  readonly testSeconds: string;
}

const command = new Command("prove:faults")
  .option("--seed <n>", "of the draw", "2801")
  .option("--count <n>", "faults, equally many of each folder", "200")
  .option("--json <file>", "write what became of each fault")
  .option("--again <file>", "leave out what a run before noticed, by its --json")
  .option("--left <file>", "no draw: what a run before left, by its --json")
  .option("--folders <names>", "only faults of these folders", FOLDERS.join(","))
  .option("--files <regex>", "only faults of files whose path matches", "")
  .option("--theorems <regex>", "only files of theorems whose path matches", "")
  .option("--test-seconds <n>", "what the theorems of one fault may take together", "60")
  .parse(Deno.args, { from: "user" });
const options = command.opts<Options>();
const results = await run(options);
Deno.exitCode = report(results, options);

async function run(
  { seed, count, again, left, theorems, folders, files: named, testSeconds, json }: Options,
): Promise<Result[]> {
  const sources = readSources(root, ["lib", "proofs"]);
  const files = [...sources.texts.keys()].filter(isDrawnFrom);
  await using copy = await instrumentedCopy(root, { files, sources });
  const before = again === undefined ? new Map<string, Result>() : noticedIn(again);
  const chosen = left === undefined
    ? chooseFaults(copy.mutants, {
      count: Number(count),
      source: new SeededSource(Number(seed)),
      harmless: harmlessKeys(),
    })
    : leftOf(copy.mutants, { file: left, harmless: harmlessKeys() });
  const drawn = chosen.filter((mutant) =>
    folders.split(",").some((folder) => mutant.file.startsWith(`lib/${folder}/`)) &&
    new RegExp(named).test(mutant.file)
  );
  const known = drawn.flatMap((mutant) => {
    const result = before.get(keyOf(mutant));
    return result === undefined ? [] : [{ ...result, mutant }];
  });
  const mutants = drawn.filter((mutant) => !before.has(keyOf(mutant)));
  const proofs = [...sources.texts.keys()].filter((file) =>
    /^proofs\/(?!checks|engine)\w+\/\w+\.ts$/.test(file) && new RegExp(theorems).test(file)
  );
  const broken = new Set(mutants.map(({ file }) => file));
  const reaching = proofs.filter((file) =>
    [...distancesFrom(file, sources).keys()].some((reached) => broken.has(reached))
  );
  log(`${mutants.length} faults of ${copy.mutants.length}, ${reaching.length} files of theorems`);
  const results = await new MutationRun({
    root: copy.root,
    mutants,
    sources,
    deadline: Infinity,
    testSeconds: Number(testSeconds),
    log,
    save: (found) => write(json, [...known, ...found]),
  }).run({ near: reaching, far: [], farSeconds: 0 });
  return [...known, ...results];
}

/** Faults by which no claim and no bound can be wrong, with reasons: those of the list of survivors, and of our own. */
function harmlessKeys(): Set<string> {
  const lists = ["../../mutation/survivors.json", "harmless.json"].flatMap((name) =>
    JSON.parse(Deno.readTextFileSync(new URL(name, import.meta.url))) as AcceptedSurvivors[]
  );
  return new Set(
    lists.flatMap((entry) => entry.changes.map((change) => keyOf({ ...entry, change }))),
  );
}

/** What a run before noticed, by its key. */
function noticedIn(file: string): Map<string, Result> {
  const results = JSON.parse(Deno.readTextFileSync(file)) as Result[];
  return new Map(
    results.filter(({ fate }) => isNoticed(fate)).map((result) => [keyOf(result.mutant), result]),
  );
}

/** Faults that a run before did not notice, without those that were found to harm nobody since. */
function leftOf(
  mutants: readonly Mutant[],
  { file, harmless }: { readonly file: string; readonly harmless: ReadonlySet<string> },
): Mutant[] {
  const results = JSON.parse(Deno.readTextFileSync(file)) as Result[];
  const left = new Set(
    results.filter(({ fate }) => !isNoticed(fate)).map(({ mutant }) => keyOf(mutant)),
  );
  return mutants.filter((mutant) => left.has(keyOf(mutant)) && !harmless.has(keyOf(mutant)));
}

function isNoticed(fate: Result["fate"]): boolean {
  return fate === "killed" || fate === "by time";
}

function write(json: string | undefined, results: readonly Result[]): void {
  if (json !== undefined) Deno.writeTextFileSync(json, JSON.stringify(results));
}

function report(results: readonly Result[], { json, seed }: Options): number {
  write(json, results);
  const noticed = (of: readonly Result[]): number =>
    of.filter(({ fate }) => isNoticed(fate)).length;
  for (const folder of FOLDERS) {
    const of = results.filter(({ mutant }) => mutant.file.startsWith(`lib/${folder}/`));
    console.log(`lib/${folder}: ${noticed(of)} of ${of.length} noticed`);
    for (const [file, its] of Map.groupBy(of, ({ mutant }) => mutant.file)) {
      console.log(`  ${file}: ${noticed(its)} of ${its.length}`);
      for (const { mutant, fate } of its) {
        if (!isNoticed(fate)) {
          console.log(`    ${fate}: line ${mutant.line}, ${mutant.in}: ${mutant.change}`);
        }
      }
    }
  }
  const share = noticed(results) / results.length;
  console.log(
    `${noticed(results)} of ${results.length} faults noticed (${
      (100 * share).toFixed(1)
    }%), seed ${seed}`,
  );
  return share >= 0.95 ? 0 : 1;
}

function log(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}
