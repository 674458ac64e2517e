import { assert, assertEquals, assertMatch } from "@std/assert";
import { cliCommand, runCli, runHere, withFolder } from "./run_cli.ts";
import { BUDGET, FEW, PAIR, response, verifyAgain } from "./audited_programs.ts";

Deno.test("dpcheck audit exits 1 with a counterexample when the claim is false", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/response.js`;
    await Deno.writeTextFile(file, response(0.9));
    const files = ["--json", `${folder}/r.json`, "--junit", `${folder}/r.xml`];
    files.push("--html", `${folder}/r.html`);
    const run = await runCli(
      ["audit", "--module", file, "--epsilon", "1", ...PAIR, ...BUDGET, ...files],
    );
    assertEquals([run.code, run.stderr], [1, ""]);
    assertMatch(run.stdout, /^REFUTED/);
    const report = JSON.parse(await Deno.readTextFile(`${folder}/r.json`));
    assertEquals(report.verdict, "refuted");
    assertEquals(report.claim, { kind: "pure", epsilon: 1, relation: "replace-one" });
    assert(report.epsilonLowerBound >= 1 && report.epsilonLowerBound <= Math.log(9));
    assert(report.eValue >= 1 / report.alpha);
    assertEquals([report.confidence, report.alpha, report.seed], [0.99, 0.01, 1]);
    assertEquals([report.pair.left, report.pair.right].sort(), [[false], [true]]);
    assert(report.draws > 0 && report.draws <= 1000 && report.seconds > 0);
    assertMatch(await Deno.readTextFile(`${folder}/r.xml`), /<failure type="refuted"/);
    assertMatch(await Deno.readTextFile(`${folder}/r.html`), /REFUTED/);

    // The replay line runs as it stands, and says the same.
    const replayed = await runHere(["audit", ...report.replayArguments]);
    assertEquals(replayed.code, 1);
    assert(run.stdout.includes(`Replay: ${report.replay}`));

    const verified = await verifyAgain(folder);
    assertEquals(verified.code, 1);
    assertMatch(verified.stdout, /^Confirmed on fresh draws/);
    assert(verified.report.seed !== report.seed);

    // A program repaired since: the evidence no longer holds.
    await Deno.writeTextFile(file, response(0.6));
    assertEquals((await runHere(["verify", `${folder}/r.json`])).code, 0);
  });
});

Deno.test("dpcheck audit with --workers says the same each time, and its replay too", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/response.js`;
    await Deno.writeTextFile(file, response(0.9));
    const words = ["audit", "--module", file, "--epsilon", "1", ...PAIR, ...BUDGET];
    words.push("--workers", "2", "--json", `${folder}/r.json`);
    const read = async (): Promise<Record<string, unknown>> => {
      // What follows the verdict is bounded by seconds, and may differ on a busy machine.
      const { verdict, draws, eValue, replayArguments } = JSON.parse(
        await Deno.readTextFile(`${folder}/r.json`),
      );
      return { verdict, draws, eValue, replayArguments };
    };
    assertEquals((await runHere(words)).code, 1);
    const first = await read();
    assertEquals((await runHere(words)).code, 1);
    assertEquals(await read(), first);
    const replay = first["replayArguments"] as string[];
    assertEquals(replay.slice(replay.indexOf("--workers"))[1], "2");
    assertEquals((await runHere(["audit", ...replay])).code, 1);
    assertEquals((await runHere(["verify", `${folder}/r.json`, ...FEW])).code, 1);

    // A program with a seed of its own cannot be copied.
    await Deno.writeTextFile(
      file,
      "let x = 1; export default ([bit]) => ((x = 75 * x % 65537) < 48000 ? bit : !bit);",
    );
    const refused = await runHere(words);
    assertEquals(refused.code, 3);
    assertMatch(refused.stderr, /drew the same \d+ outputs/);
  });
});

Deno.test("dpcheck audit ships mechanisms that workers can draw", async () => {
  const run = await runHere([
    "audit",
    "--mechanism",
    "laplace",
    "--epsilon",
    "1",
    ...BUDGET,
    "--workers",
    "2",
  ]);
  assertEquals([run.code, run.stderr], [0, ""]);
  assertMatch(run.stdout, /^NOT REFUTED {2}laplace/);
});

Deno.test("dpcheck audit exits 0 when the claim is true, and verify refuses its report", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/response.js`, response(0.7));
    const json = `${folder}/r.json`;
    const words = ["audit", "--module", `${folder}/response.js`, "--epsilon", "1"];
    const run = await runHere([...words, ...PAIR, ...BUDGET, "--json", json]);
    assertEquals([run.code, run.stderr], [0, ""]);
    assertMatch(run.stdout, /^NOT REFUTED/);
    assertMatch(
      run.stdout,
      /An event that only one dataset of the last pair has is refuted with 90% power/,
    );
    assertEquals(JSON.parse(await Deno.readTextFile(json)).verdict, "not-refuted");
    const verified = await runHere(["verify", json]);
    assertEquals([verified.code, verified.stdout], [2, ""]);
    assertMatch(verified.stderr, /its verdict is not-refuted/);
  });
});

Deno.test("dpcheck audit searches for a pair when it is given rows", async () => {
  // Leaks only when there are three rows of which one is above 1/2.
  const program = `export default (rows, source) =>
    rows.length === 3 && rows.some((row) => row > 0.5) ? 1 : source.uniform() < 0.5 ? 1 : 0;`;
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/leak.js`, program);
    const json = `${folder}/r.json`;
    const rows = ["--rows", '{"type":"number","min":0,"max":1}', "--size", "1..3"];
    const run = await runHere(
      ["audit", "--module", `${folder}/leak.js`, "--epsilon", "0.1", "--relation", "replace-one"]
        .concat(rows, "--max-draws", "200000", "--seed", "2", "--json", json),
    );
    assertEquals([run.code, run.stderr], [1, ""]);
    const { left, right } = JSON.parse(await Deno.readTextFile(json)).pair;
    assertEquals([left.length, right.length], [3, 3]);
  });
});

/** Commands that no other run of these tests starts. */
const HANGS = `sleep 71.${Deno.pid}`, WAITS = `sleep 72.${Deno.pid}`;

Deno.test("dpcheck audit exits 3 and leaves no process when the program hangs", async () => {
  await withFolder(async (folder) => {
    const json = `${folder}/r.json`;
    const words = ["audit", "--exec", `sh -c 'echo waiting >&2; ${HANGS}'`, "--epsilon", "1"];
    const run = await runHere([...words, ...PAIR, "--timeout", "0.3", "--json", json]);
    assertEquals(run.code, 3);
    assertMatch(run.stdout, /^FAILED/);
    assertMatch(run.stderr, /^dpcheck: .* hung: .*0\.3 s.*"waiting" \[program-hung\]\n$/);
    const report = JSON.parse(await Deno.readTextFile(json));
    assertEquals(report.verdict, "failed");
    assertMatch(report.failure, /hung/);
    assert(!running(HANGS));
  });
});

Deno.test("dpcheck audit exits 3 when every output is an error", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/typo.js`;
    await Deno.writeTextFile(file, "export default (rows) => rows.lenght.toFixed();");
    const run = await runHere(
      ["audit", "--module", file, "--epsilon", "1", ...PAIR, "--max-draws", "500"],
    );
    assertEquals(run.code, 3);
    assertMatch(run.stderr, /every output was an error, as in ".*toFixed/);
  });
});

Deno.test("dpcheck audit exits 1 when an error tells the sides apart", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/strict.js`;
    const program =
      "export default ([bit]) => { if (bit) throw new Error('too high'); return 1; };";
    await Deno.writeTextFile(file, program);
    const run = await runHere(["audit", "--module", file, "--epsilon", "1", ...PAIR, ...BUDGET]);
    assertEquals(run.code, 1, run.stderr);
  });
});

Deno.test("dpcheck audit ends its program and exits 130 when it is interrupted", async () => {
  const program = `sh -c 'trap "" TERM; ${WAITS}; cat'`;
  // What is only watched so far has no report.
  for (const [more, printed] of [[[], /^$/], [["--no-recording"], /^INCONCLUSIVE/]] as const) {
    const words = ["audit", "--exec", program, "--epsilon", "1", ...PAIR, ...more];
    const child = cliCommand(words).spawn();
    for (let i = 0; i < 200 && !running(WAITS); i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGINT");
    const { code, stdout } = await child.output();
    assertEquals(code, 130);
    assertMatch(new TextDecoder().decode(stdout), printed);
    assert(!running(WAITS));
  }
});

function running(text: string): boolean {
  const { stdout } = new Deno.Command("sh", {
    args: ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null"],
  }).outputSync();
  // What runs it, and this test, have the whole script on their command line: look for it alone.
  return new TextDecoder().decode(stdout).split("sleep\0").some((rest) =>
    rest.startsWith(text.replace("sleep ", ""))
  );
}
