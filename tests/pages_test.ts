import { assert, assertEquals } from "@std/assert";
import { splitCommand } from "../lib/judge/audit/subjects/process/split_command.ts";
import { withFolder } from "./end_to_end/run_cli.ts";
import { hasProgram } from "./has_program.ts";

const root = new URL("../", import.meta.url);

interface Block {
  readonly language: string;
  /** What stands behind the language: the name of a file, or the status that the last command ends with. */
  readonly info: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+) ?([^\n]*)\n([^]*?)^```$/gm)]
    .map(([, language, info, text]) => ({ language: language!, info: info!, text: text! }));
}

const python = await hasProgram(["python3", "--version"], "the tutorial and the how-to");

/** Runs a line of a page in a folder; what it printed, and its status. */
async function run(line: string, folder: string): Promise<{ code: number; stdout: string }> {
  const words = splitCommand(line.replace(/^npx dpcheck /, "dpcheck "));
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

/** Makes the files of a page in a folder of its own, and runs its commands there. */
async function runPage(
  name: string,
  { most = (text) => text }: { readonly most?: (text: string) => string } = {},
): Promise<void> {
  await withFolder(async (folder) => {
    const blocks = blocksOf(await Deno.readTextFile(new URL(`docs/${name}.md`, root)));
    for (const { info, text } of blocks.filter(({ info }) => /^[\w.]+\.\w+$/.test(info))) {
      await Deno.writeTextFile(`${folder}/${info}`, text);
    }
    let printed = "", ran = 0;
    for (const { language, info, text } of blocks) {
      if (language === "text") {
        assert(shows(most(printed), most(text)), `${printed}\nshould be\n${text}`);
      }
      if (language !== "sh" || info === "install" || info === "no-run") continue;
      const lines = text.trimEnd().split("\n");
      for (const [i, line] of lines.entries()) {
        const status = i === lines.length - 1 ? Number(info.match(/status=(\d)/)?.[1] ?? 0) : 0;
        const { code, stdout } = await run(line, folder);
        assertEquals(code, status, `${line}\n${stdout}`);
        printed = stdout;
        ran++;
      }
    }
    assert(ran >= 1);
  });
}

// Both at once: audits of programs wait for their programs.
Deno.test({
  name:
    "docs/tutorial.md, how_to.md, choosing_a_claim.md and first_day.md: every file, command and output is as it says",
  ignore: !python,
  fn: async () => {
    await Promise.all(
      ["tutorial", "how_to", "choosing_a_claim", "first_day"].map((name) => runPage(name)),
    );
  },
});

// Mutant: a line of the page that no report has.
Deno.test("docs/reading_a_report.md shows every line that the audit prints, but for numbers", () =>
  runPage("reading_a_report", { most: withoutNumbers }));
