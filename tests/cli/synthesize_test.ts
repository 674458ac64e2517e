import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { withFolder } from "../end_to_end/run_cli.ts";
import { runMain } from "./run_main.ts";

const SCHEMA = {
  columns: {
    age: { type: "number", lower: 0, upper: 99, step: 1 },
    colour: { type: "category", values: ["red", "green, deep", "blue"] },
    buys: { type: "category", values: ["no", "yes"] },
  },
  label: "buys",
};

/** 3,000 rows in which red means yes; one names a colour that is not declared. */
function csv(): string {
  const colours = ["red", '"green, deep"', "blue"];
  const lines = Array.from(
    { length: 3000 },
    (_, i) => `${i},${20 + i % 50},${colours[i % 3]},${i % 3 === 0 ? "yes" : "no"}`,
  );
  return ["id,age,colour,buys", ...lines, "3000,4,pink,no", ""].join("\n");
}

/** Runs a test where there are rows and their schema. */
async function inFolder(rows: string, test: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/rows.csv`, rows);
    await Deno.writeTextFile(`${folder}/schema.json`, JSON.stringify(SCHEMA));
    await test(folder);
  });
}

Deno.test("dpcheck synthesize writes rows of the declared columns that keep what pairs of them have", async () => {
  await inFolder(csv(), async (folder) => {
    const files =
      `--data ${folder}/rows.csv --schema ${folder}/schema.json --out ${folder}/out.csv`;
    for (const [options, claim] of [["", "2-DP"], [" --delta 1e-6", "(2, 0.000001)-DP"]] as const) {
      const { code, out, err } = await runMain(
        `synthesize ${files} --epsilon 2 --rows 1000${options}`.split(" "),
      );
      assertEquals([code, err], [0, ""]);
      assertStringIncludes(out, `${claim} (add-remove-one): 1000 rows of 3 columns`);
      const [head, ...lines] = (await Deno.readTextFile(`${folder}/out.csv`)).trim().split("\n");
      assertEquals([head, lines.length], ["age,colour,buys", 1000]);
      assert(lines.every((line) => /^\d{1,2},(red|"green, deep"|blue),(yes|no)$/.test(line)));
      // A third of the rows, nearly all of which mean yes. Noise comes from a secure source: these miss with a probability far below 1e-6.
      const red = lines.filter((line) => line.includes(",red,"));
      assert(red.length > 280 && red.length < 390, `${red.length}`);
      assert(red.filter((line) => line.endsWith("yes")).length > 0.9 * red.length);
    }
  });
});

Deno.test("dpcheck synthesize lists all that is missing, and names the file that is wrong", async () => {
  const bare = await runMain(["synthesize", "--epsilon", "1"]);
  assertEquals(bare.code, 2);
  for (const option of ["--data", "--schema", "--out"]) assertStringIncludes(bare.err, option);
  await inFolder("age\n1\n", async (folder) => {
    const { code, err } = await runMain(
      `synthesize --data ${folder}/rows.csv --schema ${folder}/schema.json --epsilon 1 --out ${folder}/o`
        .split(" "),
    );
    assertEquals(code, 2);
    assertStringIncludes(err, "rows.csv: Cannot read the table: it must have a column colour");
  });
});

// 90% of gains are 0, and bins of one width would spread them over the first: bins are from noisy quantiles. Mutants: persons' second rows
// count; nothing paid; whole numbers between.
Deno.test("dpcheck synthesize pays from the ledger of the table, keeps what many rows have, and counts a person once", async () => {
  await withFolder(async (folder) => {
    const lines = Array.from({ length: 4000 }, (_, i) => {
      const gain = i % 10 === 0 ? 1000 * (i % 97) : 0;
      return `${i},${gain},a\n${i},90000,b`;
    });
    await Deno.writeTextFile(`${folder}/rows.csv`, `id,gain,kind\n${lines.join("\n")}\n`);
    const schema = {
      columns: {
        gain: { type: "number", lower: 0, upper: 100_000, step: 1 },
        kind: { type: "category", values: ["a", "b"] },
      },
      unit: { person: "id" },
      relation: "add-remove-one",
      limit: { epsilon: 5 },
    };
    await Deno.writeTextFile(`${folder}/schema.json`, JSON.stringify(schema));
    const run = (...more: string[]) =>
      runMain([
        ...["synthesize", "--data", `${folder}/rows.csv`, "--schema", `${folder}/schema.json`],
        ...["--ledger", `${folder}/budget.jsonl`, "--out", `${folder}/out.csv`, ...more],
      ]);
    const { code, out, err } = await run("--epsilon", "3", "--bins", "16");
    assertEquals([code, err], [0, ""]);
    assertStringIncludes(out, "3-DP (add-remove-one-person-by-id)");
    assertStringIncludes(out, "bins from noisy quantiles of gain");
    const rows = (await Deno.readTextFile(`${folder}/out.csv`)).trim().split("\n").slice(1);
    // Noise comes from a secure source: these miss with a probability far below 1e-6.
    assert(Math.abs(rows.length - 4000) < 200, `${rows.length}`);
    const share = (form: RegExp) => rows.filter((row) => form.test(row)).length / rows.length;
    assert(share(/^0,/) > 0.8, `${share(/^0,/)}`);
    assert(share(/,a$/) > 0.95 && share(/^\d+,/) === 1);
    assertStringIncludes(
      (await runMain(["budget", `${folder}/budget.jsonl`])).out,
      "synthetic rows",
    );
    const refused = await run("--epsilon", "3");
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.err, "2-DP");
  });
});

// Mutant: the delimiter of the schema ignored.
Deno.test("dpcheck synthesize, train and predict read the delimiter of the schema", async () => {
  await withFolder(async (folder) => {
    const schema = {
      ...SCHEMA,
      columns: { ...SCHEMA.columns, "gain, net": { type: "number", lower: 0, upper: 1000 } },
      unit: "row",
      limit: { epsilon: 2 },
      delimiter: "~",
    };
    await Deno.writeTextFile(`${folder}/schema.json`, JSON.stringify(schema));
    const lines = csv().trim().split("\n").slice(1).filter((line) => !line.includes('"')).map(
      (line) => `${line.replaceAll(",", "~")}~7`,
    );
    await Deno.writeTextFile(
      `${folder}/rows.csv`,
      ["id~age~colour~buys~gain, net", ...lines].join("\n"),
    );
    const { code, err } = await runMain([
      ...["synthesize", "--data", `${folder}/rows.csv`, "--schema", `${folder}/schema.json`],
      ...["--epsilon", "1", "--out", `${folder}/out.csv`],
    ]);
    assertEquals([code, err], [0, ""]);
    const trained = await runMain([
      ...["train", "--data", `${folder}/rows.csv`, "--columns", `${folder}/schema.json`],
      ...["--epsilon", "1", "--out", `${folder}/model.json`],
    ]);
    assertEquals([trained.code, trained.err], [0, ""]);
    const predicted = await runMain([
      ...["predict", "--model", `${folder}/model.json`, "--data", `${folder}/rows.csv`],
      ...["--out", `${folder}/predicted.csv`],
    ]);
    assertEquals([predicted.code, predicted.err], [0, ""]);
  });
});

// Mutant: the ledger pays before the rows are read.
Deno.test("dpcheck synthesize spends nothing of a ledger where the rows of a file cannot be read", async () => {
  await withFolder(async (folder) => {
    const data = await Deno.readFile(new URL("../dp/learners/erm/rows.parquet", import.meta.url));
    // The footer is whole, and the rows are not.
    data.fill(255, 4, 100);
    await Deno.writeFile(`${folder}/torn.parquet`, data);
    for (const bins of [{}, { edges: [30] }]) {
      const schema = {
        columns: { age: { type: "number", lower: 0, upper: 99, ...bins } },
        unit: "row",
        limit: { epsilon: 1 },
      };
      await Deno.writeTextFile(`${folder}/schema.json`, JSON.stringify(schema));
      const { code, err } = await runMain([
        ...["synthesize", "--data", `${folder}/torn.parquet`, "--schema", `${folder}/schema.json`],
        ...["--epsilon", "1", "--ledger", `${folder}/budget.jsonl`, "--out", `${folder}/out.csv`],
      ]);
      assertEquals(code, 2);
      assertStringIncludes(err, "torn.parquet");
      const { out } = await runMain(["budget", `${folder}/budget.jsonl`]);
      assertEquals(out.includes("synthetic rows"), false);
    }
  });
});
