import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { addRemoveOne } from "../../lib/core/relations/relation.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import {
  filesOf,
  type FirstAudit,
  loadsTypeScript,
  PACKAGE,
  testCommand,
  testCommandFromClone,
} from "./init_files.ts";
import { installHere } from "./init_install.ts";
import { packagesOf } from "./init_packages.ts";
import { type InitArguments, type Language, LANGUAGES } from "../options/init_arguments.ts";
import { jsonValue, numberAbove, sizeValue } from "../options/option_values.ts";
import { ExitStatus, type Run } from "../output/exit_status.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { reasonOf } from "../options/reason_of.ts";
import { cloneFolder, commandHere } from "../output/replay.ts";
import { searchedRelationValue } from "../options/relation_value.ts";
import { parseRowSpec } from "../options/row_spec.ts";
import { say } from "../options/say.ts";

const ROW_QUESTION = `A row, in JSON, as {"type":"number","min":0,"max":100}`;

/** Asks a question; an empty answer is the default. */
export type Ask = (question: string, standard: string) => Promise<string>;

/** Writes what a project begins with, leaves what is there, and runs the audits. Returns the exit status. */
export async function runInit(options: InitArguments, run: Run): Promise<number> {
  const isAsked = options.yes === undefined && process.stdin.isTTY && process.stdout.isTTY;
  const install = installHere();
  const chosen = isAsked ? await asking((ask) => answered(options, ask)) : await answered(options);
  const here = commandHere([]).map(quoteWord).join(" "), clone = cloneFolder();
  // Files of a project do not name a folder of this machine.
  const command = clone === undefined ? here : "npx dpcheck";
  const packages = packagesOf(chosen.subject?.file, chosen.language);
  const first = { ...chosen, install: install.steps, packages, command };
  const files = filesOf(first);
  if (options.preset !== undefined) {
    const { arithmetic, source } = options.preset;
    process.stdout.write(`${arithmetic}\n(${source})\n\n`);
  }
  if (first.subject !== undefined) requireNamed(first.subject);
  for (const [path, text] of Object.entries(files)) {
    writeNew(path, () => writeFileSync(path, text, { flag: "wx" }));
  }
  for (const [path, archive] of Object.entries(install.copies)) {
    writeNew(path, () => copyFileSync(archive, path, constants.COPYFILE_EXCL));
  }
  const test = clone === undefined || existsSync(PACKAGE)
    ? testCommand(first)
    : testCommandFromClone(first, { clone, command: here });
  const assumed = isAsked ? "" : assumedOf(options, chosen);
  const ending = { test, missing: install.missing, assumed, isIgnored: ignoresEvidence() };
  if (!options.audit) return endsWith(0, ending);
  process.stdout.write(`\n${here} suite\n`);
  return endsWith(await run(["suite"]), ending);
}

/** Says what comes next, and returns the status. */
function endsWith(
  status: number,
  { test, missing, assumed, isIgnored }: {
    readonly test: string;
    readonly missing: readonly string[];
    readonly assumed: string;
    readonly isIgnored: boolean;
  },
): number {
  const next = [
    ...(assumed === "" ? [] : [
      `assumed: ${assumed}; where that is wrong, change dpcheck.json and the test`,
    ]),
    ...(status === ExitStatus.refuted
      ? [
        "the claim is false as it stands: the line after Replay shows how; mend the function, or the claim in dpcheck.json",
      ]
      : []),
    `${test} runs the test`,
    ...(isIgnored ? [] : ["add node_modules/ and .dpcheck/ to .gitignore"]),
    ...(missing.length === 0 ? ["commit these files: the workflow audits each push"] : [
      `the workflow installs ${
        missing.join(" and ")
      }, which are not there: the page on builds says how they are made (docs/continuous_integration.md)`,
    ]),
  ];
  const text = `\nNext:\n${next.map((line) => `  ${line}\n`).join("")}`;
  process.stdout.write(wrapLines(text, process.stdout.columns));
  return status;
}

/** Names what was assumed of a function of one's own, for nobody said it; empty where nothing was. */
function assumedOf(
  { epsilon, rows, size, relation, preset }: InitArguments,
  chosen: Omit<FirstAudit, "install" | "packages" | "command">,
): string {
  if (chosen.subject === undefined || preset !== undefined) return "";
  const assumed = [
    ...(rows === undefined ? [`a row is ${JSON.stringify(chosen.rows)}`] : []),
    ...(size === undefined ? [`datasets have ${chosen.size.min} to ${chosen.size.max} rows`] : []),
    ...(epsilon === undefined ? [`the claim is ε = ${chosen.epsilon}`] : []),
    ...(relation === undefined ? [`neighbours are ${chosen.relation}`] : []),
  ];
  return assumed.join(", ").replace(/, (?=[^,]*$)/, " and ");
}

/** Tells if what git is not to keep is named. */
function ignoresEvidence(): boolean {
  const ignored = existsSync(".gitignore") ? readFileSync(".gitignore", "utf8") : "";
  return /^\/?node_modules/m.test(ignored) && /^\/?\.dpcheck/m.test(ignored);
}

async function asking<Result>(body: (ask: Ask) => Promise<Result>): Promise<Result> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await body(async (question, standard) =>
      (await lines.question(`${question} [${standard}]: `)).trim() || standard
    );
  } finally {
    lines.close();
  }
}

/** The options, with answers where one was not given, and defaults where nobody is asked. */
export async function answered(
  options: InitArguments,
  ask?: Ask,
): Promise<Omit<FirstAudit, "install" | "packages" | "command">> {
  const found = languageOf(options.function) ?? languageHere();
  const language = options.language ??
    await valueOf(`Language (${LANGUAGES.join(", ")})`, found, languageValue, ask);
  const example = "an example";
  const named = options.function ??
    await valueOf("Function, as FILE:NAME", example, (text) => text, ask);
  const subject = named === example ? undefined : subjectOf(named);
  if (subject === undefined && options.rows !== undefined) {
    throw new BadInput("--rows: give the function that takes them, too: --function FILE:NAME");
  }
  const { preset } = options;
  if (subject === undefined && preset !== undefined) {
    throw new BadInput("--preset: give the function that it is about, too: --function FILE:NAME");
  }
  const ofYours = subject === undefined || preset !== undefined ? undefined : ask;
  const { claim, domain } = preset ?? {};
  const rows = options.rows ??
    await valueOf(ROW_QUESTION, '{"type":"boolean"}', jsonValue, ofYours);
  return {
    language,
    subject,
    ...(claim?.kind === "approximate" ? { delta: claim.delta } : {}),
    epsilon: options.epsilon ?? claim?.epsilon ??
      await valueOf("ε, in nats", "1", numberAbove(0), ofYours),
    rows: options.rows === undefined && domain !== undefined
      ? domain.rows
      : reading("--rows", rows.text, () => parseRowSpec(rows.value)),
    size: options.size ?? domain?.size ??
      await valueOf("Rows of a dataset", "0..5", sizeValue, ofYours),
    relation: (options.relation ?? claim?.relation ??
      await valueOf("Neighbours", addRemoveOne.name, searchedRelationValue, ofYours)).name,
    vitest: hasVitest(),
  };
}

/** Asks until an answer is a value. */
async function valueOf<Value>(
  question: string,
  standard: string,
  read: (text: string) => Value,
  ask: Ask | undefined,
): Promise<Value> {
  if (ask === undefined) return read(standard);
  for (;;) {
    const answer = await ask(question, standard);
    try {
      return read(answer);
    } catch (error) {
      say(`${answer}: ${reasonOf(error)}`);
    }
  }
}

function languageValue(text: string): Language {
  const language = LANGUAGES.find((name) => name === text);
  if (language === undefined) throw new BadInput(`It must be one of ${LANGUAGES.join(", ")}.`);
  return language;
}

/** The language of a file by its ending, which may have the name of a function behind it. */
function languageOf(named = ""): Language | undefined {
  const [, ending] = /\.(py|R|r|[cm]?[jt]s)(?:[:#]|$)/.exec(named) ?? [];
  if (ending === undefined) return undefined;
  return ending === "py" ? "python" : ending.toLowerCase() === "r" ? "r" : languageOfModules();
}

/** The language of the files in this folder; Python where they do not tell. */
function languageHere(): Language {
  const names = new Set(readdirSync("."));
  const has = (...some: string[]): boolean => some.some((name) => names.has(name));
  const ends = (ending: string): boolean => [...names].some((name) => name.endsWith(ending));
  if (has("deno.json", "deno.jsonc")) return "deno";
  if (has("pyproject.toml", "setup.py", "requirements.txt") || ends(".py")) return "python";
  if (has("DESCRIPTION") || ends(".R")) return "r";
  // A package.json may exist only because dpcheck was installed.
  return ends(".mjs") || ends(".js") || ends(".ts") ? languageOfModules() : "python";
}

/** Deno for who runs dpcheck by it, and may have no Node; from a clone everybody does. */
function languageOfModules(): Language {
  const isDeno = existsSync("deno.json") || existsSync("deno.jsonc");
  return isDeno || ("Deno" in globalThis && cloneFolder() === undefined) ? "deno" : "node";
}

function hasVitest(): boolean {
  return existsSync("package.json") && /"vitest"\s*:/.test(readFileSync("package.json", "utf8"));
}

function subjectOf(text: string): { file: string; name: string } {
  const [, file, name] = /^(.+?)[:#](\w+)$/.exec(text) ?? [];
  if (file === undefined || name === undefined) {
    throw new BadInput(`--function ${text}: must be FILE:NAME, as in stats.py:noisy_mean`);
  }
  if (/\.[mc]?ts$/.test(file) && !loadsTypeScript()) {
    throw new BadInput(
      `--function ${text}: this Node loads no TypeScript: Node 22.18 and Deno do, or name JavaScript`,
    );
  }
  if (!existsSync(file)) throw new BadInput(`--function ${text}: there is no file ${file}`);
  return { file: file.replace(/^\.\//, ""), name };
}

/** Refuses a name that its file does not have, before files with the name are written, which would be kept from then on. */
function requireNamed({ file, name }: { readonly file: string; readonly name: string }): void {
  const text = readFileSync(file, "utf8");
  const passesOn = /(import|export)\s*\*|source\(/.test(text);
  if (!passesOn && !new RegExp(`\\b${name}\\b`).test(text)) {
    throw new BadInput(`--function ${file}:${name}: ${file} has no ${name}`);
  }
}

function writeNew(path: string, write: () => void): void {
  if (existsSync(path)) {
    process.stdout.write(`kept   ${path}\n`);
    return;
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
    write();
  } catch (error) {
    throw new BadInput(`${path} cannot be written: ${reasonOf(error)}`);
  }
  process.stdout.write(`wrote  ${path}\n`);
}
