import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type CliRun, runCli, withFolder } from "./end_to_end/run_cli.ts";
import { theorems } from "../proofs/book.ts";
import { splitCommand } from "../lib/judge/audit/subjects/process/split_command.ts";
import { hasProgram } from "./has_program.ts";

const root = new URL("../", import.meta.url);
const read = (file: string): Promise<string> => Deno.readTextFile(new URL(file, root));
const readme = await read("README.md");
const { tasks } = JSON.parse(await read("deno.json")) as { tasks: Record<string, unknown> };

/** The code blocks of a language. */
function blocksOf(language: string, text: string): string[] {
  return [...text.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)]
    .filter((match) => match[1] === language).map((match) => match[2]!);
}

/** Tasks that a text names and deno.json has not. */
function missingTasks(text: string): string[] {
  const named = [...text.matchAll(/(?:deno|deno@[\d.]+) task ([a-z][\w:-]*)/g)].map((match) =>
    match[1]!
  );
  assert(named.length > 0, "no task is named");
  return named.filter((task) => !Object.hasOwn(tasks, task));
}

/** Files that a text links to and that are not there. */
async function missingLinks(text: string): Promise<string[]> {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1]!);
  assert(links.length > 0, "there is no link");
  const missing: string[] = [];
  for (const link of links) {
    await Deno.stat(new URL(link, root)).catch(() => missing.push(link));
  }
  return missing;
}

Deno.test("README.md names tasks that exist", () => {
  assertEquals(missingTasks(readme), []);
  assertEquals(missingTasks("npx --yes deno@2.9.6 task demonstrate"), ["demonstrate"]);
});

Deno.test("README.md links to files that exist", async () => {
  assertEquals(await missingLinks(readme), []);
  assertEquals(await missingLinks("[x](nowhere.md)"), ["nowhere.md"]);
});

const contributing = await read("CONTRIBUTING.md");

// Mutants: a file that was renamed; a task that is gone.
Deno.test("CONTRIBUTING.md names tasks and files that exist", async () => {
  assertEquals(missingTasks(contributing), []);
  assertEquals(await missingLinks(contributing), []);
  const commands = blocksOf("sh", contributing).join("\n").match(/tests\/[\w/]+(?:\.ts)?/g)!;
  const files = [
    ...contributing.matchAll(/`(?:deno test -A |deno task mutate )?([\w/.]+\/[\w/.]+)[^`]*`/g),
  ]
    .map((match) => match[1]!).filter((file) => !file.includes("NAME"));
  assert(
    files.length > 35 && commands.length > 5,
    `${files.length} files, ${commands.length} in commands`,
  );
  const missing: string[] = [];
  for (const path of [...files, ...commands]) {
    if (theorems.some(({ id }) => id === path)) continue;
    await Deno.stat(new URL(path, root)).catch(() => missing.push(path));
  }
  assertEquals(missing, []);
});

Deno.test("README.md runs in continuous integration as it says", async () => {
  const trial = blocksOf("sh", readme).find((block) => block.includes("task demo"))!;
  const test = trial.trim().split("\n").at(-1)!;
  assertEquals(test, "npx --yes deno@2.9.6 task test");
  const script = await read(".ci/run");
  assertStringIncludes(script, "deno=(npx --yes deno@2.9.6)");
  assertStringIncludes(script, '"${deno[@]}" task test');
});

Deno.test("README.md names commands that dpcheck has", async () => {
  const { stdout } = await runCli(["--help"]);
  const commands = new Set([...stdout.matchAll(/^ {2}(\w+) /gm)].map((match) => match[1]));
  const named = [...readme.matchAll(/`(?:deno task |npx )?dpcheck (\w+)/g)].map((match) =>
    match[1]
  );
  assert(named.length > 0, "no command is named");
  assertEquals(named.filter((command) => !commands.has(command)), []);
});

// `deno task examples` checks their types too.
Deno.test("README.md and docs/commands.md show examples that run", async () => {
  const pages = ["README.md", "docs/commands.md"];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--quiet", "--no-check", "--doc", "--allow-read", "--allow-env", ...pages],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success, text);
  const blocks = (await Promise.all(pages.map(read))).flatMap((page) => blocksOf("ts", page));
  assertStringIncludes(text, `${blocks.length} passed`);
});

const file = "spending.py";

Deno.test({
  name: "README.md shows what an audit of its program finds",
  ignore: !await hasProgram(["python3", "--version"], "the example of a page in Python"),
  async fn(): Promise<void> {
    const command = blocksOf("sh", readme).find((block) => block.includes(file))!;
    const [, , ...words] = splitCommand(command.trim());
    const [program] = blocksOf("python", readme);
    await withFolder(async (folder) => {
      // Repaired, the same command does not refute it: wrongly once in 10⁶ runs, at most.
      const repaired = program!.replace("laplace(10)", "laplace(70)");
      assert(repaired !== program);
      /** Audits a program in the folder, as the command does, with further words. */
      const audited = async (
        name: string,
        source: string,
        more: string[] = [],
      ): Promise<CliRun> => {
        await Deno.writeTextFile(`${folder}/${name}`, source);
        return await runCli(
          [...words.map((word) => word.replace(file, `${folder}/${name}`)), ...more],
          { env: { PYTHONPATH: new URL("adapters/python", root).pathname } },
        );
      };
      const [broken, kept] = await Promise.all([
        audited(file, program!),
        audited("repaired.py", repaired, ["--max-draws", "10000", "--alpha", "1e-6"]),
      ]);
      assertEquals(broken.code, 1, broken.stdout);
      // As printed but for the figures, which depend on the noise: the first line and the headings.
      const printed = broken.stdout.replaceAll(`${folder}/`, "");
      const shown = blocksOf("text", readme).find((block) => block.includes("REFUTED"))!;
      const isFigure = /[\d.]+/g, first = shown.split("\n")[0]!;
      assertEquals(
        printed.split("\n")[0]!.replaceAll(isFigure, "#"),
        first.replaceAll(isFigure, "#"),
      );
      assertStringIncludes(printed, "Counterexample\n  left   [");
      const watched = /^Where it may come from.*\n.*$/m.exec(shown)?.[0] ?? "";
      assertStringIncludes(printed, watched);
      assertEquals(kept.code, 0, kept.stdout);
    });
  },
});

// Mutant: a folder of lib/judge/audit that the page does not name.
Deno.test("docs/architecture.md names every folder of lib/judge/audit, and no file that is not there", async () => {
  const page = await Deno.readTextFile(new URL("../docs/architecture.md", import.meta.url));
  const audit = new URL("../lib/judge/audit/", import.meta.url);
  for await (const { name, isDirectory } of Deno.readDir(audit)) {
    if (isDirectory) assertStringIncludes(page, `${name}: `, `lib/judge/audit/${name}`);
  }
  const files = page.match(/(?<=`)(?:\.\.\/)?[a-z_]+\/[a-z_]+\.ts(?=`(?!\]))/g) ?? [];
  assert(files.length > 5);
  const kernel = new URL("kernel/", audit);
  for (const file of files.filter((name) => !name.startsWith("tests/"))) {
    await Deno.stat(new URL(file, kernel));
  }
});

// Mutants: a sentence that the page no longer says; a file that was renamed.
Deno.test("docs/architecture.md names the file that holds each sentence of docs/auditor.md that it quotes", async () => {
  const said = (await read("docs/auditor.md")).replace(/\s+/g, " ");
  const rows = [
    ...(await read("docs/architecture.md")).matchAll(/^\| (.+?) +\| (`lib\/.*`) +\|$/gm),
  ];
  const quoted = rows.filter(([, , files]) => /^(?:`[\w/]+\.ts`(?:, )?)+$/.test(files!));
  assert(quoted.length > 30, `${quoted.length} rows`);
  assertEquals(quoted.map(([, sentence]) => sentence!).filter((text) => !said.includes(text)), []);
  for (const [, , files] of quoted) {
    for (const [, file] of files!.matchAll(/`([^`]+)`/g)) await Deno.stat(new URL(file!, root));
  }
});
