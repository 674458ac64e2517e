import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { ProgramSource } from "../../lib/core/mechanism/continuous_draws.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import { assertPrivate } from "../../lib/judge/testing/assert_private.ts";
import { runHere, withFolder } from "./run_cli.ts";

/** Answers with the row itself 150 times, as a cache that is cold, and by randomised response at ε = 0.5 from then on. */
const PROGRAM = `let calls = 0;
export default (rows, source) =>
  calls++ < 150 || source.uniform() < 1 / (1 + Math.exp(-0.5)) ? rows[0] : 1 - rows[0];
`;

// Mutants: status 0, or "not-refuted", where later draws do not refute again; verify, or the second run of a suite, that compares the
// audited start with another one, and so uses up the outputs that leak; a suite that forgets what an earlier run refuted.
Deno.test("a program that leaks only at first is refuted by audit, verify, suites and assertPrivate()", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/cold.mjs`, PROGRAM);
    const json = `${folder}/cold.json`,
      read = async (): Promise<Record<string, unknown>> =>
        JSON.parse(await Deno.readTextFile(json));
    const subject = [
      "--module",
      `${folder}/cold.mjs`,
      "--epsilon",
      "1",
      "--relation",
      "replace-one",
    ];
    const run = ["--left", "[0]", "--right", "[1]", "--seed", "1", "--max-draws", "2000"];
    const audited = await runHere(["audit", ...subject, ...run, "--json", json]);
    assertEquals(audited.code, 1, audited.stdout + audited.stderr);
    assertStringIncludes(
      audited.stdout.replaceAll(/\s+/g, " "),
      "The refutation stands: the program changes between draws",
    );
    const { verdict, confirmed, unconfirmed } = await read();
    assertEquals([verdict, confirmed], ["refuted", false]);
    assert((unconfirmed as { eValue: number }).eValue < 100);

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
      const [row] = (await read()).audits as { verdict: string }[];
      assertEquals(row!.verdict, "refuted");
    }
    let calls = 0;
    await assertRejects(
      () =>
        assertPrivate(
          (rows: number[], source: ProgramSource) =>
            calls++ < 150 || source.uniform() < 1 / (1 + Math.exp(-0.5)) ? rows[0] : 1 - rows[0]!,
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
