import { assertEquals } from "@std/assert";
import { FILES, type WrongUse, wrongUses } from "./wrong_uses.ts";
import { runMain } from "./run_main.ts";

/** What is wrong with the answer to a wrong use of files in `folder`, with the answer; nothing if it is as it must be. */
async function problemsOf([line, status, ...parts]: WrongUse, folder: string): Promise<string[]> {
  const words = line.split(" ").map((word) =>
    word.replaceAll("?", " ").replaceAll(
      /\w+\.\w+/g,
      (name) => Object.hasOwn(FILES, name) ? `${folder}/${name}` : name,
    )
  );
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
    const folder = await Deno.makeTempDir();
    try {
      for (const [name, text] of Object.entries(FILES)) {
        await Deno.writeTextFile(`${folder}/${name}`, text);
      }
      const problems: string[] = [];
      for (const use of uses) problems.push(...await problemsOf(use, folder));
      assertEquals(problems, []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
