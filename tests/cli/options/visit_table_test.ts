import { assert, assertEquals, assertRejects } from "@std/assert";
import { BadInput } from "../../../cli/options/bad_input.ts";
import { readTable } from "../../../cli/options/read_table.ts";
import { visitTable } from "../../../cli/options/visit_table.ts";

async function inFile<Value>(
  content: string | Uint8Array,
  use: (file: string) => Promise<Value>,
): Promise<Value> {
  const file = await Deno.makeTempFile({ suffix: ".csv" });
  try {
    await Deno.writeFile(
      file,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
    return await use(file);
  } finally {
    await Deno.remove(file);
  }
}

/** 60,000 rows, about 2 MiB: a name with a comma, a quote and an accent in every seventh. */
function longTable(): { text: string; rows: string[][] } {
  const rows = Array.from({ length: 60_000 }, (_, i) => [
    `${i}`,
    i % 7 === 0 ? `né "${i}", of ${i % 11}` : `plain ${i}`,
    `${(i * 0.37) % 5}`,
  ]);
  const cell = (value: string): string =>
    /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return { text: ["id, name ,x", ...rows.map((row) => row.map(cell).join(","))].join("\n"), rows };
}

// Mutants: text decoded a piece at a time (accents break), rows of one part lost at its end.
Deno.test("visitTable() reads CSV part by part, whatever stands at the ends of parts", async () => {
  const { text, rows } = longTable();
  await inFile(text, async (file) => {
    let parts = 0;
    const seen: (readonly unknown[])[] = [];
    await visitTable({ option: "--data", file }, (part) => {
      parts++;
      assertEquals(part.names, ["id", "name", "x"]);
      seen.push(...part.rows);
    });
    assert(parts > 4, `${parts} parts`);
    assertEquals(seen, rows);
  });
});

Deno.test("readTable() reads a mark of byte order, blank lines, other separators, and tables without rows", async () => {
  const marked = new Uint8Array([
    0xef,
    0xbb,
    0xbf,
    ...new TextEncoder().encode("a;b\r\n1;2\r\n\r\n"),
  ]);
  assertEquals(await inFile(marked, (file) => readTable("--data", file)), {
    names: ["a", "b"],
    rows: [["1", "2"]],
  });
  for (const text of ["a,b", "a,b\n"]) {
    assertEquals(await inFile(text, (file) => readTable("--data", file)), {
      names: ["a", "b"],
      rows: [],
    });
  }
  await inFile("", async (file) => {
    await assertRejects(
      () => readTable("--data", file),
      BadInput,
      "must have a line of column names",
    );
  });
  for (
    const [header, words] of [
      ["\na,b", "must have a line of column names"],
      // Carriage returns alone end no line: all rows are in the first one.
      ["a,b\r1,2\r", "must have a line of column names"],
      ['a,"b', "quotes must be closed in the line of column names"],
      ["a,b, a", "names must all be different"],
    ] as const
  ) {
    await inFile(header + "\nsecret,2\n", async (file) => {
      const error = await assertRejects(() => readTable("--data", file), BadInput, words);
      assert(!error.message.includes("secret"));
    });
  }
});

Deno.test("visitTable() passes on what is thrown for a part, and reads no further", async () => {
  await inFile(longTable().text, async (file) => {
    let parts = 0;
    await assertRejects(
      () =>
        visitTable({ option: "--data", file }, () => {
          parts++;
          throw new RangeError("not this one");
        }),
      RangeError,
      "not this one",
    );
    assertEquals(parts, 1);
  });
  for (const file of ["/no/such/file.csv", "/no/such/file.parquet", "/"]) {
    await assertRejects(
      () => visitTable({ option: "--data", file }, () => {}),
      BadInput,
      `--data ${file} cannot be read`,
    );
  }
});
