import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InvalidArgumentError } from "commander";
import { presetValue } from "../../cli/options/preset_value.ts";
import { relationOf } from "../../lib/core/relations/relation_named.ts";
import { filesOf } from "../../cli/commands/init_files.ts";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { LANGUAGES } from "../../cli/options/init_arguments.ts";
import { installHere } from "../../cli/commands/init_install.ts";
import { answered } from "../../cli/commands/run_init.ts";
import { COPIED_FILES } from "../../scripts/npm_package.ts";
import { cliCommand, withFolder } from "../end_to_end/run_cli.ts";
import { hasProgram } from "../has_program.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const WORKFLOW = ".github/workflows/dpcheck.yml";
const decoder = new TextDecoder();

const python = await hasProgram(["python3", "--version"], "dpcheck init with functions in Python");

async function init(folder: string, words: string[]): Promise<{ code: number; text: string }> {
  const env = { PYTHONPATH: `${ROOT}adapters/python` };
  const run = cliCommand(["init", "--yes", ...words], env, [], folder);
  const { code, stdout, stderr } = await run.output();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

// The suite that it runs takes ten seconds: the claim of the function is false, so it ends sooner.
Deno.test({
  name: "dpcheck init audits a function of the folder, and leaves what is there",
  ignore: !python,
  fn: () =>
    withFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/stats.py`, "def total(rows):\n    return sum(rows)\n");
      await Deno.mkdir(`${folder}/tests`);
      await Deno.writeTextFile(`${folder}/tests/test_privacy.py`, "kept = True\n");
      const rows = ["--rows", '{"type":"integer","min":0,"max":3,"missing":false}'];
      const words = ["--function", "stats.py:total", ...rows, "--size", "0..2", "--epsilon", "0.5"];
      const { code, text } = await init(folder, words);
      assertEquals(code, 1, text);
      assertStringIncludes(text, "wrote  dpcheck.json");
      assertStringIncludes(text, "kept   tests/test_privacy.py");
      assertStringIncludes(text, "refuted");
      assertEquals(await Deno.readTextFile(`${folder}/tests/test_privacy.py`), "kept = True\n");
      const [audit] = JSON.parse(await Deno.readTextFile(`${folder}/dpcheck.json`)).audits;
      assertEquals([audit.name, audit.epsilon, audit.size], ["total", 0.5, "0..2"]);
      assertEquals([audit.exec, audit.files], ["python3 -m dpcheck stats.py:total", ["stats.py"]]);
      const again = await init(folder, [...words, "--no-audit"]);
      assertEquals([again.code, again.text.match(/wrote/g)], [0, null]);
      // Mutants: packages of Python itself, of the project, or of nobody; assumptions that nobody hears of.
      await Deno.writeTextFile(
        `${folder}/stats.py`,
        "import math, numpy as np\nfrom scipy.stats import norm\nimport own, dpcheck\ntotal = sum\n",
      );
      await Deno.writeTextFile(`${folder}/own.py`, "");
      await Deno.remove(`${folder}/${WORKFLOW}`);
      const short = await init(folder, ["--function", "stats.py:total", "--no-audit"]);
      assertStringIncludes(
        short.text,
        'assumed: a row is {"type":"boolean"}, datasets have 0 to 5 rows',
      );
      const workflow = await Deno.readTextFile(`${folder}/${WORKFLOW}`);
      assertStringIncludes(workflow, "- run: pip install numpy scipy pytest\n");
      assertStringIncludes(await Deno.readTextFile(`${folder}/.gitignore`), ".dpcheck/\n");
    }),
});

Deno.test("the example of each language keeps what its files claim, and a test of Deno runs", async () => {
  const standard = { epsilon: 1, rows: { type: "boolean" }, relation: "add-remove-one" } as const;
  for (const language of LANGUAGES) {
    const first = { ...standard, language, size: { min: 0, max: 5 }, subject: undefined };
    const files = filesOf({
      ...first,
      vitest: false,
      install: [],
      packages: [],
      command: "npx dpcheck",
    });
    const [{ exec, module }] = JSON.parse(files["dpcheck.json"]!).audits;
    const named = (exec?.split(" ").at(-1) ?? module).split(/[#:]/)[0];
    assert(named in files, `${language}: ${named} is not written`);
    const used = /uses: (\.\/node_modules\/@dpcheck\/dpcheck)\n/.exec(files[WORKFLOW]!);
    assert(used !== null && COPIED_FILES.includes("action.yml"), files[WORKFLOW]);
  }
  await withFolder(async (folder) => {
    const { code, text } = await init(folder, ["--language", "deno", "--no-audit"]);
    assertEquals(code, 0, text);
    // The command for who has dpcheck in a clone alone, as it is printed.
    const printed = /^ {2}deno (test .*) runs the test$/m.exec(text);
    assert(printed !== null, text);
    const test = async (): Promise<number> =>
      (await new Deno.Command(Deno.execPath(), {
        args: [...splitCommand(printed[1]!), "--no-check", "--quiet"],
        cwd: folder,
        stdout: "null",
        stderr: "null",
      }).output()).code;
    assertEquals(await test(), 0);
    const example = `${folder}/noisy_count.ts`;
    const source = await Deno.readTextFile(example);
    await Deno.writeTextFile(example, source.replaceAll("/ EPSILON", "/ (4 * EPSILON)"));
    assertEquals(await test(), 1);
  });
});

Deno.test("a workflow installs what package.json names, and archives that lie outside are copied", async () => {
  const package_ = (dp: string, dpcheck: string): string =>
    JSON.stringify({ devDependencies: { "@dpcheck/dp": dp, "@dpcheck/dpcheck": dpcheck } });
  const installed = async (text: string | undefined, lock = false): Promise<string> => {
    let steps = "";
    await withFolder(async (top) => {
      const folder = `${top}/project`, outside = `${top}/dp-1.tgz`;
      await Deno.mkdir(`${folder}/vendor`, { recursive: true });
      for (const file of [outside, `${folder}/vendor/dp-1.tgz`, `${folder}/vendor/check-1.tgz`]) {
        await Deno.writeTextFile(file, "");
      }
      if (text !== undefined) await Deno.writeTextFile(`${folder}/package.json`, text);
      if (lock) await Deno.writeTextFile(`${folder}/package-lock.json`, "{}");
      const { missing, steps: all, copies } = installHere(folder);
      steps = [
        ...all.filter((line) => !line.startsWith("#")),
        ...Object.entries(copies),
        ...missing,
      ]
        .join(" ");
    });
    return steps;
  };
  const inside = package_("file:vendor/dp-1.tgz", "file:./vendor/check-1.tgz");
  assertEquals(await installed(inside, true), "- run: npm ci");
  assertEquals(await installed(inside), "- run: npm install");
  assertEquals(await installed(package_("^0.1.0", "^0.1.0"), true), "- run: npm ci");
  const standard = "vendor/dpcheck-dpcheck-0.1.0.tgz";
  const copied = `vendor/dp-1.tgz ./${standard} vendor/dp-1.tgz,../dp-1.tgz ${standard}`;
  const gone = package_("file:../dp-1.tgz", "file:../gone.tgz");
  assertEquals(await installed(gone), `- run: npm install --no-save ./${copied}`);
  for (const none of [undefined, "{}", "no JSON"]) {
    assertStringIncludes(
      await installed(none),
      `--no-save ./vendor/dpcheck-dp-0.1.0.tgz ./${standard}`,
    );
  }
});

Deno.test("dpcheck init asks for what is not given, and asks again where an answer is none", async () => {
  const said = ["cobol", "deno", "mod.ts:addRemoveOne", "", "-1", "2", "", "replace-one"];
  const questions: string[] = [];
  const first = await answered({ audit: true }, (question, standard) => {
    questions.push(question);
    return Promise.resolve(said.shift()! || standard);
  });
  assertEquals(first, {
    language: "deno",
    subject: { file: "mod.ts", name: "addRemoveOne" },
    rows: { type: "boolean" },
    epsilon: 2,
    size: { min: 0, max: 5 },
    relation: "replace-one",
    vitest: false,
  });
  assertEquals(questions.filter((question) => question.startsWith("Language")).length, 2);
  const files = filesOf({
    ...first,
    relation: "change-one-by-2",
    install: [],
    packages: [],
    command: "npx dpcheck",
  });
  assertStringIncludes(files["tests/privacy_test.ts"]!, "relation: changeOne({ by: 2 })");
});

Deno.test("dpcheck init refuses what it cannot write a test for, and writes nothing", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/odd-name.py`, "def f(rows):\n    return 0\n");
    const cases: [string[], string][] = [
      [["--function", "nowhere.py:f"], "there is no file nowhere.py"],
      [["--function", "stats"], "must be FILE:NAME"],
      [["--function", "odd-name.py:no_such", "--language", "node"], "odd-name.py has no no_such"],
      [["--function", "odd-name.py:f", "--language", "python"], "a name that a program can import"],
      [["--rows", '{"type":"boolean"}'], "--function FILE:NAME"],
      [["--relation", "asserted"], "It must be replace-one"],
    ];
    for (const [words, part] of cases) {
      const { code, text } = await init(folder, words);
      assertEquals(code, 2, text);
      assertStringIncludes(text, part);
    }
    const left = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assertEquals(left, ["odd-name.py"]);
  });
});

// Mutants: a δ that is left out of the suite or the test; a relation of a preset that is not the audit's.
Deno.test("dpcheck init takes what a deployment claims, and any relation, into the suite and the test", async () => {
  const chosen = {
    language: "node",
    function: "adapters/node/dpcheck.mjs:publish",
    yes: true,
    audit: false,
  } as const;
  const files = async (more: object): Promise<[Record<string, unknown>, string]> => {
    const first = await answered({ ...chosen, ...more });
    const written = filesOf({ ...first, install: [], packages: [], command: "npx dpcheck" });
    const [audit] = JSON.parse(written["dpcheck.json"]!).audits;
    return [audit, written["tests/privacy.test.mjs"]!];
  };
  const [keys, test] = await files({ preset: presetValue("keys:delta=0.01,epsilon=2") });
  assertEquals([keys.epsilon, keys.delta, keys.relation, keys.size], [
    2,
    0.01,
    "add-remove-one",
    "0..8",
  ]);
  assertStringIncludes(test, "delta: 0.01,");
  const [event] = await files({
    preset: presetValue("attribution-event:reports=1,data=2,windows=1"),
  });
  assertEquals([event.epsilon, event.rows], [14, { type: "integer", min: 0, max: 2 }]);
  const [user, ofUser] = await files({ relation: relationOf("user:id") });
  assertEquals(user.relation, "user:id");
  assertStringIncludes(ofUser, 'relation: "user:id"');
  for (
    const text of ["keys:delta", "keys:delta=", "keys:delta=1", "keys:eps=1", "key", "rappor:p=0.9"]
  ) {
    assertThrows(() => presetValue(text), InvalidArgumentError);
  }
});
