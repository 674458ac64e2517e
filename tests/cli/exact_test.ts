import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { assertModuleOfDocs, blocks } from "./module_of_docs.ts";
import { runMain } from "./run_main.ts";
import { longTest } from "../long.ts";

const BOOLEANS = ["--rows", '{"type":"boolean"}', "--size", "1..2", "--relation", "replace-one"];

const MODULE = `
export const coin = ([yes], source) => source.bernoulli({ probability: Math.E / (1 + Math.E) }) === yes;
export const exactly = ([yes], source) => (source.choice({ exponents: [0, 1] }) === 0) === yes;
export default (data, source) => data.map((yes) => source.choice({ exponents: [0, 1] }) === 0 ? yes : !yes);
export const broken = (data, source) => data.map((yes) => source.bernoulli({ probability: 0.8 }) ? yes : !yes);
export const floats = (_, source) => source.uniform();
export const noisy = (data, source) => data.map(() => source.discreteLaplace({ rate: 0.001 }));
export const never = () => { throw new Error("out of order"); };
`;

// Mutants: one status for all verdicts; floats taken for an inner error; the least ε rounded down.
Deno.test("dpcheck exact says what it decided by its exit status and as JSON", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`, json = `${folder}/r.json`;
    await Deno.writeTextFile(file, MODULE);
    const exact = (name: string, ...words: string[]): ReturnType<typeof runMain> =>
      runMain(["exact", "--module", `${file}#${name}`, "--epsilon", "1", ...BOOLEANS, ...words]);
    const html = `${folder}/r.html`;
    const holds = await exact("", "--json", json, "--html", html);
    assertEquals([holds.code, holds.err], [0, ""]);
    assertStringIncludes(holds.out, "Least ε: 1, attained exactly.");
    const report = JSON.parse(await Deno.readTextFile(json));
    const page = await Deno.readTextFile(html);
    for (const sentence of report.notSeen) assertEquals(page.split(sentence).length, 2, sentence);
    assertStringIncludes(
      report.notSeen[0],
      "every guess from one output, on 5 pairs (replace-one)",
    );
    assertEquals(
      holds.out.split(["Not seen by this run", ...report.notSeen].join("\n  ")).length,
      2,
    );
    assertEquals(
      [report.verdict, report.epsilon, report.claim, report.pair, report.output, report.branches],
      [
        "holds",
        1,
        { kind: "pure", epsilon: 1, relation: "replace-one" },
        {
          left: [false],
          right: [true],
        },
        [false],
        20,
      ],
    );
    assert(report.seconds > 0);
    // Mutants: a file named "-"; the report to read beside the one in JSON, or nowhere.
    const printed = await exact("broken", "--json", "-");
    assertStringIncludes(printed.err, "Least ε: 1.386294362.");
    const { verdict, epsilon, epsilonLowerBound } = JSON.parse(printed.out);
    assertEquals([printed.code, verdict], [1, "refuted"]);
    assert(epsilonLowerBound <= Math.log(4) && Math.log(4) <= epsilon);
    assertEquals((await exact("broken", "--delta", "0.26")).code, 0);
    assertEquals((await exact("broken", "--delta", "0.25")).code, 1);
    const undecided = await exact("noisy", "--max-branches", "500");
    assertEquals(undecided.code, 4);
    assertStringIncludes(undecided.out, "--max-branches");
    const floats = await exact("floats");
    assertEquals(floats.code, 2);
    assertStringIncludes(
      floats.err,
      "of uniform() or Math.random in a way that tells no law of noise",
    );
    assertStringIncludes((await exact("never")).err, "every run fails: out of order");
  });
});

Deno.test("dpcheck exact shows what a coin of doubles loses beyond its claim, and an exact one does not", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`;
    await Deno.writeTextFile(file, MODULE);
    const exact = (name: string): ReturnType<typeof runMain> =>
      runMain(["exact", "--module", `${file}#${name}`, "--epsilon", "1", ...BOOLEANS]);
    const { code, out } = await exact("coin");
    assertEquals(code, 1);
    // ln(p/(1 − p)) − 1 of the double p nearest e/(1 + e), in 60 digits: 8.543e-17.
    assertStringIncludes(out, "Least ε: 1 and at most 8.6e-17 more.");
    assertStringIncludes(out.replace(/\s+/g, " "), "choice({ exponents: [0, ε] })");
    assertEquals((await exact("exactly")).code, 0);
  });
});

// Mutant: the claim that was asked for, which doubles of chances may miss by their last place.
Deno.test("dpcheck exact takes a shipped mechanism at its own claim where that is the one asked for but for rounding", async () => {
  for (const name of ["keep-or-replace", "randomised-response"]) {
    assertEquals((await runMain(["exact", "--mechanism", name, "--epsilon", "1"])).code, 0, name);
  }
  assertEquals(
    (await runMain(["exact", "--mechanism", "two-coin-survey", "--epsilon", "1"])).code,
    1,
  );
  assertEquals(
    (await runMain(["exact", "--mechanism", "two-coin-survey", "--epsilon", "1.1"])).code,
    0,
  );
});

// Mutants: a limit of 2,000 datasets; no deadline, or one that is refused; a status of its own for it.
Deno.test("dpcheck exact takes thousands of datasets, and ends undecided where the time is over", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/ages.js`, json = `${folder}/r.json`;
    await Deno.writeTextFile(
      file,
      `export default (ages, source) => {
        const old = ages.filter((age) => age >= 30).length;
        return source.choice({ exponents: [0, 1, 2].map((n) => -Math.abs(n - old) / 2) });
      };`,
    );
    const exact = (...words: string[]): ReturnType<typeof runMain> =>
      runMain([
        "exact",
        "--module",
        file,
        "--rows",
        '{"type":"integer","min":0,"max":44}',
        "--size",
        "1..2",
        "--relation",
        "add-remove-one",
        "--json",
        json,
        ...words,
      ]);
    const report = async (): Promise<Record<string, unknown>> =>
      JSON.parse(await Deno.readTextFile(json));
    assertEquals((await exact("--epsilon", "1")).code, 0);
    const { datasets, pairs, branches, repeats } = await report();
    // 45 + 45², and each two ages without one of them: the same dataset where they are equal.
    assertEquals([datasets, pairs, branches, repeats], [2070, 4005, 6210, 6210]);
    const ended = await exact("--epsilon", "1", "--max-seconds", "1e-9");
    assertEquals(ended.code, 4);
    assertStringIncludes(ended.out, "of 2,070 datasets were run");
    assertStringIncludes(ended.out, "--max-seconds");
    const { verdict, datasetsInAll, pair, epsilon } = await report();
    assertEquals([verdict, datasetsInAll, pair, epsilon], ["undecided", 2070, null, null]);
  });
});

Deno.test("dpcheck exact refuses what it cannot enumerate, naming the option", async () => {
  const mechanism = ["exact", "--mechanism", "geometric", "--epsilon", "1"];
  const cases: [words: string[], ...parts: string[]][] = [
    [["exact"], "--mechanism or --module"],
    [["exact", "--mechanism", "nothing", "--epsilon", "1"], "--mechanism nothing"],
    [["exact", "--mechanism", "geometric"], "--epsilon"],
    [[...mechanism, "--module", "m.js"], "one subject"],
    [[...mechanism, "--remainder", "0"], "--remainder", "'0'"],
    [[...mechanism, "--max-branches", "0"], "--max-branches", "'0'"],
    [[...mechanism, "--rows", '{"type":"number","min":0,"max":1}', "--size", "1"], "finitely many"],
    [[...mechanism, "--rows", '{"type":"boolean"}', "--size", "20"], "at most 1000000"],
    [[...mechanism, "--max-seconds", "0"], "--max-seconds", "'0'"],
    [["exact", "--mechanism", "laplace", "--epsilon", "1"], "finitely many"],
    [["exact", "--module", "/no/such.js", "--epsilon", "1", ...BOOLEANS], "--module /no/such.js"],
    [[...mechanism, "--json", "/no/such/folder/r.json"], "--json /no/such/folder/r.json"],
  ];
  for (const [words, ...parts] of cases) {
    const { code, err } = await runMain(words);
    assertEquals(code, 2, words.join(" "));
    for (const part of parts) assertStringIncludes(err, part);
  }
});

// Mutants: figures that are not those of the module; a module that only one of the two commands takes.
longTest("the module of docs/programs.md is enumerated as shown, and audited", async () => {
  await assertModuleOfDocs("first_above.js", "### Draws that can be enumerated");
});

Deno.test("docs/commands.md shows what dpcheck exact says", async () => {
  const shown = await blocks("docs/commands.md", "## Decide exactly");
  const words = splitCommand(shown.get("sh")!.replace("deno task dpcheck ", "").trim());
  assertStringIncludes((await runMain(words)).out, shown.get("text")!);
});
