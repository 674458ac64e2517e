import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { shippedNames } from "../../lib/dp/tables/registry.ts";
import { dockerSteps, runSteps } from "./docker_steps.ts";
import { ok, withArchive } from "./archives.ts";
import { type Ran, run } from "./run.ts";

// What needs a package registry: deno task test:package runs it. The package is made, installed in an empty folder with an
// empty cache, and used as README.md says, by Node and by Deno.

const ignore = Deno.env.get("DPCHECK_PACKAGE") === undefined;
/** An audit whose verdict is sure to be "not refuted": seeded, and without a power that it must have. */
const audit = splitCommand(
  "audit --mechanism laplace --epsilon 1 --max-draws 1000 --seed 1 --require-power infinity",
);
const root = new URL("../../", import.meta.url).pathname;
const readme = await Deno.readTextFile(`${root}README.md`);
const commands = await Deno.readTextFile(`${root}docs/commands.md`);
const { imports } = JSON.parse(await Deno.readTextFile(`${root}deno.json`)) as {
  imports: Record<string, string>;
};
const deno = Deno.execPath();

async function hasPython(statement = ""): Promise<boolean> {
  return await run("python3", ["-c", statement], { cwd: root }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

/** The first block of a language after a heading. */
function block(language: string, heading: string): string {
  const after = readme.slice(`\n${readme}`.indexOf(`\n${heading}\n`));
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(after)![1]!;
}

Deno.test({
  name: "README.md's first example works in an empty folder, word for word",
  ignore: ignore || !await hasPython(),
  fn: () =>
    withArchive(async ({ folder, archives, env }) => {
      const install = block("sh", "## Install").trim().split("\n").at(-1)!;
      assertMatch(install, /^npm install --save-dev \S+\.tgz \S+\.tgz$/);
      const words = install.split(" ").slice(1, -2);
      await ok(run("npm", [...words, ...archives], { cwd: folder, env }));

      const heading = "## Audit a function";
      await Deno.writeTextFile(`${folder}/spending.py`, block("python", heading));
      const command = block("sh", heading);
      const broken = await run("sh", ["-c", command], { cwd: folder, env });
      assertEquals(broken.code, 1, broken.stderr);
      const shown = block("text", "# dpcheck");
      assertStringIncludes(broken.stdout, shown.slice(0, shown.indexOf(": it leaks")));
      assertStringIncludes(broken.stdout, "spending.py:8 (drawn at spending.py:4)");

      // The replay line can be pasted.
      const replay = /^Replay: (.*)$/m.exec(broken.stdout)![1]!;
      const again = await run("sh", ["-c", replay], { cwd: folder, env });
      assertEquals(again.code, 1, again.stderr);

      const help = await ok(run("npx", ["dpcheck", "--help"], { cwd: folder, env }));
      assertStringIncludes(help.stdout, "audit");
    }),
});

const IN_NODE_TEST = (body: string): string =>
  `import { test } from "node:test";\n${
    body.replace(/^(import[^]*?\n)\n/, '$1\ntest("it", async () => {\n')
  }});\n`;

Deno.test({
  name: "tests under node --test and Vitest, types, and Deno find all entry points",
  ignore,
  fn: () =>
    withArchive(async ({ folder, archives, env }) => {
      const version = (name: string): string => imports[name]!.replace("npm:", "");
      await Deno.writeTextFile(`${folder}/package.json`, '{ "type": "module" }\n');
      const packages = [...archives, version("typescript"), version("fast-check"), "vitest@3"];
      await ok(run("npm", ["install", "--no-audit", ...packages], { cwd: folder, env }));

      const example = block("ts", "## In a test");
      const typed = IN_NODE_TEST(example).replace("node:test", "vitest");
      await Deno.writeTextFile(`${folder}/answer.test.ts`, typed);
      await ok(run("npx", ["vitest", "run"], { cwd: folder, env }));
      const plain = IN_NODE_TEST(example).replace(": boolean[]", "")
        .replace(": { uniform(): number }", "");
      await Deno.writeTextFile(`${folder}/answer.test.mjs`, plain);
      await ok(run("node", ["--test", "answer.test.mjs"], { cwd: folder, env }));
      // Mutant: a test that passes whatever the program does.
      const broken = plain.replace("0.73", "0.95");
      await Deno.writeTextFile(`${folder}/broken.test.mjs`, broken);
      const failed = await run("node", ["--test", "broken.test.mjs"], { cwd: folder, env });
      assertEquals(failed.code, 1);
      assertStringIncludes(failed.stdout, "Counterexample");

      await Deno.remove(`${folder}/answer.test.ts`);
      await Deno.writeTextFile(`${folder}/all.ts`, everyEntryPoint());
      const check =
        "tsc --noEmit --strict --module nodenext --target es2023 --lib es2023,dom all.ts";
      await ok(run("npx", check.split(" "), { cwd: folder, env }));
      const words = ["run", "--no-lock", "--node-modules-dir=manual", "--allow-read", "all.ts"];
      const { stdout } = await ok(run(deno, words, { cwd: folder, env }));
      assertEquals(stdout, "pure\n");
    }),
});

/** Test files of tests/end_to_end that do not start the command line, with what they run. */
const NOT_THE_COMMAND: Readonly<Record<string, string>> = {
  "correct_programs_test.ts": "the library's recorder, in the process of the test",
  "demo_test.ts": "a task of the repository",
  "recorded_programs_test.ts": "the library's recorder, in the process of the test",
};

// Mutants: an output lost where a disk is full; a module that the package lacks; a program of Deno's alone.
Deno.test({
  name: "the tests of tests/end_to_end hold for the command of the installed package under Node",
  ignore,
  fn: () =>
    withArchive(async ({ folder, archives, env }) => {
      await ok(run("npm", ["install", "--no-audit", ...archives], { cwd: folder, env }));
      const files: string[] = [], others: string[] = [];
      for await (const { name } of Deno.readDir(`${root}tests/end_to_end`)) {
        if (!name.endsWith("_test.ts")) continue;
        const text = await Deno.readTextFile(`${root}tests/end_to_end/${name}`);
        const starts = /\b(runCli|runHere|cliCommand|commandWords)\(/.test(text);
        (starts ? files : others).push(name);
      }
      assertEquals(others.sort(), Object.keys(NOT_THE_COMMAND));
      const command = ["node", `${folder}/node_modules/@dpcheck/dpcheck/bin/dpcheck.js`];
      const paths = files.sort().map((name) => `tests/end_to_end/${name}`);
      await ok(run(deno, ["test", "-A", "--no-check", ...paths], {
        cwd: root,
        env: { NO_COLOR: "1", DPCHECK_COMMAND: JSON.stringify(command) },
      }));
    }),
});

// Mutant: an error with a stack of calls, in which a file of the package misses another package.
Deno.test({
  name:
    "a folder of the package that npm links says how to install it, and one that npm copies works",
  ignore,
  fn: () =>
    withArchive(async ({ folder, archives, env }) => {
      const beside = archives[0]!.slice(0, archives[0]!.lastIndexOf("/"));
      const folders = ["dp", "dpcheck"].map((name) => `${beside}/package/${name}`);
      const install = async (...words: string[]): Promise<Ran> => {
        await ok(run("npm", ["install", "--no-audit", ...words, ...folders], { cwd: folder, env }));
        return await run("npx", ["dpcheck", "--help"], { cwd: folder, env });
      };
      const linked = await install();
      assertEquals(linked.code, 3);
      assertMatch(
        linked.stderr,
        /^dpcheck: the package \S+ is not installed: [^\n]*archives[^\n]*\n$/,
      );
      await Deno.remove(`${folder}/node_modules`, { recursive: true });
      await Deno.remove(`${folder}/package-lock.json`);
      await Deno.writeTextFile(`${folder}/package.json`, "{}");
      assertStringIncludes((await ok(install("--install-links"))).stdout, "audit");
    }),
});

/** A module that imports every entry point, uses its types, and prints a word. */
function everyEntryPoint(): string {
  const { exports } = JSON.parse(Deno.readTextFileSync(`${root}deno.json`)) as {
    exports: Record<string, string>;
  };
  const names = Object.keys(exports).map((path) => `@dpcheck/dpcheck${path.slice(1)}`);
  assert(names.length > 10);
  return [
    ...names.map((name, k) => `import * as e${k} from "${name}";`),
    'import { type Claim, pure, replaceOne } from "@dpcheck/dpcheck";',
    "const claim: Claim = pure({ epsilon: 1, relation: replaceOne });",
    "// @ts-expect-error: ε is a number, or its decimals.",
    "export const wrong = (): Claim => pure({ epsilon: true, relation: replaceOne });",
    `for (const entry of [${names.map((_, k) => `e${k}`).join()}]) {`,
    '  if (Object.keys(entry).length === 0) throw new Error("an entry point is empty");',
    "}",
    "console.log(claim.kind);",
    "",
  ].join("\n");
}

Deno.test({
  name:
    "the examples of README.md and docs/commands.md, every mechanism and prove run on the oldest Node that is promised",
  ignore,
  fn: () =>
    withArchive(async ({ folder, archives, env }) => {
      // No "type": "module": the examples are modules by the ending of their names.
      await Deno.writeTextFile(`${folder}/package.json`, "{}\n");
      const beside = archives[0]!.slice(0, archives[0]!.lastIndexOf("/"));
      const manifest = await Deno.readTextFile(`${beside}/package/dpcheck/package.json`);
      const { engines } = JSON.parse(manifest) as { engines: { node: string } };
      const oldest = /^>=(\d+\.\d+)$/.exec(engines.node)![1]! + ".0";
      const { os, arch } = Deno.build;
      const binary = `node-${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
      const packages = [...archives, `${binary}@${oldest}`, "typescript", "fast-check"]
        .map((name) => imports[name]?.replace("npm:", "") ?? name);
      await ok(run("npm", ["install", "--no-audit", ...packages], { cwd: folder, env }));
      const node = `${folder}/node_modules/${binary}/bin/node`;
      assertEquals((await ok(run(node, ["--version"], { cwd: folder }))).stdout, `v${oldest}\n`);

      const examples = [...`${readme}\n${commands}`.matchAll(/^```ts\n([^]*?)^```$/gm)]
        .map(([, text]) => text!);
      assert(examples.length >= 4);
      const files = examples.map((_, i) => `example${i}.mts`);
      for (const [i, file] of files.entries()) {
        await Deno.writeTextFile(`${folder}/${file}`, examples[i]!);
      }
      const options = "--strict --module nodenext --target es2023 --lib es2023,dom".split(" ");
      await ok(run("npx", ["tsc", ...options, ...files], { cwd: folder, env }));
      for (const file of files) {
        await ok(run(node, [file.replace(".mts", ".mjs")], { cwd: folder, env }));
      }
      const command = `${folder}/node_modules/@dpcheck/dpcheck/bin/dpcheck.js`;
      for (const name of shippedNames) {
        const words =
          `${command} audit --mechanism ${name} --epsilon 0.9 --delta 0.001 --max-draws 200 --seed 1 --require-power infinity`;
        const { stdout } = await ok(run(node, words.split(" "), { cwd: folder, env }));
        assertMatch(stdout, /^NOT REFUTED/, name);
      }
      const { stdout } = await ok(run(node, [command, "prove"], { cwd: folder, env }));
      assertMatch(stdout, /All as expected\.\s*$/);
    }),
});

/** Modules of a user, a package among them, by their files. */
const FOLLOWED: Readonly<Record<string, string>> = {
  "node_modules/small-noise/package.json":
    '{ "name": "small-noise", "type": "module", "exports": { ".": "./lib/index.js" } }\n',
  "node_modules/small-noise/lib/index.js": `import { logarithm } from "./logarithm.js";
export const exponential = (uniform) => -logarithm(1 - uniform());
export const total = (rows) => { let sum = 0; for (const row of rows) sum += row; return sum; };
`,
  "node_modules/small-noise/lib/logarithm.js": "export const logarithm = (x) => Math.log(x);\n",
  "packaged.mjs": `import { exponential, total } from "small-noise";
export default (rows, source) =>
  3 * total(rows) + exponential(() => source.uniform()) - exponential(() => source.uniform());
export const declared = (rows, source) => total(rows) + source.laplace({ scale: 1 });
`,
  "forms.mjs": `export const inverse = (rows) => {
  const u = Math.random() - 0.5;
  return 2 * rows[0] - Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
};
export const ratio = (rows) => 2 * rows[0] + Math.log(Math.random() / Math.random());
`,
  "clamp.mjs": "export const clamp = (x) => Math.min(1, Math.max(0, x));\n",
  "above.mjs": `import { clamp } from "./clamp.mjs";
export default (rows, source) => clamp(rows[0]) + source.laplace({ scale: 1 }) >= 0.5;
export const twice = (rows, source) => 2 * clamp(rows[0]) + source.laplace({ scale: 1 });
`,
};

// Mutants: a package without acorn; a copy whose imports lead to what is not rewritten; a loader that Node 20 lacks.
Deno.test({
  name: "programs are followed by their source, packages too, where there is only Node",
  ignore,
  fn: () =>
    withArchive(async ({ folder, archives, env }) => {
      await ok(run("npm", ["install", "--no-audit", ...archives], { cwd: folder, env }));
      for (const [file, text] of Object.entries(FOLLOWED)) {
        await Deno.mkdir(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
        await Deno.writeTextFile(`${folder}/${file}`, text);
      }
      const rows = ["--rows", '{"type":"number","min":0,"max":1}', "--size", "1..1"];
      const words = ["--epsilon", "1", "--relation", "replace-one", ...rows];
      const PATH = Deno.env.get("PATH")!.split(":").filter((each) => !deno.startsWith(each));
      for (
        const [command, code, ...texts] of [
          ["exact packaged.mjs#declared", 0, "HOLDS"],
          ["exact above.mjs", 0, "HOLDS"],
          ["exact above.mjs#twice", 1, "REFUTED", "show ε ≥ 1."],
          [
            "record forms.mjs#inverse",
            0,
            "noise of scale 1 at forms.mjs:2 hides",
            "moves by 2",
          ],
          ["record forms.mjs#ratio", 0, "noise of scale 1 at forms.mjs:5", "moves by 2"],
          [
            "record packaged.mjs",
            0,
            "noise of scale 1 at packaged.mjs:3 hides",
          ],
          ["audit packaged.mjs --seed 1", 1, "REFUTED", "packaged.mjs:3 hides"],
        ] as const
      ) {
        const [name, module, ...more] = command.split(" ");
        const given = ["dpcheck", name!, "--module", module!, ...words, ...more];
        const ran = await run("npx", given, { cwd: folder, env: { ...env, PATH: PATH.join(":") } });
        assertEquals(ran.code, code, ran.stdout + ran.stderr);
        for (const text of texts) assertStringIncludes(ran.stdout + ran.stderr, text, command);
      }
    }),
});

Deno.test({
  name: "the wheel of Python audits in a new environment, and so does its archive",
  // Debian has environments in a package of their own.
  ignore: ignore || !await hasPython("import ensurepip, venv"),
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      await ok(run(deno, ["task", "build", "python"], { cwd: root }));
      await Deno.writeTextFile(
        `${folder}/total.py`,
        "from dpcheck import serve\nserve(lambda rows: sum(rows))\n",
      );
      for (const file of ["dpcheck-0.1.0-py3-none-any.whl", "dpcheck-0.1.0.tar.gz"]) {
        const bin = `${folder}/${file}-env/bin`;
        await ok(run("python3", ["-m", "venv", `${file}-env`], { cwd: folder }));
        const words = ["install", "--quiet", "--no-index", `${root}out/python/${file}`];
        await ok(run(`${bin}/pip`, words, { cwd: folder }));
        await ok(run(`${bin}/dpcheck`, audit, { cwd: folder }));
        const subject = ["--exec", `${bin}/python total.py`, "--left", "[1]", "--right", "[]"];
        const refuted = await run(
          `${bin}/dpcheck`,
          ["audit", ...subject, "--epsilon", "1", "--max-draws", "1000"],
          { cwd: folder },
        );
        assertEquals(refuted.code, 1, refuted.stderr);
        assertMatch(refuted.stdout, /^Replay: dpcheck audit /m);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "the archive of the R package passes R CMD check, and serves",
  ignore: ignore || await run("R", ["--version"], { cwd: root }).then(() => false, () => true),
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      await ok(run(deno, ["task", "build", "r"], { cwd: root }));
      const archive = `${root}out/r/dpcheck_0.1.0.tar.gz`;
      const { stdout } = await ok(
        run("R", ["CMD", "check", "--no-manual", archive], { cwd: folder }),
      );
      assertMatch(stdout, /Status: OK/);
      await ok(run("R", ["CMD", "INSTALL", "-l", folder, archive], { cwd: folder }));
      const program =
        `library(dpcheck, lib.loc = "${folder}"); dpcheck_serve(function(rows) sum(rows))`;
      await Deno.writeTextFile(`${folder}/total.R`, program);
      const words = ["--exec", `Rscript ${folder}/total.R`, "--left", "[1]", "--right", "[]"];
      const { code } = await run(
        deno,
        ["task", "dpcheck", "audit", ...words, "--epsilon", "1", "--max-draws", "1000"],
        { cwd: root },
      );
      assertEquals(code, 1);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "npm publish would send the package",
  ignore,
  async fn(): Promise<void> {
    await ok(run(deno, ["task", "build", "npm"], { cwd: root }));
    for (const name of ["dp", "dpcheck"]) {
      const words = ["publish", "--dry-run", "--access", "public", `./out/npm/${name}`];
      const { stdout } = await ok(run("npm", words, { cwd: root }));
      assertStringIncludes(stdout, `@dpcheck/${name}@0.1.0`);
    }
  },
});

Deno.test({
  name: "dpcheck is installed from a clone as docs/commands.md says, with an empty cache",
  ignore,
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      const command = /^deno install -g .*$/m.exec(commands)![0];
      const env = { DENO_DIR: `${folder}/cache`, DENO_INSTALL_ROOT: folder, NO_COLOR: "1" };
      const [, ...words] = command.split(" ");
      await ok(run(deno, words, { cwd: root, env }));
      const path = `${deno.slice(0, deno.lastIndexOf("/"))}:${Deno.env.get("PATH")}`;
      const { stdout } = await ok(
        run(`${folder}/bin/dpcheck`, audit, { cwd: folder, env: { ...env, PATH: path } }),
      );
      assertMatch(stdout, /^NOT REFUTED/);
      // A project that has dpcheck nowhere else can run the test that init writes, types and all.
      const project = { cwd: `${folder}/project`, env: { ...env, PATH: path } };
      await Deno.mkdir(project.cwd);
      const init = ["init", "--yes", "--no-audit", "--language"];
      for (const language of ["deno", "node"]) {
        const begun = await ok(run(`${folder}/bin/dpcheck`, [...init, language], project));
        const printed = /^ {2}deno (test .*) runs the test$/m.exec(begun.stdout);
        assert(printed !== null, begun.stdout);
        const ran = await ok(run(deno, splitCommand(printed[1]!), project));
        assertStringIncludes(ran.stdout, "ok | 1 passed");
        await Deno.remove(`${project.cwd}/tests`, { recursive: true });
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "a project of Deno that links a clone has every entry, under the compiler options of Deno",
  ignore,
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      const [, linked] = /```json deno\.json\n([^]*?)```/.exec(commands)!;
      const { links, imports } = JSON.parse(linked!);
      assertEquals(links, ["../dpcheck"]);
      await Deno.writeTextFile(
        `${folder}/deno.json`,
        JSON.stringify({ links: [root.slice(0, -1)], imports }),
      );
      const { exports } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
      const entries = Object.keys(exports).map((entry) => `@dpcheck/dpcheck${entry.slice(1)}`);
      await Deno.writeTextFile(
        `${folder}/all.ts`,
        entries.map((entry, i) => `import * as m${i} from "${entry}";\n`).join("") +
          `for (const each of [${entries.map((_, i) => `m${i}`)}]) {\n` +
          `  if (Object.keys(each).length === 0) throw new Error("an entry is empty");\n}\n`,
      );
      await ok(run(deno, ["run", "--check", "-A", "all.ts"], { cwd: folder }));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "deno publish would send the library and the command line, and no tests",
  ignore,
  async fn(): Promise<void> {
    await ok(run(deno, ["task", "build", "jsr"], { cwd: root }));
    const jsr = `${root}out/jsr/`;
    const words = [
      "publish",
      "--config",
      `${jsr}deno.json`,
      "--dry-run",
      "--allow-dirty",
      "--no-check",
    ];
    const { stderr } = await ok(run(deno, words, { cwd: jsr, env: { NO_COLOR: "1" } }));
    const files = [...stderr.matchAll(/^\s*file:\/\/(\S+) \(/gm)].map(([, path]) =>
      path!.slice(jsr.length)
    );
    assert(files.includes("mod.ts") && files.includes("cli/main.ts"), `${files.length} files`);
    const others = /^(tests|fixtures|bench|experiments|scripts|adapters|site|action|out|\.)/;
    assertEquals(files.filter((file) => others.test(file)), []);
  },
});

Deno.test({
  name: "the steps of the Dockerfile make an image that audits",
  ignore,
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      const steps = dockerSteps(await Deno.readTextFile(`${root}Dockerfile`));
      const lint = ["--yes", "dockerfilelint@1.8.0", "Dockerfile"];
      await ok(run("npx", lint, { cwd: root, env: { npm_config_cache: `${folder}/cache` } }));
      const { entry, workdir } = await runSteps(steps, { source: root, folder });
      const { stdout } = await ok(run(entry, audit, { cwd: workdir }));
      assertMatch(stdout, /^NOT REFUTED/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

// Mutant: a report's plots that are installed, with the sixty packages below them.
Deno.test({
  name:
    "@dpcheck/dp stands alone, and @dpcheck/dpcheck brings at most ten packages and 10 MB, and shares its claims",
  ignore,
  fn: () =>
    withArchive(async ({ folder, archives, env }) => {
      const [dp] = archives;
      await Deno.writeTextFile(`${folder}/package.json`, '{ "type": "module" }\n');
      await ok(run("npm", ["install", "--no-audit", dp!], { cwd: folder, env }));
      await Deno.writeTextFile(
        `${folder}/release.js`,
        `import { boundedMean, openBudget, pure, release, replaceOne } from "@dpcheck/dp";
         import { csvRows } from "@dpcheck/dp/tables";
         const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
         const mean = boundedMean({ bounds: { lower: 0, upper: 9 }, epsilon: 1, relation: replaceOne });
         console.log(typeof release(mean, [1, 2], { budget }), typeof csvRows);\n`,
      );
      for (const command of [["node"], [deno, "run", "--allow-read", "--allow-env"]]) {
        const [program, ...words] = [...command, "release.js"];
        const { stdout } = await ok(run(program!, words, { cwd: folder, env }));
        assertEquals(stdout, "number function\n");
      }
      await ok(run("npm", ["install", "--no-audit", ...archives], { cwd: folder, env }));
      const lock = JSON.parse(await Deno.readTextFile(`${folder}/package-lock.json`)) as {
        packages: Record<string, { peer?: boolean }>;
      };
      const installed = Object.keys(lock.packages).filter((path) => path !== "");
      assert(installed.length <= 10, installed.join());
      let bytes = 0;
      for await (const file of filesBelow(`${folder}/node_modules`)) {
        bytes += (await Deno.stat(file)).size;
      }
      assert(bytes <= 10e6, `${bytes} bytes`);
      await Deno.writeTextFile(
        `${folder}/same.js`,
        `import { pure } from "@dpcheck/dpcheck";
         import { pure as same } from "@dpcheck/dp";
         import { openSulq } from "@dpcheck/dpcheck/papers";
         console.log(pure === same, typeof openSulq);\n`,
      );
      const { stdout } = await ok(run("node", ["same.js"], { cwd: folder, env }));
      assertEquals(stdout, "true function\n");
    }),
});

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else if (isFile) yield `${folder}/${name}`;
  }
}
