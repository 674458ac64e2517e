import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { ProgramSource } from "../../lib/core/mechanism/continuous_draws.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import { assertPrivate } from "../../lib/judge/testing/assert_private.ts";
import { type CliRun, runHere, withFolder } from "./run_cli.ts";
import { longTest } from "../long.ts";

/** Answers with the row itself 40 times, as a cache that is cold, and by randomised response at ε = 0.5 from then on. */
const PROGRAM = `let calls = 0;
export default (rows, source) =>
  calls++ < 40 || source.uniform() < 1 / (1 + Math.exp(-0.5)) ? rows[0] : 1 - rows[0];
`;

/** Writes the program and audits it: the report is `cold.json`. */
async function audited(folder: string): Promise<CliRun> {
  await Deno.writeTextFile(`${folder}/cold.mjs`, PROGRAM);
  const words = ["audit", "--module", `${folder}/cold.mjs`, "--epsilon", "1"];
  const pair = ["--relation", "replace-one", "--left", "[0]", "--right", "[1]"];
  const run = ["--seed", "1", "--max-draws", "2000", "--json", `${folder}/cold.json`];
  return await runHere([...words, ...pair, ...run]);
}

// Mutant: status 0, or "not-refuted", where later draws do not refute again.
Deno.test("a program that leaks only at first is refuted by audit and assertPrivate()", () =>
  withFolder(async (folder) => {
    const { code, stdout, stderr } = await audited(folder);
    assertEquals(code, 1, stdout + stderr);
    assertStringIncludes(
      stdout.replaceAll(/\s+/g, " "),
      "The refutation stands: the program changes between draws",
    );
    const report = JSON.parse(await Deno.readTextFile(`${folder}/cold.json`));
    assertEquals([report.verdict, report.confirmed], ["refuted", false]);
    assert(report.unconfirmed.eValue < 100);
    let calls = 0;
    await assertRejects(
      () =>
        assertPrivate(
          (rows: number[], source: ProgramSource) =>
            calls++ < 40 || source.uniform() < 1 / (1 + Math.exp(-0.5)) ? rows[0] : 1 - rows[0]!,
          {
            epsilon: 1,
            relation: replaceOne,
            pair: pairOf(replaceOne, { left: [0], right: [1] }),
            maxDraws: 2000,
            seed: 1,
            recording: false,
          },
        ),
      Error,
      "the program changes between draws",
    );
  }));

// Each confirms in 20,000 draws, one at a time. Mutants: verify, or the second run of a suite, that compares the audited start with
// another one, and so uses up the outputs that leak; a suite that forgets what an earlier run refuted.
longTest(
  "a program that leaks only at first is refuted by verify and by suites",
  () =>
    withFolder(async (folder) => {
      await audited(folder);
      const json = `${folder}/cold.json`;

      const verified = await runHere([
        "verify",
        json,
        "--seed",
        "2",
        "--json",
        `${folder}/again.json`,
      ]);
      assertEquals(verified.code, 1, verified.stdout + verified.stderr);
      assertStringIncludes(verified.stdout, "Confirmed on fresh draws.");
      assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/again.json`)).confirmed, true);

      const entry = { name: "cold", module: "cold.mjs", epsilon: 1, left: [0], right: [1] };
      const audits = [{ ...entry, relation: "replace-one", maxDraws: 2000 }];
      await Deno.writeTextFile(`${folder}/dpcheck.json`, JSON.stringify({ audits }));
      for (let k = 1; k <= 2; k++) {
        const suite = await runHere(["suite", `${folder}/dpcheck.json`, "--json", json]);
        assertEquals(suite.code, 1, suite.stdout + suite.stderr);
        const { audits: [row] } = JSON.parse(await Deno.readTextFile(json));
        assertEquals(row.verdict, "refuted");
      }
    }),
);
