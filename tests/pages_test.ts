import { assert, assertEquals } from "@std/assert";
// @ts-types="./scripts/yaml.d.ts"
import { parse } from "deno-std/yaml/mod.js";
import { filesOf } from "../cli/commands/init_files.ts";
import { splitCommand } from "../lib/judge/audit/subjects/process/split_command.ts";
import { withFolder } from "./end_to_end/run_cli.ts";
import { hasProgram } from "./has_program.ts";
import { LONG } from "./long.ts";

const root = new URL("../", import.meta.url);

interface Block {
  readonly language: string;
  /** What stands behind the language: the name of a file, or the status that the last command ends with. */
  readonly info: string;
  readonly text: string;
  /** The reason for which it cannot be run here, by a comment in the line above it. */
  readonly notRun: string | undefined;
}

function blocksOf(page: string): Block[] {
  const block = /^(?:<!-- not run: (.*) -->\n+)?```(\w+) ?([^\n]*)\n([^]*?)^```$/gm;
  return [...page.matchAll(block)].map(([, notRun, language, info, text]) => ({
    language: language!,
    info: info!,
    text: text!,
    notRun,
  }));
}

const python = await hasProgram(["python3", "--version"], "the tutorial and the how-to");

/** Runs a line of a page in a folder; what it printed, and its status. */
async function run(line: string, folder: string): Promise<{ code: number; stdout: string }> {
  const words = splitCommand(line.replace(/^(npx|deno task) dpcheck /, "dpcheck "));
  const main = new URL("cli/main.ts", root).pathname;
  const dpcheck = ["run", "--quiet", "-A", "--no-check", main];
  const [command, ...args] = words[0] === "dpcheck"
    ? [Deno.execPath(), ...dpcheck, ...words.slice(1)]
    : words as [string, ...string[]];
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd: folder,
    env: {
      PYTHONPATH: new URL("adapters/python", root).pathname,
      DPCHECK: [Deno.execPath(), ...dpcheck].join(" "),
      NO_COLOR: "1",
    },
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout) + text.decode(stderr) };
}

/** Lines with all numbers alike, and without the words by which dpcheck is started. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/^Replay: .*? audit /gm, "Replay: audit ").replaceAll(/ *█+ */g, " ")
    .replaceAll(/\d[\d,.]*/g, "0").replaceAll(/ {2,}/g, " ").replaceAll(/^ /gm, "");
}

/** Whether the lines of an example occur in this order; … stands for anything. */
function shows(output: string, example: string): boolean {
  const lines = output.split("\n");
  let at = 0;
  return example.trimEnd().split("\n").filter((line) => line.trim() !== "").every((line) => {
    const pattern = line.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(".*");
    const found = lines.findIndex((other, i) => i >= at && new RegExp(`^${pattern}`).test(other));
    at = found + 1;
    return found >= 0;
  });
}

Deno.test("shows() finds lines in their order and no others", () => {
  assert(shows("a 1\nb\nc 2.5 d\n", "a …\nc … d\n"));
  assert(!shows("a 1\nb\n", "b\na …\n"));
  assert(!shows("x\n", "y\n"));
});

/** Tells if the words behind a language are the name of a file. */
const isFile = (info: string): boolean => /^[\w.]+\.\w+$/.test(info);

/** A block that is no command. */
interface Written {
  readonly file: string;
  readonly folder: string;
  /** Commands of the page use the file. */
  readonly isNamed: boolean;
}

/** Runs a program of a page by itself, or reads it as its language does where commands run it. */
const CHECKS: Readonly<Record<string, (text: string, written: Written) => Promise<void>>> = {
  json: (text) => {
    const isWhole = !/^\}\n\{/m.test(text) && !/^\{.*\}\n\{/.test(text);
    for (const each of isWhole ? [text] : text.trimEnd().split("\n")) JSON.parse(each);
    return Promise.resolve();
  },
  python: async (_, { file, folder }) => {
    const read = `python3 -c "compile(open('${file}').read(), '${file}', 'exec')"`;
    const { code, stdout } = await run(read, folder);
    assertEquals(code, 0, stdout);
  },
  ts: ran,
  js: ran,
  yaml: isWorkflow,
};

/** A step of a workflow, as far as pages have it. */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const OWN_ACTION = "./node_modules/@dpcheck/dpcheck";
const action = parse(await Deno.readTextFile(new URL("action.yml", root))) as {
  readonly inputs: Readonly<Record<string, unknown>>;
};

/** The actions that the workflow of `dpcheck init` uses. */
function usedByInit(): ReadonlySet<string> {
  const size = { min: 0, max: 5 }, rows = { type: "boolean" } as const;
  const files = filesOf({
    ...{ language: "node", subject: undefined, epsilon: 1, rows, size, relation: "add-remove-one" },
    ...{ vitest: false, install: ["- run: npm ci"], packages: [], command: "npx dpcheck" },
  });
  const { jobs } = parse(files[".github/workflows/dpcheck.yml"]!) as {
    readonly jobs: { readonly audit: { readonly steps: readonly Step[] } };
  };
  return new Set(jobs.audit.steps.flatMap(({ uses }) => uses === undefined ? [] : [uses]));
}

/** Checks that steps use what `dpcheck init` writes, with inputs that the action has, and in the long run runs their audits. */
async function isWorkflow(text: string, { folder }: Written): Promise<void> {
  const whole = parse(text) as readonly Step[] | { readonly steps: readonly Step[] };
  const steps = "steps" in whole ? whole.steps : whole;
  const known = usedByInit();
  for (const { uses, run: line, with: inputs = {} } of steps) {
    assert(uses === undefined || known.has(uses), uses);
    if (uses === OWN_ACTION) {
      assertEquals(Object.keys(inputs).filter((name) => !Object.hasOwn(action.inputs, name)), []);
    }
    if (LONG && line?.startsWith("npx dpcheck ")) {
      const { code, stdout } = await run(line, folder);
      // The build is green or red, as the program is.
      assert(code <= 1, `${line}\n${stdout}`);
    }
  }
}

async function ran(_: string, { file, folder, isNamed }: Written): Promise<void> {
  if (isNamed) return;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--config", new URL("deno.json", root).pathname, file],
    cwd: folder,
    stdout: "null",
  }).output();
  assert(success, `${file}\n${new TextDecoder().decode(stderr)}`);
}

/** Pages whose outputs are as they stand there, to the last digit; a day runs the first one. */
const TO_THE_DIGIT = ["tutorial", "how_to", "choosing_a_claim", "first_day"];
/** Pages whose outputs are as they stand there, but for numbers; a day runs the first one. */
const BUT_FOR_NUMBERS = [
  "reading_a_report",
  "commands",
  "continuous_integration",
  "many_machines",
  "one_run",
  "programs",
  "recording",
  "sessions",
  "suites",
  "tables",
];

Deno.test("every page with commands or programs is run, and what is not run says why", async () => {
  const reasons: string[] = [];
  for await (const { name } of Deno.readDir(new URL("docs/", root))) {
    if (!name.endsWith(".md")) continue;
    const blocks = blocksOf(await Deno.readTextFile(new URL(`docs/${name}`, root)));
    const runnable = blocks.filter(({ language }) =>
      language === "sh" || Object.hasOwn(CHECKS, language)
    );
    // Others are shown as they are; a program in another language would be run by nobody.
    const rest = blocks.filter((block) => !runnable.includes(block)).map(({ language }) =>
      language
    );
    assertEquals(rest.filter((language) => !/^(text|csv|mermaid)$/.test(language)), [], name);
    const page = name.slice(0, -3);
    assert(
      runnable.length === 0 || [...TO_THE_DIGIT, ...BUT_FOR_NUMBERS].includes(page) ||
        name === "errors.md",
      name,
    );
    reasons.push(
      ...runnable.flatMap(({ notRun, text }) =>
        notRun === undefined ? [] : [`docs/${name}: ${text.split("\n")[0]}: ${notRun}`]
      ),
    );
  }
  console.log(reasons.join("\n"));
  assert(reasons.every((reason) => !reason.endsWith(": ")));
});

/** Returns true for a command whose draws the long run alone makes. */
function takesLong(text: string): boolean {
  return !LONG && Number(/--max-draws (\d+)/.exec(text)?.[1] ?? 0) > 20_000;
}

/** Makes the files of a page in a folder of its own, and runs its commands there. */
async function runPage(
  name: string,
  { most = (text) => text }: { readonly most?: (text: string) => string } = {},
): Promise<void> {
  await withFolder(async (folder) => {
    const blocks = blocksOf(await Deno.readTextFile(new URL(`docs/${name}.md`, root)));
    for (const { info, text } of blocks.filter(({ info }) => isFile(info))) {
      await Deno.writeTextFile(`${folder}/${info}`, text);
    }
    let printed: string | undefined = "", ran = 0;
    for (const [place, { language, info, text, notRun }] of blocks.entries()) {
      if (notRun !== undefined || (language === "sh" && takesLong(text))) {
        printed = undefined;
        continue;
      }
      // What stands below a block that is not run was not printed here.
      if (language === "text" && printed !== undefined) {
        assert(shows(most(printed), most(text)), `${printed}\nshould be\n${text}`);
      }
      if (language === "sh") {
        const lines = text.trimEnd().replaceAll(/\\\n\s*/g, "").split("\n")
          .filter((line) => !line.startsWith("#"));
        for (const [i, line] of lines.entries()) {
          const status = i === lines.length - 1 ? Number(info.match(/status=(\d)/)?.[1] ?? 0) : 0;
          const { code, stdout } = await run(line, folder);
          assertEquals(code, status, `${line}\n${stdout}`);
          printed = stdout;
          ran++;
        }
      } else if (Object.hasOwn(CHECKS, language)) {
        const isNamed = isFile(info);
        const file = isNamed ? info : `block_${place}.${language}`;
        if (!isNamed) await Deno.writeTextFile(`${folder}/${file}`, text);
        await CHECKS[language]!(text, { file, folder, isNamed });
        ran++;
      }
    }
    assert(ran + blocks.filter(({ notRun }) => notRun !== undefined).length >= 1);
  });
}

// Mutant: a line of a page that no report has.
for (
  const [names, most] of [[TO_THE_DIGIT, undefined], [BUT_FOR_NUMBERS, withoutNumbers]] as const
) {
  for (const [place, name] of names.entries()) {
    Deno.test({
      name: `docs/${name}.md: every file, command and output is as it says`,
      ignore: (place > 0 && !LONG) || !python,
      fn: () => runPage(name, most && { most }),
    });
  }
}

/** Adapters whose programs are run here, with what they need; tests/adapters compiles and audits what those for C, Go and Rust show. */
const ADAPTERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  node: ["node", "--version"],
  python: ["python3", "--version"],
  r: ["Rscript", "-e", "library(jsonlite)"],
};
/** Names of the languages of programs on pages of adapters that are run here. */
const PROGRAM = /^(js|python|r)$/;

for (const [adapter, needs] of Object.entries(ADAPTERS)) {
  const at = new URL(`adapters/${adapter}/`, root);
  const page = await Deno.readTextFile(new URL("README.md", at));
  const blocks = blocksOf(page);
  const name = `adapters/${adapter}/README.md`;
  Deno.test({
    name: `${name}: its programs are audited by its commands`,
    ignore: !LONG || !await hasProgram([...needs], `the programs of ${name}`),
    fn: () =>
      withFolder(async (folder) => {
        for await (const { name, isFile } of Deno.readDir(at)) {
          if (isFile) await Deno.copyFile(new URL(name, at), `${folder}/${name}`);
        }
        let audits = 0;
        for (const [i, { language, text }] of blocks.entries()) {
          if (language !== "sh") {
            assert(PROGRAM.test(language), `${name}: ${language}`);
            continue;
          }
          // Other commands change the machine.
          const [, file] = /--exec "\w+ (\S+)"/.exec(text) ?? [];
          if (file === undefined) continue;
          await Deno.writeTextFile(`${folder}/${file}`, blocks[i - 1]!.text);
          const { code, stdout } = await run(`${text.trim()} --max-draws 10000 --seed 1`, folder);
          assertEquals(code, 0, stdout);
          audits++;
        }
        assert(audits > 0);
      }),
  });
}

// Mutant: a parenthesis that a program on the page lacks.
Deno.test({
  name: "programs in Python on the adapter's page are Python",
  ignore: !python,
  async fn(): Promise<void> {
    const page = await Deno.readTextFile(new URL("adapters/python/README.md", root));
    const programs = blocksOf(page).filter(({ language }) => language === "python");
    assert(programs.length > 5);
    const { success, stderr } = await new Deno.Command("python3", {
      args: [
        "-c",
        "import sys\nfor text in sys.argv[1:]: compile(text, 'README.md', 'exec')",
        ...programs.map(({ text }) => text),
      ],
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  },
});
