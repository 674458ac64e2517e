import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli, withFolder } from "../end_to_end/run_cli.ts";
import { main } from "../../cli/main.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

/** Runs the command line in this process and keeps what it prints. */
async function run(words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const { log, error } = console;
  let out = "", err = "";
  console.log = (text: unknown): void => void (out += `${text}\n`);
  console.error = (...texts: unknown[]): void => void (err += `${texts.join(" ")}\n`);
  try {
    return { code: await main(words), out, err };
  } finally {
    console.log = log;
    console.error = error;
  }
}

/** 600 canaries whose scores are right with the chance that ε = 2 allows. */
function rows(): { included: number; score: number }[] {
  const source = new SeededSource(2305);
  return Array.from({ length: 600 }, () => {
    const included = source.uniform() < 0.5 ? 1 : 0;
    return { included, score: source.uniform() < 1 / (1 + Math.exp(-2)) ? included : 1 - included };
  });
}

// Mutants: one status for all verdicts; the columns taken in their order; --delta dropped where it is alone.
Deno.test("dpcheck canaries says what it decided by its exit status and as JSON", async () => {
  await withFolder(async (folder) => {
    const csv = `${folder}/s.csv`, lines = `${folder}/s.jsonl`, json = `${folder}/r.json`;
    const csvText = rows().map(({ included, score }) => `x,${score},${included}\n`).join("");
    await Deno.writeTextFile(csv, `name,score,included\n${csvText}`);
    await Deno.writeTextFile(lines, rows().map((row) => JSON.stringify(row)).join("\n"));
    const canaries = async (...words: string[]): Promise<[number, Record<string, unknown>]> => {
      const { code, err } = await run(["canaries", ...words, "--json", json]);
      assertEquals(err, "");
      return [code, JSON.parse(await Deno.readTextFile(json))];
    };
    const [refuted, report] = await canaries(csv, "--epsilon", "1");
    assertEquals([refuted, report.verdict, report.draws, report.pair], [1, "refuted", 600, null]);
    assertEquals(report.claim, { kind: "pure", epsilon: 1, relation: "asserted" });
    assertEquals([report.eValue, report.confidence, report.seed], [100, 0.99, 0]);
    const shown = await run(["canaries", csv, "--epsilon", "1"]),
      notSeen = report.notSeen as string[];
    assertStringIncludes(notSeen[0]!, "one score of each of 600 canaries after one run");
    assertEquals(shown.out.split(["Not seen by this run", ...notSeen].join("\n  ")).length, 2);
    const bound = report.epsilonLowerBound as number;
    assertEquals(bound > 1.2 && bound < 2, true, `${bound}`);
    const [same, other] = await canaries(lines, "--epsilon", "1");
    assertEquals([same, other.epsilonLowerBound], [1, bound]);
    assertEquals((await canaries(csv, "--epsilon", "2"))[0], 0);
    assertEquals((await canaries(csv, "--mu", "2"))[0], 4);
    const [plain, alone] = await canaries(csv, "--delta", "1e-3");
    assertEquals([plain, alone.verdict, alone.claim, alone.delta], [0, "bound", null, 0.001]);
    assertEquals((alone.epsilonLowerBound as number) < bound, true);
    const { out } = await run(["canaries", csv, "--epsilon", "1"]);
    assertStringIncludes(out, "REFUTED 1-DP: ε ≥ 1.");
  });
});

Deno.test("dpcheck canaries refuses bad files by line and rule", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/s.csv`;
    const refused = async (text: string, ...parts: string[]): Promise<void> => {
      await Deno.writeTextFile(file, text);
      const { code, err } = await run(["canaries", file]);
      assertEquals([code, err.trim().split("\n").length], [2, 1], err);
      for (const part of [file, ...parts]) assertStringIncludes(err, part);
    };
    await refused("", "included and score");
    await refused("score,x\n1,2\n", "included and score");
    await refused("included,score\n1,2\n\n2,3\n", "line 4", "included must be 0 or 1");
    await refused("included,score\n1,2\n0,abc\n", "line 3", "score must be a number");
    await refused("included,score\n1,nan\n0,1\n", "line 2", "score must be a number");
    await refused("included,score\n1\n", "line 2", "2 columns", "1");
    await refused('{"included":1,"score":2}\n{"included":1}\n', "line 2", "score");
    await refused('{"included":1,"score":2}\n{"included\n', "line 2", "one JSON object");
    await refused("included,score\n1,2\n", "at least 2", "1");
    await refused("included,score\n", "at least 2", "0");
    for (const header of ["included;score", "included\tscore", "Included,Score", "1,2"]) {
      await refused(`${header}\n1,2\n0,3\n`, "commas between them, included and score");
    }
    await refused("included,score,score\n1,2,3\n", "column score once");
    await refused('[{"included":1,"score":2}]', "JSON array");
    await refused('included,score\n1,"2,5"\n0,1\n', "line 2", "score must be a number");
    await refused('included,score\n"1,2\n0,3\n', "line 2", "2 columns");
    await refused("included,score\n1,2\0\n0,3\n", "line 2", "score must be a number");
    await refused("included,score\n0.5,1\n0,3\n", "line 2", "included must be 0 or 1");
    await refused('{"included":1,"score":null}\n', "line 1", "score must be a number");
    await refused('{"included":1,"score":2}\nincluded,score\n', "line 2", "one JSON object");
    for (const bytes of [Uint8Array.of(0xff, 0xfe, 0x69, 0), Uint8Array.of(31, 139, 8, 0)]) {
      await Deno.writeFile(file, bytes);
      assertStringIncludes((await run(["canaries", file])).err, "must be UTF-8 text");
    }
    await Deno.writeTextFile(file, `included,score\n${"1,2\n".repeat(50)}`);
    const unfair = await run(["canaries", file]);
    assertEquals(unfair.code, 2);
    assertStringIncludes(unfair.err, "a fair coin for each: current value is 50 of 50");
    await Deno.writeTextFile(file, "included,score\n1,2\n");
    const folderRead = await run(["canaries", folder]);
    assertStringIncludes(folderRead.err, "it is a folder");
    const gone = await run(["canaries", `${folder}/none.csv`]);
    assertEquals(gone.code, 2);
    assertStringIncludes(gone.err, "there is no such file");
    const two = await run(["canaries", file, "--epsilon", "1", "--mu", "1"]);
    assertStringIncludes(two.err, "cannot be given together");
  });
});

Deno.test("dpcheck canaries --help names its options", async () => {
  const { code, stdout } = await runCli(["canaries", "--help"]);
  assertEquals(code, 0);
  for (const option of ["--epsilon", "--delta", "--mu", "--alpha", "--json", "--seed"]) {
    assertStringIncludes(stdout, option);
  }
});
