import { assertEquals, assertThrows } from "@std/assert";
import { BadInput } from "../../../cli/options/bad_input.ts";
import { entryWords } from "../../../cli/entries/entry_words.ts";
import { parseSuite } from "../../../cli/suite/read_suite.ts";
import { suiteSchemaText, tableSchemaText } from "../../../cli/entries/suite_schema.ts";

const one = { name: "one", mechanism: "laplace", epsilon: 1 };

const wrong: [suite: unknown, part: string][] = [
  [{ audits: [] }, "audits: must have 1 or more entries"],
  [{ audits: 3 }, "audits: must be an array"],
  [{ audits: [{ ...one, maxDraws: "9" }] }, "audits.0.maxDraws: must be a number"],
  [{ audit: [one], audits: [one] }, "did you mean audits?"],
  [{ audits: [{ ...one, epsilom: 1 }] }, "audits.0: unknown key epsilom; did you mean epsilon?"],
  [{ audits: [{ ...one, mechanism: "laplac" }] }, "no mechanism laplac; did you mean laplace?"],
  [{ audits: [{ ...one, exec: "cat" }] }, "give one subject"],
  [{ audits: [{ name: "none", epsilon: 1 }] }, "give one subject"],
  [{ audits: [one, one] }, "its name must stand once"],
  [{ audits: [{ ...one, epsilon: 0 }] }, "audits.0.epsilon: must be above 0"],
  [{ audits: [{ ...one, expect: "private" }] }, "audits.0.expect: must be not-refuted or refuted"],
  [{ error: "false-discovery-rate", audits: [{ ...one, share: 2 }] }, "share goes with"],
  [{ alpha: 1, audits: [one] }, "alpha"],
];

for (const [suite, part] of wrong) {
  Deno.test(`a suite is refused by one sentence: ${part}`, () => {
    const error = assertThrows(() => parseSuite(JSON.stringify(suite), "s.json"), BadInput, part);
    assertEquals(error.message.includes("\n"), false);
  });
}

Deno.test("a byte order mark before a suite is no part of it", () => {
  assertEquals(parseSuite(`\uFEFF${JSON.stringify({ audits: [one] })}`, "s.json").audits, [one]);
});

Deno.test("numbers that a double cannot hold are refused", () => {
  const text = `{"audits":[{"name":"a","exec":"cat","left":9007199254740993,"right":1}]}`;
  assertThrows(() => parseSuite(text, "s.json"), BadInput, "9007199254740993");
});

Deno.test("an entry becomes the words of an audit", () => {
  const { audits } = parseSuite(
    JSON.stringify({
      audits: [{ ...one, left: false, right: [-1], maxDraws: 5, bits: true, except: ["a", "b"] }],
    }),
    "s.json",
  );
  assertEquals(entryWords(audits[0]!).sort(), [
    "--bits",
    "--epsilon=1",
    "--except=a",
    "--except=b",
    "--left=false",
    "--max-draws=5",
    "--mechanism=laplace",
    "--right=[-1]",
  ]);
});

Deno.test("docs/dpcheck.schema.json and docs/table.schema.json are current: deno task build schema writes them", () => {
  const docs = new URL("../../../docs/", import.meta.url);
  const forms = {
    "dpcheck.schema.json": suiteSchemaText(),
    "table.schema.json": tableSchemaText(),
  };
  for (const [name, text] of Object.entries(forms)) {
    assertEquals(JSON.parse(Deno.readTextFileSync(new URL(name, docs))), JSON.parse(text));
  }
});
