import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dailyOf } from "../long.ts";
import { runHere, withFolder } from "./run_cli.ts";

const FILE = new URL("../../fixtures/judge/recorded/modules.js", import.meta.url).pathname;
const DATA = [
  ...["--epsilon", "1", "--relation", "add-remove-one"],
  ...["--rows", '{"type":"number","min":0,"max":3}', "--size", "0..5"],
];

/** What a run of dpcheck on one of the modules prints, and the JSON that it writes. */
async function run(
  command: string,
  name: string,
  words: readonly string[] = [],
): Promise<{ report: Record<string, unknown>; printed: string; code: number }> {
  let result;
  await withFolder(async (folder) => {
    const json = `${folder}/report.json`;
    const { code, stdout, stderr } = await runHere([
      ...[command, "--module", `${FILE}#${name}`, ...DATA, "--json", json, ...words],
    ]);
    const report = JSON.parse(await Deno.readTextFile(json));
    result = { report, printed: stdout + stderr, code };
  });
  return result!;
}

type Finding = Record<"kind" | "place" | "sentence", string>;

Deno.test("record finds wrong modules within thirty pairs and names their lines, and suspects no correct one", async () => {
  const wrong: readonly [name: string, kind: string, line: string, programs?: true][] = [
    ["sizeAsDivisor", "noise-depends-on-data", "rows.map(clipped)) + source.laplace"],
    ["classesFromData", "control-flow", "count + source.laplace({ scale: 1 })]"],
    ["unclippedSum", "too-little-noise", "Math.round(noisy)"],
    ["twoQueries", "spent-more-than-once", "discreteLaplace({ rate: 1 })"],
    ["exactCount", "uncovered-output", "scale: 1 }), rows.length]"],
    ["byHand", "too-little-noise", "const u = "],
  ];
  const lines = (await Deno.readTextFile(FILE)).split("\n");
  const few = ["--max-pairs", "30", "--max-seconds", "60"];
  for (const [name, kind, text] of dailyOf(wrong, (_, place) => place % 2 === 0)) {
    const { report, code } = await run("record", name, few);
    const [first] = report.findings as Finding[];
    const line = lines.findIndex((each) => each.includes(text)) + 1;
    assertEquals(
      [name, report.verdict, first?.kind, first?.place, code],
      [name, "suspected", kind, `modules.js:${line}`, 0],
    );
  }
  const correct = ["correct", "noisyMax", "sparseVector", "randomisedResponse"];
  for (const name of dailyOf(correct, (_, place) => place % 2 === 0)) {
    const { report, printed, code } = await run("record", name, [...few, "--strict"]);
    assertEquals([name, report.verdict, code], [name, "nothing found", 0], printed);
    const notSeen = ["Not seen by this run", ...report.notSeen as string[]].join("\n  ");
    assertEquals(printed.split(notSeen).length, 2, printed);
  }
});

// Mutants: draws that are made in the thread that was recorded; a recording that goes on beside the audit.
Deno.test("an audit of a module looks first at what its recording suspects, and draws without it", async () => {
  const limits = ["--seed", "3", "--max-draws", "20000"];
  const { report, printed, code } = await run("audit", "sizeAsDivisor", limits);
  const { verdict, recording } = report as Record<"verdict", string> & {
    recording: { verdict: string };
  };
  assertEquals([code, verdict, recording.verdict], [1, "refuted", "suspected"], printed);
  assertStringIncludes(printed, "Where it may come from, as watched noise shows");
  assertStringIncludes(printed, "modules.js:8");
  const without = await run("audit", "sizeAsDivisor", [...limits, "--no-recording"]);
  assert(!("recording" in without.report) && !without.printed.includes("watched"));
});
