import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseQuestion } from "../../cli/options/parse_question.ts";
import { cliCommand, withFolder } from "../end_to_end/run_cli.ts";
import { runMain } from "./run_main.ts";

const REGIONS = ["north", "east", "south"];

/** A survey of persons, and its schema as dpcheck schema drafts it. */
async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const rows = Array.from({ length: 3000 }, (_, i) => `${i},${20 + i % 50},${REGIONS[i % 3]}`);
    await Deno.writeTextFile(`${folder}/rows.csv`, ["id,age,region", ...rows].join("\n"));
    const words = ["--number", "age=0..120:1", "--category", "region=north,east,south"];
    const { code } = await runMain(
      [
        "schema",
        `${folder}/rows.csv`,
        ...words,
        "--person",
        "id",
        "--out",
        `${folder}/schema.json`,
      ],
    );
    assertEquals(code, 0);
    await test(folder);
  });
}

Deno.test("dpcheck ask answers a day's questions off one ledger, and the rest of it on the next", async () => {
  await inFolder(async (folder) => {
    const ask = (question: string, ...more: string[]) =>
      runMain([
        ...["ask", `${folder}/rows.csv`, question, "--schema", `${folder}/schema.json`],
        ...["--ledger", `${folder}/budget.jsonl`, ...more],
      ]);
    const counts = await ask("count by region", "--epsilon", ".3", "--svg", `${folder}/a.svg`);
    assertEquals([counts.code, counts.err], [0, ""]);
    assertStringIncludes(counts.out, "All 3 intervals hold at once");
    assertStringIncludes(counts.out, "0.7-DP");
    assertStringIncludes(await Deno.readTextFile(`${folder}/a.svg`), "<svg");
    // Mutant: the answer is paid, and its file refused.
    for (const option of ["--svg", "--csv", "--json"]) {
      const nowhere = await ask("mean age", "--epsilon", ".3", option, `${folder}/none/a`);
      assertEquals([nowhere.code, nowhere.out], [2, ""]);
    }
    const median = await ask("median age", "--epsilon", ".3", "--json", "-");
    const { rows } = JSON.parse(median.out);
    assert(rows[0].lower <= rows[0].value && rows[0].value <= rows[0].upper);
    const mean = await ask("mean age by region where age >= 30", "--epsilon", ".3", "--csv", "-");
    assertEquals(mean.out.split("\n")[0], "region,mean,lower,upper");
    const budget = await runMain(["budget", `${folder}/budget.jsonl`]);
    assertStringIncludes(budget.out, "left 0.1-DP");
    const lines = budget.out.trim().split("\n");
    assertEquals(lines.slice(0, 3).map((line) => line.split("  ").slice(1)), [
      ["0.3-DP", "count by region"],
      ["0.3-DP", "median age"],
      ["0.3-DP", "mean age by region where age >= 30"],
    ]);
    assertEquals(lines.length, 4);
    const { spent } = JSON.parse(
      (await runMain(["budget", `${folder}/budget.jsonl`, "--json", "-"])).out,
    );
    assertEquals(spent[1].for, "median age");
    assert(Date.parse(spent[1].at) > 0);
    // What does not fit any more is refused, and costs nothing.
    const refused = await ask("count", "--epsilon", ".2");
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.err, "0.1-DP");
    assertEquals((await runMain(["budget", `${folder}/budget.jsonl`])).out, budget.out);
  });
});

Deno.test("dpcheck budget reads ledgers of former versions, which do not say for what, and ask spends from them", async () => {
  await inFolder(async (folder) => {
    const ledger = `${folder}/budget.jsonl`;
    const ask = (...more: string[]) =>
      runMain([
        ...["ask", `${folder}/rows.csv`, "count", "--schema", `${folder}/schema.json`],
        ...["--ledger", ledger, "--epsilon", ".25", ...more],
      ]);
    assertEquals((await ask()).code, 0);
    // The same file as it was written before purposes were.
    const [header, spend] = (await Deno.readTextFile(ledger)).trim().split("\n").map((line) =>
      JSON.parse(line)
    );
    assertEquals(spend.for, "count");
    const { for: _, ...before } = spend;
    const former = { ...header, host: "another-machine" };
    await Deno.writeTextFile(ledger, `\n${JSON.stringify(former)}\n${JSON.stringify(before)}`);
    const elsewhere = await ask();
    assertEquals(elsewhere.code, 2);
    assertStringIncludes(elsewhere.err, "--host another-machine");
    assertEquals((await ask("--host", "another-machine")).code, 0);
    const { out } = await runMain(["budget", ledger]);
    assertStringIncludes(out, "0.25-DP  (not written down)\n");
    assertStringIncludes(out, "0.25-DP  count\n");
    assertStringIncludes(out, "left 0.5-DP");
  });
});

Deno.test("processes that ask at once never spend more than there is, and one that is killed has spent", async () => {
  await inFolder(async (folder) => {
    const ask = (epsilon: string, ...more: string[]) =>
      cliCommand([
        ...["ask", `${folder}/rows.csv`, "count by region", "--schema", `${folder}/schema.json`],
        ...["--ledger", `${folder}/budget.jsonl`, "--epsilon", epsilon, ...more],
      ]);
    const runs = await Promise.all([ask(".4").output(), ask(".4").output(), ask(".4").output()]);
    assertEquals(runs.map(({ code }) => code).sort(), [0, 0, 2]);
    const refused = runs.find(({ code }) => code === 2)!;
    assertStringIncludes(new TextDecoder().decode(refused.stderr), "0.2-DP");
    // Its answer has nowhere to go: it is killed where it has paid and said nothing.
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    const killed = ask(".2", "--json", `${folder}/pipe`).spawn();
    let isOver = false;
    const ended = killed.output().finally(() => isOver = true);
    const lines = async (): Promise<number> =>
      (await Deno.readTextFile(`${folder}/budget.jsonl`)).split('"spend"').length;
    for (const before = await lines(); await lines() === before && !isOver;) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    killed.kill("SIGKILL");
    assertEquals((await ended).signal, "SIGKILL");
    const { out } = await runMain(["budget", `${folder}/budget.jsonl`]);
    assertStringIncludes(out, "left 0-DP");
  });
});

Deno.test("dpcheck ask refuses what is wrong before it is paid, with the remedy", async () => {
  await inFolder(async (folder) => {
    const schema = JSON.parse(await Deno.readTextFile(`${folder}/schema.json`));
    const ask = (question: string, file = "schema.json") =>
      runMain([
        ...["ask", `${folder}/rows.csv`, question, "--schema", `${folder}/${file}`],
        ...["--ledger", `${folder}/budget.jsonl`, "--epsilon", ".5"],
      ]);
    for (
      const [question, says] of [
        ["meen age", "did you mean mean?"],
        ["mean agee", "did you mean age?"],
        ["mean", '"mean age"'],
        ["count by regions", "did you mean region?"],
        ["count by age", "bins"],
        ["count where region = 'nort'", "did you mean north?"],
        ["count where agee > 3", "did you mean age?"],
        ["ratio age", "two columns"],
        ["quantiles of age", "levels"],
        ["top by region", "top 5"],
        ["", "begin with"],
        ["average age", "did you mean mean?"],
        ["how many by region", "did you mean count?"],
        ["count per region", '"count by region'],
        ["mean age for region", '"mean age by region"'],
        ["count by age", "dpcheck schema"],
      ] as const
    ) {
      const { code, err } = await ask(question);
      assertEquals(code, 2, `${question}: ${err}`);
      assertStringIncludes(err, says);
    }
    // A column that the schema has and the file has not.
    const wider = { ...schema, columns: { ...schema.columns, agee: schema.columns.age } };
    await Deno.writeTextFile(`${folder}/wider.json`, JSON.stringify(wider));
    assertStringIncludes((await ask("mean agee", "wider.json")).err, "did you mean age?");
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assertEquals(names.includes("budget.jsonl"), false);
    assertEquals((await ask("count")).code, 0);
    const rows = { ...schema, unit: "row", contributions: undefined };
    const more = { ...schema, limit: { epsilon: 2 } };
    await Deno.writeTextFile(`${folder}/rows.json`, JSON.stringify(rows));
    await Deno.writeTextFile(`${folder}/more.json`, JSON.stringify(more));
    assertStringIncludes((await ask("count", "rows.json")).err, "give another ledger");
    assertStringIncludes((await ask("count", "more.json")).err, "write the first in the schema");
    await Deno.writeTextFile(`${folder}/other.txt`, "no ledger\n");
    assertEquals((await runMain(["budget", `${folder}/other.txt`])).code, 2);
    const first = ["ask", `${folder}/rows.csv`, "count"];
    for (
      const [more, says] of [
        [[], "dpcheck schema"],
        [["--schema", `${folder}/none.json`], "dpcheck schema"],
        [["--schema", `${folder}/schema.json`], "--ledger budget.jsonl"],
        [
          [
            "--schema",
            `${folder}/schema.json`,
            "--ledger",
            `${folder}/none/b.jsonl`,
            "--epsilon",
            "1",
          ],
          `${folder}/none is not`,
        ],
        [["by", "region"], '"count by region"'],
        [["mean age"], "the file of --question"],
      ] as const
    ) {
      const { code, err } = await runMain([...first, ...more]);
      assertEquals(code, 2, err);
      assertStringIncludes(err, says);
    }
    assertStringIncludes((await runMain([`${folder}/rows.csv`])).err, "dpcheck ask");
    // What is left is nothing, and then?
    assertEquals((await ask("count")).code, 0);
    assertStringIncludes((await ask("count")).err, "costs nothing");
  });
});

// Mutants: the line of every file; at every size; in the place of the answer.
Deno.test("dpcheck ask says once of a large file of Parquet that DuckDB is quicker, and of no other", async () => {
  await withFolder(async (folder) => {
    const bytes = await Deno.readFile(new URL("../dp/learners/erm/rows.parquet", import.meta.url));
    // What is said of the rows stands at the end, where its length is.
    const tail = 8 + new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    await Deno.writeFile(`${folder}/small.parquet`, bytes);
    const large = await Deno.open(`${folder}/large.parquet`, { create: true, write: true });
    await large.write(bytes.subarray(0, -tail));
    await large.seek(2 ** 26, Deno.SeekMode.Start);
    await large.write(bytes.subarray(-tail));
    large.close();
    const schema = {
      columns: { age: { type: "number", lower: 0, upper: 99 } },
      unit: "row",
      limit: { epsilon: 1 },
    };
    await Deno.writeTextFile(`${folder}/schema.json`, JSON.stringify(schema));
    for (
      const [file, engine, said] of [
        ["large", "memory", 1],
        ["small", "memory", 0],
        ["large", "duckdb", 0],
      ] as const
    ) {
      const { code, out, err } = await runMain([
        ...["ask", `${folder}/${file}.parquet`, "mean age", "--schema", `${folder}/schema.json`],
        ...["--ledger", `${folder}/budget.jsonl`, "--epsilon", ".1", "--engine", engine],
      ]);
      assertEquals([code, err.split("--engine duckdb").length - 1], [0, said], err);
      assertStringIncludes(out, "left in");
    }
  });
});

Deno.test("parseQuestion() reads words, quoted names, bins and conditions", () => {
  assertEquals(parseQuestion("mean hours by region, age in 10 where age >= 18 and region = 'by'"), {
    what: "mean",
    column: "hours",
    by: ["region", "age"],
    bins: { age: 10 },
    where: "age >= 18 and region = 'by'",
  });
  assertEquals(parseQuestion('quantiles 0.1, .9 of "hours by week" by day in month'), {
    what: "quantiles",
    levels: [0.1, 0.9],
    column: "hours by week",
    by: ["day"],
    bins: { day: "month" },
  });
  assertEquals(parseQuestion("Top 3 by age in 0, 18, 120"), {
    what: "top",
    groups: 3,
    by: ["age"],
    bins: { age: [0, 18, 120] },
  });
  assertEquals(parseQuestion("mean hours per week", { columns: ["hours per week"] }), {
    what: "mean",
    column: "hours per week",
  });
  assertEquals(parseQuestion("ratio pay per hours"), {
    what: "ratio",
    column: "pay",
    per: "hours",
  });
});
