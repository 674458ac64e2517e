import { assert, assertEquals, assertRejects } from "@std/assert";
import { readSamples } from "../../../../../lib/judge/audit/subjects/recorded/read_samples.ts";

/** Reads the text (or bytes) through a file of that ending. */
async function read(ending: string, content: string | Uint8Array): Promise<unknown> {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/samples${ending}`;
  try {
    if (typeof content === "string") await Deno.writeTextFile(file, content);
    else await Deno.writeFile(file, content);
    return await readSamples(file);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function block(width: number, ...values: number[]): unknown {
  return { kind: "block", width, values: Float64Array.from(values) };
}

const fixtures = new URL("../../../../../fixtures/judge/datasets/", import.meta.url).pathname;

Deno.test("readSamples() reads a JSON value a line", async () => {
  for (const ending of [".ndjson", ".jsonl", ".json"]) {
    assertEquals(await read(ending, "1\n2.5\r\n\n-3e2"), block(1, 1, 2.5, -300));
  }
  assertEquals(await read(".ndjson", "[1,2]\n[3,4]\n"), block(2, 1, 2, 3, 4));
  assertEquals(await read(".ndjson", '"a"\nnull\n{"b":[1]}\n'), {
    kind: "values",
    values: ["a", null, { b: [1] }],
  });
});

Deno.test("readSamples() reads CSV: a column gives scalars, several give arrays", async () => {
  assertEquals(await read(".csv", "1\n2\n-inf\n"), block(1, 1, 2, -Infinity));
  assertEquals(await read(".csv", "1,NaN\n2,+Infinity\n"), block(2, 1, NaN, 2, Infinity));
  assertEquals(await read(".csv", '"a, b"\n0x10\n"say ""c"""\n'), {
    kind: "values",
    values: ["a, b", "0x10", 'say "c"'],
  });
  assertEquals(await read(".CSV", "1,yes\n2\n"), { kind: "values", values: [[1, "yes"], [2]] });
});

Deno.test("readSamples() takes the first CSV row for a header only where the second has a number", async () => {
  assertEquals(await read(".csv", "score\n1\n2\n"), block(1, 1, 2));
  assertEquals(await read(".csv", "\uFEFFa,b\n1,x\n"), { kind: "values", values: [[1, "x"]] });
  assertEquals(await read(".csv", "yes\nno\n1\n"), { kind: "values", values: ["yes", "no", 1] });
  assertEquals(await read(".csv", "5,a\n6,7\n"), block(2, 6, 7));
});

Deno.test("readSamples() reads Parquet: a column gives values, several give records", async () => {
  assertEquals(await readSamples(`${fixtures}doubles.parquet`), block(1, 0.5, -1.25, 3, 1e300));
  assertEquals(await readSamples(`${fixtures}records.parquet`), {
    kind: "values",
    values: [
      { count: 1, answer: "yes" },
      { count: 2, answer: "no" },
      // Beyond 2⁵³ an integer stays a bigint: as a number it would be another one.
      { count: 9007199254740993n, answer: "yes" },
    ],
  });
});

Deno.test("readSamples() reads each of them gzipped", async () => {
  const zip = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
    await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip")))
      .bytes();
  const text = new TextEncoder().encode("1\n2\n");
  assertEquals(await read(".ndjson.gz", await zip(text)), block(1, 1, 2));
  assertEquals(await read(".csv.gz", await zip(text)), block(1, 1, 2));
  const parquet = await zip(await Deno.readFile(`${fixtures}doubles.parquet`));
  assertEquals(await read(".parquet.gz", parquet), block(1, 0.5, -1.25, 3, 1e300));
  await assertRejects(() => read(".csv.gz", parquet.subarray(0, 20)), RangeError, "whole gzip");
});

Deno.test("readSamples() names the file and line that it cannot read, and never their text", async () => {
  const cases: [string, string | Uint8Array, string][] = [
    [".ndjson", '1\n\n{"secret":', "samples.ndjson: line 3 must be one JSON value"],
    [".ndjson", "secret", "line 1 must be one JSON value"],
    [".csv", '1\n2\n"secret', "row 3"],
    [".csv", "", "at least one output"],
    [".ndjson", "\n \n", "at least one output"],
    [".csv", Uint8Array.of(0xff, 0xfe, 0x31), "UTF-8"],
    [".parquet", "secret", "Parquet file"],
    [".csv.gz", "secret", "whole gzip"],
    [".txt", "secret", "its name must end in"],
  ];
  for (const [ending, content, message] of cases) {
    const error = await assertRejects(() => read(ending, content), RangeError, message);
    assert(!error.message.includes("secret"));
  }
  await assertRejects(() => readSamples("nowhere.csv"), RangeError, "the file must exist");
});
