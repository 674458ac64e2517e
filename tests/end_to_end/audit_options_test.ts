import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runHere, withFolder } from "./run_cli.ts";
import { BUDGET, FEW, PAIR, verifyAgain } from "./audited_programs.ts";

Deno.test("dpcheck audit --with-rows puts public rows before every dataset, and its replay and verify do so too", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/classes.js`;
    await Deno.writeTextFile(
      file,
      `export default (rows, source) => {
        if (!rows.includes("a") || !rows.includes("b")) throw new Error("a class is missing");
        const bit = rows.at(-1) === "c";
        return source.uniform() < 0.9 ? bit : !bit;
      };`,
    );
    const search = [
      "--rows",
      '{"type":"category","values":["c","d"]}',
      "--size",
      "1",
      "--relation",
      "replace-one",
    ];
    const words = [
      "--module",
      file,
      "--epsilon",
      "1",
      ...search,
      "--with-rows",
      '["a","b"]',
      ...BUDGET,
    ];
    const run = await runHere(["audit", ...words, "--json", `${folder}/r.json`]);
    assertEquals([run.code, run.stderr], [1, ""]);
    assertStringIncludes(run.stdout, "(beside 2 fixed rows)");
    const { pair, event, replayArguments } = JSON.parse(
      await Deno.readTextFile(`${folder}/r.json`),
    );
    assertEquals([pair.left, pair.right].sort(), [["c"], ["d"]]);
    assert(!event.description.includes("missing"));
    assertEquals((await runHere(["audit", ...replayArguments])).code, 1);
    assertEquals((await runHere(["verify", `${folder}/r.json`, ...FEW])).code, 1);
  });
});

// Mutants: no event for recorded outputs, or one where the claim is refuted only; a name that is two files; old
// outputs taken for fresh ones.
Deno.test("dpcheck audit reads recorded outputs when it is given samples", async () => {
  await withFolder(async (folder) => {
    const bits = (rate: number): string =>
      Array.from({ length: 2000 }, (_, i) => i * rate % 1 < rate ? 1 : 0).join("\n");
    await Deno.writeTextFile(`${folder}/left.csv`, bits(0.9));
    await Deno.writeTextFile(`${folder}/right.ndjson`, bits(0.2));
    const files = [`${folder}/left.csv`, `${folder}/right.ndjson`];
    const words = ["audit", "--epsilon", "1", "--seed", "1", "--samples", ...files];
    const broken = await runHere([...words, "--json", `${folder}/r.json`]);
    assertEquals(broken.code, 1);
    const program = `the program recorded in ${files.join(" and ")}`;
    assertStringIncludes(broken.stdout, `REFUTED  ${program} does not keep its claim of 1-DP`);
    const kept = await runHere(words.with(2, "3"));
    assertEquals(kept.code, 0);
    for (const { stdout } of [broken, kept]) {
      assertMatch(stdout, /\n {2}event {2}output [<>=].*\n.* of 1,000\n.* of 1,000\n/);
      assertStringIncludes(stdout, "Found on one half of the recorded outputs");
    }
    const { left, right } = JSON.parse(await Deno.readTextFile(`${folder}/r.json`)).event;
    assertEquals([left.draws, right.draws], [1000, 1000]);
    assert(Math.abs(left.hits - right.hits) > 500, `${left.hits} and ${right.hits}`);

    // The files as they are say the same again, whatever the seed: no draw would be fresh.
    const verified = await runHere(["verify", `${folder}/r.json`]);
    assertEquals([verified.code, verified.stdout], [2, ""]);
    assertMatch(verified.stderr, /^dpcheck: .*cannot confirm themselves: record new ones.*\n$/);
  });
});

Deno.test("dpcheck audit --except leaves out what was found, and its replay and verify do so too", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/leaks.js`;
    await Deno.writeTextFile(
      file,
      `export default ([bit], source) => {
         if (bit && source.uniform() < 0.3) return "nothing to fit";
         if (!bit && source.uniform() < 0.3) throw new Error("stop and go");
         return source.uniform() < 0.95 ? bit : !bit;
       };`,
    );
    const known = ["output = nothing to fit", "output = stop and go"];
    const words = ["audit", "--module", file, "--epsilon", "1", ...PAIR, ...BUDGET];
    words.push(...known.flatMap((event) => ["--except", event]), "--json", `${folder}/r.json`);
    const run = await runHere(words);
    assertEquals([run.code, run.stderr], [1, ""]);
    assertStringIncludes(run.stdout, `left out: ${known.join("; ")}.`);
    const report = JSON.parse(await Deno.readTextFile(`${folder}/r.json`));
    assertEquals(report.except, known);
    assertMatch(report.event.description, /^output (<=|>|=|!=) /);
    const verified = await verifyAgain(folder);
    assertEquals(verified.code, 1);
    assertEquals(verified.report.except, known);

    // By itself: each leak once, the answer too.
    const all = await runHere(
      ["audit", "--module", file, "--epsilon", "1", ...PAIR, ...BUDGET, "--all", "--json", "-"],
    );
    assertEquals(all.code, 1);
    const { further } = JSON.parse(all.stdout);
    assert(further.findings.length >= 3);
    assertStringIncludes(all.stderr, "Finding 3, besides those before: ");
  });
});
