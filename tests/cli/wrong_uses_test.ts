import { assertEquals } from "@std/assert";
import process from "node:process";
import { main } from "../../cli/main.ts";
import { FILES, type WrongUse, wrongUses } from "./wrong_uses.ts";

/** Runs the command line in this process, and keeps what goes to standard error; reports of failed audits are not looked at. */
async function run(words: readonly string[]): Promise<{ code: number; err: string }> {
  const { log, error } = console, { write } = process.stdout;
  let err = "";
  console.log = (): void => {};
  console.error = (...texts: unknown[]): void => void (err += `${texts.join(" ")}\n`);
  process.stdout.write = () => true;
  try {
    return { code: await main(words), err };
  } finally {
    Object.assign(console, { log, error });
    process.stdout.write = write;
  }
}

/** What is wrong with the answer to a wrong use, with the answer; nothing if it is as it must be. */
async function problemsOf([line, status, ...parts]: WrongUse): Promise<string[]> {
  const words = line.split(" ").map((word) => word.replaceAll("?", " "));
  const { code, err } = await run(words);
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
    const home = Deno.cwd(), folder = await Deno.makeTempDir();
    try {
      for (const [name, text] of Object.entries(FILES)) {
        await Deno.writeTextFile(`${folder}/${name}`, text);
      }
      Deno.chdir(folder);
      const problems: string[] = [];
      for (const use of uses) problems.push(...await problemsOf(use));
      assertEquals(problems, []);
    } finally {
      Deno.chdir(home);
      await Deno.remove(folder, { recursive: true });
    }
  });
}
