import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { addRemoveOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { csvRows, parquetRows, type Row, table } from "../../../lib/dp/tables/mod.ts";

const root = new URL("../../../", import.meta.url);

/** Four thousand persons. */
function survey(): string {
  const source = new SeededSource("survey");
  const one = <T>(values: readonly T[]): T =>
    values[randomInteger(source, { below: values.length })]!;
  const jobs = ["teacher", "nurse", "driver", "clerk", "cook", "farmer", '"smith, gold"'];
  const lines = Array.from({ length: 4000 }, (_, i) =>
    [
      one(["school", "school", "college", "university"]),
      one(["north", "east", "east", "south", "west"]),
      18 + randomInteger(source, { below: 40 }) + randomInteger(source, { below: 35 }),
      20 + randomInteger(source, { below: 30 }),
      i % 50 === 0
        ? `only one ${i}`
        : jobs[Math.min(randomInteger(source, { below: 7 }), randomInteger(source, { below: 9 }))],
    ].join(","));
  return ["education,region,age,hours,job", ...lines].join("\r\n");
}

/** Lines without their numbers, which are noise, and without the lines of keys that depend on them. */
const form = (text: string): string[] =>
  text.trim().split("\n").map((line) =>
    line.replaceAll(/-?\d[\d.]*/g, "#").replaceAll(/ +/g, " ").trimEnd()
  );

// Mutants: an output of the page that the program no longer prints; a budget that each process has for itself.
Deno.test("docs/tables.md shows a day that runs, and what it prints", async () => {
  const page = await Deno.readTextFile(new URL("docs/tables.md", root));
  const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  const [program, printed] = ["ts", "text"].map((language) =>
    blocks.find((block) => block[1] === language)![2]!
  );
  // Imports, what is public, and what is asked.
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/survey.csv`, survey());
    await Deno.writeTextFile(`${folder}/day.ts`, program!);
    const day = async (): Promise<readonly [success: boolean, printed: string, error: string]> => {
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--quiet",
          "--no-check",
          "--allow-read",
          "--allow-write",
          "--allow-sys=hostname",
          "--config",
          new URL("deno.json", root).pathname,
          "day.ts",
        ],
        cwd: folder,
        env: { NO_COLOR: "1" },
      }).output();
      const [printed, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      return [success, printed!, error!];
    };
    const [isDone, text, error] = await day();
    assert(isDone, error);
    assertEquals(form(text), form(printed!));
    // Nothing is left of the budget for another process.
    const [isDoneAgain, nothing, refusal] = await day();
    assertEquals([isDoneAgain, nothing], [false, ""]);
    assertStringIncludes(refusal, "Cannot spend: the claim must fit what is left of the budget");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("csvRows() reads a file in pieces as it reads it whole, with quotes and what stands between cells in cells", async () => {
  const file = await Deno.makeTempFile();
  try {
    const cells = Array.from(
      { length: 30_000 },
      (_, i) => [`${i}`, i % 3 === 0 ? `a "quoted"\nline, ${i}` : `plain ü ${i}`, "x"],
    );
    const quote = (cell: string): string => ` "${cell.replaceAll('"', '""')}" `;
    // Lines end as the line of names does: a line feed alone is then a part of its cell.
    await Deno.writeTextFile(
      file,
      "\ufeffid, text,rest\r\n" + cells.map((row) => row.map(quote).join(",")).join("\r\n"),
    );
    const read = async (options = {}): Promise<Row[]> =>
      await Array.fromAsync(csvRows(file, options));
    assertEquals(await read(), cells.map(([id, text, rest]) => ({ id, text, rest })));
    assertEquals(await csvRows(file).columns(), ["id", "text", "rest"]);
    await Deno.writeTextFile(file, "a;b\n1;2;3\n\n4 \r\n 5,5; x y \n");
    assertEquals(await read(), [{ a: "1", b: "2" }, { a: "4", b: undefined }, {
      a: "5,5",
      b: "x y",
    }]);
    await Deno.writeTextFile(file, "a,b,c;d\n1;2\n");
    assertEquals(await read({ delimiter: ";" }), [{ "a,b,c": "1", d: "2" }]);
    // The only cell of a row may be empty.
    await Deno.writeTextFile(file, 'age\n31\n\n"44"\n');
    assertEquals(await read(), [{ age: "31" }, { age: "" }, { age: "44" }]);
    // A quote is text within a cell, and where no other closes it before what ends a cell.
    const cases: readonly (readonly [string, string, string])[] = [
      ['5" pipe,"two, three"', '5" pipe', "two, three"],
      ['"open,b', '"open', "b"],
      ['"a" b,"c', '"a" b', '"c'],
      ['"a""b","', 'a"b', '"'],
      ['"","""', "", '"""'],
    ];
    await Deno.writeTextFile(file, ["size,text", ...cases.map(([line]) => line)].join("\n"));
    assertEquals(await read(), cases.map(([, size, text]) => ({ size, text })));
    await Deno.writeTextFile(file, "");
    await assertRejects(() => read(), RangeError, "must have a line of column names");
    assertThrows(() => csvRows(file, { delimiter: '"' }), RangeError, "delimiter must be");
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("parquetRows() reads the rows of a file", async () => {
  const file = (name: string): string =>
    new URL(`fixtures/judge/datasets/${name}.parquet`, root).pathname;
  const counts = await Array.fromAsync(parquetRows(file("records")), ({ answer }) => answer);
  assertEquals(counts, ["yes", "no", "yes"]);
  const survey = table(() => parquetRows(file("doubles")), {
    columns: { output: { type: "number", lower: -8, upper: 8 } },
    unit: "row",
    relation: addRemoveOne,
    budget: { epsilon: 1e9 },
  });
  const { rows } = await survey.sum("output", { epsilon: 1e8 });
  assertAlmostEquals(rows[0]!.value, 0.5 - 1.25 + 3 + 8, 1e-3);
});
