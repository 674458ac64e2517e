/**
 * `deno task test [PATHS…] [OPTIONS of deno test…]`: `deno test` with one module for each folder, which imports the tests in it.
 * Given the files themselves, `deno test` would load and compile the library again for each.
 *
 * @module
 */

import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { MISSING_PROGRAMS, type MissingProgram } from "./missing_program.ts";

/** Folders that take longest. They begin first, so that at the end no core waits for another. */
const LONGEST: readonly string[] = [
  "tests/quality",
  "tests/end_to_end",
  "tests/judge/audit",
  "tests/cli",
  "tests/sweeps",
];

/** Garbage is collected less often, and by the thread that made it: all cores are busy. It takes 7% off audits of fixtures. */
const FLAGS = "--v8-flags=--single-threaded-gc,--min-semi-space-size=16";

/** Names of files that `deno test` runs. */
const TESTS = /^(.*[._])?test\.(ts|tsx|mts|js|mjs|jsx)$/;

/** The files of tests at a path. */
async function testsAt(path: string): Promise<string[]> {
  if ((await Deno.stat(path)).isFile) return [path];
  const entries = await Array.fromAsync(Deno.readDir(path));
  const found = entries.filter(({ name, isDirectory }) => isDirectory || TESTS.test(name))
    .map(({ name }) => testsAt(join(path, name)));
  return (await Promise.all(found)).flat();
}

/** The folder whose tests run in one isolate: `tests/cli`, or `tests/core`. Snapshots are looked for beside the main module. */
async function groupOf(file: string): Promise<string> {
  if (/\bassertSnapshot\b/.test(await Deno.readTextFile(file))) return file;
  return dirname(relative(".", file)).split("/").slice(0, 3).join("/");
}

/** The programs that tests did not find, each once, with what they would have tested. */
function missingPrograms(lines: string): string[] {
  const found = lines.trim().split("\n").filter((line) => line !== "")
    .map((line): MissingProgram => JSON.parse(line));
  const programs = Map.groupBy(found, ({ program }) => program);
  if (programs.size === 0) return [];
  const listed = [...programs].sort(([one], [other]) => one < other ? -1 : 1)
    .map(([program, all]) =>
      `  ${program}: ${[...new Set(all.map(({ tests }) => tests))].sort().join("; ")}`
    );
  return ["Not tested, for programs that are not here:", ...listed];
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

const paths: string[] = [], options: string[] = [];
for (const each of Deno.args) (await exists(each) ? paths : options).push(each);
if (paths.length === 0) paths.push("tests");

const files = [...new Set((await Promise.all(paths.map(testsAt))).flat())].sort();
const groups = new Map<string, string[]>(LONGEST.map((folder) => [folder, []]));
for (const file of files) {
  const group = await groupOf(file);
  groups.set(group, [...groups.get(group) ?? [], file]);
}

const folder = await Deno.makeTempDir({ prefix: "dpcheck_" });
try {
  const missing = `${folder}/missing`;
  await Deno.writeTextFile(missing, "");
  const modules: string[] = [];
  for (const [group, files] of groups) {
    const module = `${folder}/${group.replaceAll("/", "_")}.ts`;
    const imports = files.map((file) => `import "${pathToFileURL(resolve(file))}";\n`);
    await Deno.writeTextFile(module, imports.join(""));
    modules.push(...files.length > 1 ? [module] : files);
  }
  // One more than there are cores, for many tests wait for a process: five minutes in place of five and a half on two cores.
  const jobs = Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1);
  const { code } = await new Deno.Command(Deno.execPath(), {
    env: { DENO_JOBS: jobs, [MISSING_PROGRAMS]: missing },
    // Without a module it would run all tests that it finds; of paths without tests it says that there are none.
    args: [
      "test",
      "--config",
      "deno.json",
      FLAGS,
      ...options,
      ...modules.length > 0 ? modules : paths,
    ],
  }).spawn().status;
  const found = missingPrograms(await Deno.readTextFile(missing));
  if (found.length > 0) console.log(["", ...found].join("\n"));
  Deno.exitCode = code;
} finally {
  await Deno.remove(folder, { recursive: true });
}
