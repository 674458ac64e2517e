import { assertEquals } from "@std/assert";
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

/** What is wrong with the answer to a wrong use of files in `folder`, with the answer; nothing if it is as it must be. */
async function problemsOf([line, status, ...parts]: WrongUse, folder: string): Promise<string[]> {
  const words = wordsOf(line, folder);
  const { code, err } = await runMain(words);
  const problems = [
    ...(code === status ? [] : [`status ${code} in place of ${status}`]),
    ...(/^dpcheck: .+\n$/.test(err) ? [] : ["not one line"]),
    ...(/\bat .*:\d+:\d+|\[object/.test(err) ? ["a stack trace or an object"] : []),
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
