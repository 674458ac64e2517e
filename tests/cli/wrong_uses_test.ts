import { assertEquals } from "@std/assert";
import { errorsPage } from "../../cli/output/errors_page.ts";
import { ERROR_CODES, errorCodeOf } from "../../cli/output/error_codes.ts";
import { FILES, oddRows, type WrongUse, wrongUses } from "./wrong_uses.ts";
import { runMain } from "./run_main.ts";

/** The words of a command line about files in `folder`, where it writes a model too. */
function wordsOf(line: string, folder: string): string[] {
  return line.split(" ").map((word) =>
    word.replaceAll("?", " ").replaceAll(
      /\w+\.\w+/g,
      (name) => Object.hasOwn(FILES, name) || name === "model.json" ? `${folder}/${name}` : name,
    )
  );
}

const CODES = new Set(ERROR_CODES.map(({ code }) => code));

/** What is wrong with the answer to a wrong use of files in `folder`, with the answer; nothing if it is as it must be. */
async function problemsOf([line, status, ...parts]: WrongUse, folder: string): Promise<string[]> {
  const words = wordsOf(line, folder);
  const { code, err } = await runMain(words);
  const problems = [
    ...(code === status ? [] : [`status ${code} in place of ${status}`]),
    ...(/^dpcheck: .+\n$/.test(err) ? [] : ["not one line"]),
    ...(/\bat .*:\d+:\d+|\[object/.test(err) ? ["a stack trace or an object"] : []),
    ...(CODES.has(/ \[([\w-]+)\]\n$/.exec(err)?.[1] ?? "") ? [] : ["no code that is known"]),
    ...parts.filter((part) => !err.includes(part)).map((part) => `${part} is not said`),
  ];
  return problems.length === 0 ? [] : [`dpcheck ${line}: ${problems.join(", ")}: ${err}`];
}

for (const [kind, uses] of Object.entries(wrongUses)) {
  Deno.test(`wrong uses are answered by one sentence and status 2 or 3: ${kind}`, async () => {
    await withFiles(async (folder) => {
      const problems: string[] = [];
      for (const use of uses) problems.push(...await problemsOf(use, folder));
      assertEquals(problems, []);
    });
  });
}

// Mutants: an order in which a wide kind stands before a narrow one; a page that was not written again.
Deno.test("each error code fits its own example, and docs/errors.md and explain say them all", async () => {
  for (const { code, example, status } of ERROR_CODES) {
    assertEquals([example, errorCodeOf(example, status)?.code], [example, code]);
    const { code: ended, out } = await runMain(["explain", code]);
    assertEquals([ended, out.startsWith(`${code}: when `)], [0, true]);
  }
  assertEquals(CODES.size, ERROR_CODES.length);
  // The kind has the status that the command ends with, whatever words of others are in the message.
  assertEquals(errorCodeOf("http://a/b: must be a file: it is a folder", 2)?.status, 2);
  assertEquals(errorCodeOf("python3 must.py hung: it needs 60 s", 3)?.code, "program-hung");
  assertEquals(errorCodeOf("the environment has no such variable", 2)?.status, 2);
  const page = await Deno.readTextFile(new URL("../../docs/errors.md", import.meta.url));
  assertEquals(page, errorsPage(), "deno task build errors writes it");
  const { code, err } = await runMain(["explain", "program-crahed"]);
  assertEquals([code, err.includes("did you mean program-crashed?")], [2, true]);
});

// Mutant: a row refused, which tells that it is there.
Deno.test("dpcheck train refuses no row, whatever it holds", () =>
  withFiles(async (folder) => {
    for (const line of oddRows) {
      const { code, err } = await runMain(wordsOf(line, folder));
      assertEquals({ code, err }, { code: 0, err: "" }, line);
    }
  }));

async function withFiles(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(FILES)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
