import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { readColumnDescription } from "../../lib/dp/learners/erm/files/read_column_description.ts";
import { readTableFile } from "../../lib/dp/tables/mod.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { rowsValue } from "../../cli/options/option_values.ts";
import { parseRowSpec } from "../../cli/options/row_spec.ts";
import { runMain } from "./run_main.ts";

const HEADER = "id,age,region,day,job\n";

Deno.test("dpcheck schema drafts from the header and from options, and never from rows", async () => {
  await withFolder(async (folder) => {
    const words = (file: string) => [
      "schema",
      `${folder}/${file}`,
      ...["--number", "age=0..120:1", "--category", "region=north, south"],
      ...["--date", "day=2020-01-01..2026-12-31", "--person", "id", "--groups", "2"],
    ];
    await Deno.writeTextFile(`${folder}/none.csv`, HEADER);
    await Deno.writeTextFile(`${folder}/some.csv`, `${HEADER}7,500,"east,"x\n\n8,,,,,,\n`);
    const none = await runMain(words("none.csv")), some = await runMain(words("some.csv"));
    assertEquals([none.code, some.code], [0, 0]);
    assertEquals(some.out, none.out);
    const draft = JSON.parse(none.out);
    assertEquals(draft.columns, {
      age: { type: "number", lower: 0, upper: 120, step: 1 },
      region: { type: "category", values: ["north", "south"] },
      day: { type: "date", lower: "2020-01-01", upper: "2026-12-31" },
      job: { type: "text" },
    });
    assertEquals([draft.unit, draft.contributions], [{ person: "id" }, { groups: 2, rows: 1 }]);
    readTableFile(draft);
    assertStringIncludes(none.err, "drafted as texts");
    assert(!none.err.includes("--person"));
    const ofRows = await runMain(["schema", `${folder}/none.csv`]);
    assertStringIncludes(ofRows.err, "--person COLUMN");
  });
});

// Mutants: columns of an earlier draft that are lost; an earlier draft that wins over an option.
Deno.test("dpcheck schema keeps what an earlier draft declares, and writes over no other file", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/rows.csv`, out = `${folder}/schema.json`;
    await Deno.writeTextFile(file, HEADER);
    const draft = async (...words: string[]): Promise<Record<string, unknown>> => {
      const { code, err } = await runMain(["schema", file, "--out", out, ...words]);
      assertEquals(code, 0, err);
      return JSON.parse(await Deno.readTextFile(out));
    };
    await draft("--number", "age=0..120:1", "--person", "id", "--groups", "2", "--epsilon", "3");
    const later = await draft("--category", "region=north,south", "--rows", "4");
    assertEquals(later, {
      $schema: later["$schema"],
      columns: {
        age: { type: "number", lower: 0, upper: 120, step: 1 },
        region: { type: "category", values: ["north", "south"] },
        day: { type: "text" },
        job: { type: "text" },
      },
      unit: { person: "id" },
      contributions: { groups: 2, rows: 4 },
      relation: "add-remove-one",
      limit: { epsilon: 3 },
    });
    const { columns } = await draft("--number", "age=0..99") as { columns: { age: unknown } };
    assertEquals(columns.age, { type: "number", lower: 0, upper: 99 });
    // Mutant: a limit of ρ beside one of ε.
    const { limit, ...rest } = later;
    assertEquals(limit, { epsilon: 3 });
    await Deno.writeTextFile(out, JSON.stringify({ ...rest, limit: { rho: 0.5 } }));
    assertEquals((await draft()).limit, { rho: 0.5 });
    assertEquals((await draft("--epsilon", "2")).limit, { epsilon: 2 });
    await Deno.writeTextFile(out, "my notes");
    const { code, err } = await runMain(["schema", file, "--out", out]);
    assertEquals([code, await Deno.readTextFile(out)], [2, "my notes"]);
    assertStringIncludes(err, "name another file");
  });
});

Deno.test("dpcheck schema refuses what it cannot draft, with the form and the column that is meant", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/rows.csv`;
    await Deno.writeTextFile(file, HEADER);
    for (
      const [words, says] of [
        [["--number", "age=0-120"], "COLUMN=A..B"],
        [["--number", "ages=0..1"], "did you mean age?"],
        [["--number", "age=5..5"], "lower"],
        [["--date", "day=2020-02-30..2021-01-01"], "year-month-day"],
        [["--number", "age=0..1", "--text", "age"], "once"],
        [["--rows", "3"], "--person"],
        [["--relation", "add-one"], "relation"],
        [["--epsilon", "all"], "--epsilon"],
        [["--out", file], "overwrite"],
      ] as const
    ) {
      const { code, err } = await runMain(["schema", file, ...words]);
      assertEquals(code, 2, err);
      assertStringIncludes(err, says);
    }
    assertEquals((await runMain(["schema", `${folder}/absent.csv`])).code, 2);
  });
});

const FILE = {
  columns: {
    age: { type: "number", lower: 0, upper: 99, step: 1, missing: 40 },
    pay: { type: "number", lower: 0, upper: 1000, scale: "log", edges: [10, 100] },
    region: { type: "category", values: ["north", 3, true], unseen: 3 },
    day: { type: "date", lower: "2020-01-01", upper: "2020-01-11" },
    job: { type: "text" },
    ill: { type: "category", values: ["no", "yes"] },
  },
  unit: { person: "id" },
  label: "ill",
};

/** Calls `use` with the name of a file that has this JSON. */
function withFile(json: unknown, use: (file: string) => void): void {
  const file = Deno.makeTempFileSync({ suffix: ".json" });
  try {
    Deno.writeTextFileSync(file, JSON.stringify(json));
    use(file);
  } finally {
    Deno.removeSync(file);
  }
}

Deno.test("one schema serves learners, in the words of both versions alike, and audits", () => {
  const former = {
    columns: [
      { name: "age", type: "number", min: 0, max: 99, whole: true, missing: 40 },
      { name: "pay", type: "number", min: 0, max: 1000, scale: "log", edges: [10, 100] },
      { name: "region", type: "category", values: ["north", "3", "true"], unseen: "3" },
    ],
    label: { name: "ill", classes: ["no", "yes"] },
  };
  assertEquals(readColumnDescription(FILE), readColumnDescription(former));
  assertEquals(parseRowSpec(FILE), {
    type: "record",
    fields: {
      age: { type: "integer", min: 0, max: 99 },
      pay: { type: "number", min: 0, max: 1000 },
      region: { type: "category", values: ["north", 3, true] },
      day: { type: "category", values: ["2020-01-01", "2020-01-06", "2020-01-11"] },
      job: { type: "text", length: "0..8" },
      ill: { type: "category", values: ["no", "yes"] },
    },
  });
  withFile(FILE, (file) => assertEquals(rowsValue(file).value, FILE));
  assertThrows(() => rowsValue("none.json"), Error, "dpcheck schema");
  assertEquals(
    parseRowSpec({
      type: "vector",
      length: 2,
      of: { type: "number", lower: 0, upper: 3, step: 1 },
    }),
    parseRowSpec({ type: "vector", length: 2, of: { type: "integer", min: 0, max: 3 } }),
  );
});

Deno.test("readTableFile() says which part is wrong, and the word that is meant", () => {
  const says = (json: unknown): string => {
    try {
      readTableFile(json);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("was not refused");
  };
  const column = (more: object): unknown => ({ columns: { age: more } });
  assertStringIncludes(says(column({ type: "number", min: 0, max: 1 })), "did you mean lower?");
  assertStringIncludes(says(column({ type: "number", lower: 0 })), "age: upper must be a number");
  const proto = JSON.parse('{"columns":{"__proto__":{"type":"text"}}}');
  assertStringIncludes(says(proto), "no column may be named __proto__");
  // A field that is left out would not be judged.
  const field = JSON.parse(
    '{"type":"vector","length":1,"of":{"type":"record","fields":{"__proto__":{"type":"boolean"}}}}',
  );
  assertThrows(() => parseRowSpec(field), RangeError, "no field may be named __proto__");
  assertStringIncludes(
    says(column({ type: "integer", lower: 0, upper: 1 })),
    'type must be "number", "date"',
  );
  assertStringIncludes(says(column({ type: "numbr", lower: 0, upper: 1 })), "did you mean number?");
  assertStringIncludes(says({ ...FILE, labels: "ill" }), "did you mean label?");
  assertStringIncludes(says({ ...FILE, label: "age" }), "label");
  assertStringIncludes(says({ ...FILE, unit: "rows" }), "unit");
  assertStringIncludes(
    says({ ...FILE, unit: "row", contributions: { groups: 1, rows: 1 } }),
    "person",
  );
  assert(!says(column({ type: "number", lower: 5, upper: 1 })).includes("undefined"));
});

Deno.test("dpcheck train reads the schema of a table, and names the new words of a former one", async () => {
  await withFolder(async (folder) => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i % 90},${i % 2 ? "yes" : "no"}`);
    await Deno.writeTextFile(`${folder}/rows.csv`, ["age,ill", ...rows].join("\n"));
    const age = { type: "number", lower: 0, upper: 99 };
    const schemas = {
      now: { columns: { age, ill: { type: "category", values: ["no", "yes"] } } },
      before: {
        columns: [{ name: "age", type: "number", min: 0, max: 99 }],
        label: { name: "ill", classes: ["no", "yes"] },
      },
    };
    for (const [name, schema] of Object.entries(schemas)) {
      await Deno.writeTextFile(`${folder}/${name}.json`, JSON.stringify(schema));
      const { code, err } = await runMain(
        `train --data ${folder}/rows.csv --columns ${folder}/${name}.json --label ill --learner huber-svm --epsilon 1 --out ${folder}/m.json`
          .split(" "),
      );
      assertEquals(code, 0, err);
      assertEquals(err.includes("lower for min"), name === "before");
      assertEquals(
        (await runMain(`predict --model ${folder}/m.json --data ${folder}/rows.csv`.split(" ")))
          .code,
        0,
      );
    }
  });
});
