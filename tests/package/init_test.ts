import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LANGUAGES } from "../../cli/options/init_arguments.ts";
import { hasProgram } from "../has_program.ts";
import { LONG } from "../long.ts";
import { ok, type Place, withArchive } from "./archives.ts";
import { type Ran, run } from "./run.ts";

// dpcheck init as a new user meets it: an empty folder, the archives of both packages, each language under Node and under Deno;
// then the steps of the workflow that it writes, in a copy of what would be committed.

const ignored = Deno.env.get("DPCHECK_PACKAGE") === undefined;
const deno = Deno.execPath();
const RUNTIMES = { node: ["npx", "dpcheck"], deno: [deno, "x", "-A", "dpcheck"] } as const;
const NEEDED = {
  python: ["python3", "-c", "import pytest"],
  r: ["Rscript", "-e", "library(jsonlite)"],
  node: ["node", "--version"],
  deno: [deno, "--version"],
} as const;
/** What this machine has or a build gets from elsewhere. */
const IS_FROM_ELSEWHERE = /^pip install pytest$|install\.packages/;

/** Copies what is committed: all but what npm and dpcheck make. */
async function committed({ folder, env }: Place, to: string): Promise<void> {
  await Deno.mkdir(to);
  const tar = "tar --exclude=./node_modules --exclude=./.dpcheck -cf - . | tar -xf - -C";
  await ok(run("sh", ["-c", `${tar} ${to}`], { cwd: folder, env }));
}

/** The file of an action, and how it calls dpcheck. */
interface Action {
  readonly file: string;
  readonly command: string;
}

/** The command lines of a workflow's steps, and of the action's audit. */
async function stepsOf(folder: string): Promise<{ runs: string[]; action: Action }> {
  const workflow = await Deno.readTextFile(`${folder}/.github/workflows/dpcheck.yml`);
  const runs = [...workflow.matchAll(/^ +- run: (.*)$/gm)].map(([, line]) => line!)
    .filter((line) => !IS_FROM_ELSEWHERE.test(line));
  const used = /uses: \.\/(node_modules\/\S+)/.exec(workflow)![1]!;
  const command = /^ +command: (.*)$/m.exec(workflow)?.[1] ?? "npx dpcheck";
  return { runs, action: { file: `${used}/action.yml`, command } };
}

/** Runs the step of action.yml that audits, as GitHub does. */
async function runAction(
  { file, command }: Action,
  { folder, env }: Pick<Place, "folder" | "env">,
): Promise<Ran> {
  const text = await Deno.readTextFile(`${folder}/${file}`);
  const script = /id: suite\n[^]*?run: \|\n((?: {8}.*\n)+)/.exec(text)![1]!.replaceAll(
    /^ {8}/gm,
    "",
  );
  const outputs = {
    SUITE: "dpcheck.json",
    CHANGED: "false",
    COMMAND: command,
    OUT: `${folder}/../out`,
  };
  const files = {
    GITHUB_OUTPUT: `${folder}/../output`,
    GITHUB_STEP_SUMMARY: `${folder}/../summary`,
  };
  return await run("bash", ["-ec", script], { cwd: folder, env: { ...env, ...outputs, ...files } });
}

for (const language of LANGUAGES) {
  const ignore = ignored ||
    !await hasProgram([...NEEDED[language]], `dpcheck init in ${language}`);
  for (const [runtime, words] of Object.entries(RUNTIMES)) {
    Deno.test({
      name:
        `dpcheck init in ${language} under ${runtime} ends with an audit, and its workflow runs as written`,
      // Each takes half a minute: under Deno the other languages take part with DPCHECK_LONG=1 alone.
      ignore: ignore || (runtime === "deno" && language !== "deno" && !LONG),
      fn: () =>
        withArchive(async (place) => {
          const { folder, archives, env } = place;
          await Deno.mkdir(`${folder}/vendor`);
          const names = archives.map((file) => file.split("/").at(-1)!);
          for (const [i, file] of archives.entries()) {
            await Deno.copyFile(file, `${folder}/vendor/${names[i]}`);
          }
          const saved = ["install", "--save-dev", ...names.map((name) => `./vendor/${name}`)];
          await ok(run("npm", saved, { cwd: folder, env }));
          const [program, ...more] = words;
          const initWords = [...more, "init", "--yes", "--language", language];
          const { stdout } = await ok(run(program, initWords, { cwd: folder, env }));
          assertStringIncludes(stdout, "not-refuted");

          const build = `${folder}/../build`;
          await committed(place, build);
          const { runs, action } = await stepsOf(build);
          assertEquals(runs[0], "npm ci");
          for (const line of runs) {
            await ok(run("bash", ["-ec", line], { cwd: build, env }));
          }
          await ok(runAction(action, { folder: build, env }));
          assertStringIncludes(await Deno.readTextFile(`${build}/../output`), "status=0\n");
          // Mutant: an example whose noise is too small turns the build red.
          const example = (await Array.fromAsync(Deno.readDir(build))).map(({ name }) => name)
            .find((name) => name.startsWith("noisy_count."));
          assert(example !== undefined);
          const text = await Deno.readTextFile(`${build}/${example}`);
          await Deno.writeTextFile(
            `${build}/${example}`,
            text.replaceAll("/ EPSILON", "/ (9 * EPSILON)"),
          );
          await ok(runAction(action, { folder: build, env }));
          assertStringIncludes(await Deno.readTextFile(`${build}/../output`), "status=1\n");
        }),
    });
  }
}
