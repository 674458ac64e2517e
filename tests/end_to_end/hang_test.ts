import { assert, assertEquals, assertMatch } from "@std/assert";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { cliCommand, commandWords, runCli, runHere, withFolder } from "./run_cli.ts";
import { hasProgram } from "../has_program.ts";
import { longTest } from "../long.ts";

const LOOP = "export default () => { for (;;); };";

const LOOP_ON_DATA =
  "export default (rows, source) => { source.bernoulli({ probability: 0.5 }); while (rows[0] === 0); return 0; };";

/** The words that audit a module with this text. */
async function auditOf(text: string, folder: string): Promise<string[]> {
  await Deno.writeTextFile(`${folder}/module.mjs`, text);
  const pair = ["--left", "[0]", "--right", "[1]"];
  return ["audit", "--module", `${folder}/module.mjs`, "--epsilon", "1", ...pair];
}

// Mutant: modules that draw in the thread that looks at the clock. (It never ends.)
Deno.test("dpcheck audit exits 3 when a module loops for ever", async () => {
  await withFolder(async (folder) => {
    const words = await auditOf(LOOP, folder);
    words.push("--max-seconds", "60", "--timeout", "1", "--json", `${folder}/r.json`);
    const run = await runCli(words);
    assertEquals(run.code, 3);
    assertMatch(run.stdout, /^FAILED/);
    assertMatch(run.stderr, /^dpcheck: .*module\.mjs hung: it drew nothing for 1 s.*\n$/);
    const report = JSON.parse(await Deno.readTextFile(`${folder}/r.json`));
    assertEquals([report.verdict, report.draws], ["failed", 0]);
  });
});

// Mutants: one process, in which nothing can end a loop without a pause (it never ends); a copy that is deleted after it ran.
Deno.test("dpcheck exact ends undecided and leaves no files when a module loops for ever, on its datasets or when it is loaded", async () => {
  await withFolder(async (folder) => {
    const temporary = `${folder}/temporary`;
    await Deno.mkdir(temporary);
    for (const text of [LOOP_ON_DATA, `for (;;); ${LOOP_ON_DATA}`]) {
      const [, ...words] = await auditOf(text, folder);
      const json = `${folder}/r.json`;
      const limited = ["exact", ...words, "--max-seconds", "0.5", "--json", json];
      const run = await runCli(limited, { env: { TMPDIR: temporary } });
      assertEquals(run.code, 4, run.stderr);
      assertMatch(run.stdout, /^UNDECIDED .*1-DP was not decided\n.*--max-seconds.*0\.5 s/s);
      const { verdict, cut } = JSON.parse(await Deno.readTextFile(json));
      assertEquals([verdict, cut.length], ["undecided", 1]);
      assertEquals(await Array.fromAsync(Deno.readDir(temporary)), []);
    }
  });
});

// Mutant: an error that no promise of an audit rejects with, taken for an error of dpcheck.
Deno.test("dpcheck audit exits 3 when loading a module never ends", async () => {
  await withFolder(async (folder) => {
    const words = await auditOf(`for (;;); ${LOOP}`, folder);
    const run = await runCli([...words, "--timeout", "0.3"]);
    assertEquals([run.code, run.stdout], [3, ""]);
    assertMatch(
      run.stderr,
      /^dpcheck: .*module\.mjs hung: it was not loaded in 0\.3 s \[program-hung\]\n$/,
    );
  });
});

// Mutants: as in this process, where the status is that of the module: 0, which says "not refuted", or 1.
Deno.test("dpcheck audit exits 3 when a module ends the process or breaks it later", async () => {
  await withFolder(async (folder) => {
    for (
      const text of [
        "export default () => Deno.exit(0);",
        `setTimeout(() => { throw new Error("late"); }, 50);
         export default () => new Promise((resolve) => setTimeout(() => resolve(1), 20));`,
      ]
    ) {
      const run = await runCli([...await auditOf(text, folder), "--timeout", "10"]);
      assertEquals(run.code, 3, run.stderr);
      assertMatch(run.stdout, /^FAILED/);
    }
  });
});

// Mutants: signals that wait for the subject; none heard while a module is loaded.
Deno.test("dpcheck audit ends at once when it is interrupted, whatever a module does", async () => {
  await withFolder(async (folder) => {
    const started = `${folder}/started`;
    const note = `writeFileSync(${JSON.stringify(started)}, "");`;
    const imports = 'import { writeFileSync } from "node:fs";';
    const inCall = `${imports} export default () => { ${note} for (;;); };`;
    const cases: readonly [text: string, more: string[], printed: RegExp][] = [
      // A subject that was never opened, or is only watched so far, has no report.
      [`${imports} ${note} for (;;);`, [], /^$/],
      [inCall, [], /^$/],
      [inCall, ["--no-recording"], /^INCONCLUSIVE/],
    ];
    for (const [text, more, printed] of cases) {
      for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
        const child = cliCommand([...await auditOf(text, folder), ...more]).spawn();
        await exists(started);
        await Deno.remove(started);
        const begun = performance.now();
        child.kill(signal);
        const { code, stdout } = await child.output();
        assertEquals(code, status);
        assertMatch(new TextDecoder().decode(stdout), printed);
        // The time-out is 30 s, and so long the audit would have to wait for an output.
        assert(performance.now() - begun < 10_000, signal);
      }
    }
  });
});

// Mutant: status 3, and a message that blames the module.
Deno.test("dpcheck audit with its report on standard output ends with the status of a signal from the first moment on", async () => {
  await withFolder(async (folder) => {
    const words = await auditOf("export default (rows) => rows.length;", folder);
    const temporary = `${folder}/temporary`;
    await Deno.mkdir(temporary);
    const child = cliCommand([...words, "--json", "-"], { TMPDIR: temporary }).spawn();
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    // The folder of the report is made just before the process that runs the module, which then loads.
    while ((await Array.fromAsync(Deno.readDir(temporary))).length === 0) await pause(10);
    await pause(100);
    child.kill("SIGTERM");
    const { code, stderr } = await child.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [143, ""]);
  });
});

// Mutants: a source that is not split from the seed; batches whose sizes depend on the clock.
Deno.test("dpcheck audit of a module says the same each time when it is given a seed and draws", async () => {
  await withFolder(async (folder) => {
    const words = await auditOf(
      "let n = 0; export default ([x], source) => source.uniform() < 0.6 + 1e-9 * n++ ? x : 1 - x;",
      folder,
    );
    words.push("--max-draws", "1000", "--seed", "1", "--no-shrink", "--json", `${folder}/r.json`);
    const reports: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      assertEquals((await runHere(words)).code, 0);
      const report = JSON.parse(await Deno.readTextFile(`${folder}/r.json`));
      reports.push({ ...report, seconds: 0 });
    }
    assertEquals(reports[0], reports[1]);
  });
});

const hasScript = Deno.build.os === "linux" &&
  await hasProgram(["script", "--version"], "reports on a terminal");

Deno.test({
  // Mutant: said on standard error too, whatever standard output is.
  name: "dpcheck audit says once why a subject failed when its report goes to a terminal",
  ignore: !hasScript,
  async fn(): Promise<void> {
    await withFolder(async (folder) => {
      const words = commandWords([]);
      words.push(...await auditOf(LOOP, folder), "--timeout", "0.5");
      const { code, stdout } = await new Deno.Command("script", {
        args: ["--quiet", "--return", "--command", words.map(quoteWord).join(" "), "/dev/null"],
        cwd: new URL("../../", import.meta.url),
        stdin: "null",
      }).output();
      const shown = new TextDecoder().decode(stdout);
      assertEquals(code, 3, shown);
      assertEquals(shown.match(/drew nothing/g)?.length, 1, shown);
    });
  },
});

/** Waits for a file. */
async function exists(file: string): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    if (await Deno.stat(file).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${file} was never written`);
}

/** What a session does at its twentieth question, and the words of the failure. */
const ENDS: readonly [string, RegExp][] = [
  ["process.exit(0);", /the program ended the process: nothing was shown/],
  ["process.exit(1);", /the program ended the process: nothing was shown/],
  ["Promise.reject(new Error('late'));", /failed outside of its call.*late: nothing was shown/],
  ["process.kill(process.pid, 'SIGKILL');", /was ended by SIGKILL, and nothing was shown/],
  ["for (;;);", /hung: it kept the process for more than 1 s/],
];

// Mutants: an audit of sessions without a process that watches it (the last never ends); one that ends with the module's status.
longTest(
  "audit --interactive exits 3 when a module ends its process, fails later or loops for ever",
  async () => {
    await withFolder(async (folder) => {
      for (const [act, words] of ENDS) {
        const module = `${folder}/service.mjs`;
        await Deno.writeTextFile(
          module,
          `let asked = 0;
export const questions = { one: {} };
export const start = (rows, source) => source;
export const open = (source) => ({ ask: () => { if (++asked > 20) { ${act} } return source.uniform(); } });`,
        );
        const pair = ["--left", "[0]", "--right", "[1]", "--relation", "replace-one"];
        const run = await runCli(
          [
            "audit",
            "--interactive",
            "--module",
            module,
            "--epsilon",
            "1",
            ...pair,
            "--timeout",
            "1",
          ],
        );
        assertEquals(run.code, 3, act);
        assertMatch(run.stderr, words);
        assertEquals(run.stdout, "");
      }
    });
  },
);
