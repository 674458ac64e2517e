import { existsSync } from "node:fs";
import { basename } from "node:path";
import { MISSING_PROGRAMS, type MissingProgram } from "../scripts/missing_program.ts";
import { quoteWord } from "../lib/judge/audit/subjects/process/split_command.ts";

/**
 * Whether a command runs here and ends with status 0. Where it does not, what it would have tested is said: at the end of
 * `deno task test`, or at once where a file of tests runs alone.
 */
export async function hasProgram(words: readonly string[], tests: string): Promise<boolean> {
  const program = await missing(words);
  if (program !== undefined) await sayMissing({ program, tests });
  return program === undefined;
}

async function sayMissing(found: MissingProgram): Promise<void> {
  const file = Deno.env.get(MISSING_PROGRAMS);
  if (file === undefined) console.log(`ignored without ${found.program}: ${found.tests}`);
  else await Deno.writeTextFile(file, `${JSON.stringify(found)}\n`, { append: true });
}

/** Defines tests that need a command: they are ignored where it does not run. */
export async function testsWith(
  words: readonly string[],
  tests: string,
): Promise<(name: string, fn: () => void | Promise<void>) => void> {
  const ignore = !await hasProgram(words, tests);
  return (name, fn) => Deno.test({ name, ignore, fn });
}

/** The first of these programs that is here; where none is, what it would have tested is said. */
export async function firstProgram(
  programs: readonly string[],
  tests: string,
): Promise<string | undefined> {
  for (const program of programs) {
    if (await missing([program, "--version"]) === undefined) return program;
  }
  await sayMissing({ program: programs[0]!, tests });
  return undefined;
}

/** The first of these files that is here, of a program that does not say its version; where none is, what it would have tested is said. */
export async function firstFile(
  paths: readonly string[],
  tests: string,
): Promise<string | undefined> {
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) await sayMissing({ program: basename(paths[0]!), tests });
  return found;
}

/** The name of a program that cannot be started, or the words of a command that fails. */
async function missing([program, ...args]: readonly string[]): Promise<string | undefined> {
  try {
    // It throws, and gives no promise, where the program is not found.
    const run = new Deno.Command(program!, { args, stdin: "null", stdout: "null", stderr: "null" });
    return (await run.output()).success ? undefined : [program!, ...args].map(quoteWord).join(" ");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return program;
    throw error;
  }
}
