import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { hostname } from "node:os";
import { BadInput } from "../../../cli/options/bad_input.ts";
import { EvidenceStore } from "../../../cli/suite/evidence_store.ts";
import { runSuite, type SuiteResults, worstStatus } from "../../../cli/suite/run_suite.ts";
import {
  suiteIndex,
  suiteJunit,
  suiteMarkdown,
  suiteTable,
} from "../../../cli/suite/suite_reports.ts";
import { wrapLines } from "../../../cli/options/wrap_lines.ts";
import type { Suite } from "../../../cli/entries/suite_schema.ts";

const LEAK = "export default (data: number[]) => data.length;\n";

Deno.test("a suite keeps its evidence, sees changed files, and refutes what should be", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/leak.ts`, LEAK);
    const suite: Suite = {
      audits: [
        { name: "laplace <1>", mechanism: "laplace", epsilon: 1, maxDraws: 1000 },
        {
          name: "leak",
          module: "leak.ts",
          epsilon: 1,
          left: [1],
          right: [],
          maxDraws: 200,
          // Its refutation needs no second process that asks for one output at a time.
          oneAtATime: true,
          expect: "refuted",
        },
      ],
    };
    const run = (changed: boolean, audits = suite.audits) =>
      runSuite({ ...suite, audits }, {
        file: `${folder}/dpcheck.json`,
        jobs: 2,
        changed,
        signal: new AbortController().signal,
      });
    const { results: first } = await run(false);
    assertEquals(first.map(({ verdict, status }) => [verdict, status]), [
      ["not-refuted", 0],
      ["refuted", 0],
    ], JSON.stringify(first));
    assert(first[1]!.evidence >= 200);
    await Deno.writeTextFile(`${folder}/leak.ts`, `${LEAK}// changed\n`);
    const again = await run(true), { results: second } = again;
    assertEquals(second.map(({ unchanged, runs }) => [unchanged, runs]), [[true, 1], [false, 1]]);
    assertEquals(second[0]!.evidence, first[0]!.evidence);
    assertMatch(
      suiteTable(suite, again),
      /\nlaplace <1> {2}not-refuted \(unchanged\) {2}1-DP {5}ε ≥ 0\.\d+ /,
    );
    assert(suiteJunit(suite, again).includes('tests="2" failures="0" errors="0"'));
    assert(suiteIndex(suite, again).includes("laplace &lt;1&gt;"));
    assertEquals(first.map(({ news }) => news), ["new audit", "new audit"]);
    assertEquals(second.map(({ news }) => news), ["", "subject, options or dpcheck changed"]);
    const third = await run(false, [{ ...suite.audits[1]!, epsilon: 2 }]);
    assertEquals(third.removed, ["laplace <1>"]);
    assertMatch(third.results[0]!.news, /^the claim was 1-DP; subject, options or dpcheck changed/);
    const twins: Suite = { audits: [suite.audits[0]!, { ...suite.audits[0]!, name: "again" }] };
    await assertRejects(
      () =>
        runSuite(twins, {
          file: `${folder}/dpcheck.json`,
          jobs: 1,
          changed: false,
          signal: new AbortController().signal,
        }),
      BadInput,
      "must differ",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every run refuses a subject that draws the same after every start", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${folder}/fixed.ts`,
      "let k = 1;\nexport default () => (k = (k * 48271) % 2147483647) / 2147483647;\n",
    );
    const entry = { name: "fixed", module: "fixed.ts", epsilon: 1, left: [1], right: [] };
    const run = () =>
      runSuite({ audits: [{ ...entry, maxDraws: 1000 }] }, {
        file: `${folder}/dpcheck.json`,
        jobs: 1,
        changed: false,
        signal: new AbortController().signal,
      });
    for (const runs of [1, 2]) {
      const { results: [result] } = await run();
      assertEquals([result!.verdict, result!.runs, result!.evidence], [
        "failed",
        runs,
        1 / (runs + 1),
      ]);
      assert(result!.message!.includes("starts"), result!.message);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Writes a report that looks like one of an audit to where its process is told to write it, and ends the process. */
const FORGES = `import { spawnSync } from "node:child_process";
import fs from "node:fs";
import process from "node:process";
const report = { verdict: "not-refuted", epsilonLowerBound: 0, confidence: 0.99, eValue: 1, draws: 1000, seconds: 1, replay: "",
  claim: { kind: "pure", epsilon: 1 } };
export default () => {
  for (const word of spawnSync("cat", ["/proc/" + process.pid + "/cmdline"], { encoding: "utf8" }).stdout.split("\\0")) {
    if (word.startsWith("--json=")) fs.writeFileSync(word.slice("--json=".length), JSON.stringify(report));
  }
  process.kill(process.pid, "SIGKILL");
};
`;

// Mutants: a report that is read from standard output; one that is taken from a process that was killed; a failure without a reason.
Deno.test({
  name: "a module can print what it likes, and its suite reads the report of the audit",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      const printing = new URL(
        "../../../fixtures/judge/subjects/prints_everywhere.mjs",
        import.meta.url,
      );
      await Deno.copyFile(printing, `${folder}/prints.mjs`);
      await Deno.writeTextFile(`${folder}/forges.mjs`, FORGES);
      const run = { epsilon: 1, left: [0], right: [1], maxDraws: 400, requirePower: 1e6 };
      const { results } = await runSuite({
        audits: [
          { name: "prints", module: "prints.mjs", ...run },
          { name: "forges", module: "forges.mjs", ...run },
        ],
      }, {
        file: `${folder}/dpcheck.json`,
        jobs: 2,
        changed: false,
        signal: new AbortController().signal,
      });
      const [prints, forges] = results;
      assertEquals([prints!.verdict, prints!.report!.draws], ["not-refuted", 400]);
      const { LINES } = await import("../../../fixtures/judge/subjects/prints_everywhere.mjs");
      for (const line of LINES) assertStringIncludes(prints!.printed!, line);
      assertEquals([forges!.verdict, forges!.report], ["failed", undefined]);
      assertStringIncludes(forges!.message!, "ended by SIGKILL");
      // Shown beside the reason of what is not as expected.
      const failed = { ...prints!, status: 3, message: "it hung" };
      const shown = suiteTable({ audits: [] } as unknown as Suite, {
        results: [failed],
        removed: [],
      });
      assertMatch(shown, /prints: it hung; it printed .*child/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("a run that left no result counts with the e-value 0, and one suite uses the evidence at a time", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const store = new EvidenceStore(folder);
    store.set("key", { runs: 2, begun: 50, pending: true });
    let refused = "";
    try {
      new EvidenceStore(folder);
    } catch (error) {
      refused = (error as Error).message;
    }
    assert(refused.includes("another suite"), refused);
    store.close();
    const later = new EvidenceStore(folder);
    assertEquals(later.get("key"), { runs: 3, begun: 0 });
    assertEquals(later.get("new"), { runs: 0, begun: 0 });
    later.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const MALFORMED = {
  "a negative number of runs": { key: { runs: -5, begun: 0 } },
  "a text for a number": { key: { runs: "x", begun: 0 } },
  "a fraction of a run": { key: { runs: 0.5, begun: 0 } },
  "a number for a record": { key: 5 },
  "no evidence": { key: { runs: 1 } },
  "negative evidence": { key: { runs: 1, begun: -1 } },
  "an unknown key": { key: { runs: 1, begun: 1, more: 1 } },
  "a list of records": [],
};

for (const [name, records] of Object.entries(MALFORMED)) {
  Deno.test(`evidence with ${name} is refused, and stays as it is`, () => {
    const folder = Deno.makeTempDirSync();
    try {
      const file = `${folder}/evidence.json`, text = JSON.stringify({ schemaVersion: 1, records });
      Deno.writeTextFileSync(file, text);
      assertThrows(() => new EvidenceStore(folder), BadInput, "is no evidence of suites");
      assertEquals(Deno.readTextFileSync(file), text);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  });
}

Deno.test("a lock whose process has ended is taken over, one of another machine is not", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const ended = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" })
      .spawn();
    await ended.status;
    const lock = `${folder}/lock`;
    for (
      const holder of [{ pid: ended.pid, host: hostname() }, { pid: Deno.pid, host: hostname() }]
    ) {
      await Deno.writeTextFile(lock, JSON.stringify(holder));
      new EvidenceStore(folder).close();
    }
    await Deno.writeTextFile(lock, "12345");
    new EvidenceStore(folder).close();
    await Deno.writeTextFile(lock, JSON.stringify({ pid: ended.pid, host: "elsewhere" }));
    assertThrows(() => new EvidenceStore(folder), BadInput, `process ${ended.pid} on elsewhere`);
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["lock"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Three audits: one that refuted, one that failed, one that is in order. */
const THREE: SuiteResults = {
  results: [
    { name: "kept", verdict: "not-refuted", status: 0, evidence: 0.5 },
    { name: "leak", verdict: "refuted", status: 1, evidence: 45690 },
    { name: "crash", verdict: "failed", status: 3, evidence: 0, message: "the program ended" },
  ].map((each) => ({
    expect: "not-refuted",
    claim: "1-DP",
    shown: "ε ≥ 0.5",
    news: "new audit",
    runs: 1,
    unchanged: false,
    ...each,
  } as SuiteResults["results"][number])),
  removed: ["gone"],
};

// Mutants: the order of the file; a reason that is left out; digits without separators; a table wider than the terminal.
Deno.test("reports of a suite begin with what ended worst, beside its claim, and give reasons", () => {
  const suite = { audits: [] } as unknown as Suite;
  for (const write of [suiteTable, suiteMarkdown, suiteIndex]) {
    const text = write(suite, THREE);
    const places = ["crash", "leak", "kept"].map((name) =>
      text.search(new RegExp(`\\b${name}\\b`))
    );
    assertEquals(places, places.toSorted((a, b) => a - b), text);
    for (const part of ["the program ended", "1-DP", "ε ≥ 0.5"]) assert(text.includes(part), text);
  }
  assert(suiteTable(suite, THREE).includes("45,700"));
  assert(suiteMarkdown(suite, THREE).includes("No longer audited: gone."));
  assert(suiteMarkdown(suite, THREE).includes("1 of 3 audits ended as expected"));
  // Links are by the places in the file, where pages have their numbers.
  const report = {} as NonNullable<SuiteResults["results"][number]["report"]>;
  const paged = {
    ...THREE,
    results: THREE.results.map((each) => ({
      ...each,
      report: { ...report, seconds: 1, draws: 1 },
    })),
  };
  assertMatch(suiteIndex(suite, paged), /"2\.html">leak/);
  const event = { description: "output > 0" };
  const leak = {
    ...report,
    draws: 1,
    seconds: 1,
    pair: { left: [1], right: [] },
    event,
    replay: "npx dpcheck audit",
  };
  const seen = { ...THREE, results: [{ ...THREE.results[1]!, report: leak }] };
  assertStringIncludes(
    suiteTable(suite, seen),
    "leak: output > 0 tells [1] and [] apart\nReplay: npx dpcheck audit\n",
  );
  for (const columns of [40, 60]) {
    const text = wrapLines(suiteTable(suite, THREE, { columns }), columns);
    assert(text.startsWith("crash  failed\n"), text);
    assert(text.split("\n").every(({ length }) => length <= columns), text);
  }
});

Deno.test("the worst status comes in the order 2, 3, 1, 4, 0", () => {
  assertEquals([[0, 4], [4, 1], [1, 3], [3, 2], [0], []].map(worstStatus), [4, 1, 3, 2, 0, 0]);
});
