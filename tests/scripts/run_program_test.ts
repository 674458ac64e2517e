import { assert, assertEquals } from "@std/assert";
import { BENCHMARKS } from "../../bench/main.ts";
import { BUILDS } from "../../scripts/build.ts";

const root = new URL("../../", import.meta.url);
const programs = { bench: BENCHMARKS, build: BUILDS };

/** Runs one program that ends with the status it is given. */
async function run(args: string[]): Promise<{ code: number; text: string }> {
  const ends = "{ about: 'ends', file: 'data:text/javascript,Deno.exit(Number(Deno.args[0]))' }";
  const code = `import { runProgram } from ${
    JSON.stringify(new URL("scripts/run_program.ts", root))
  };
    await runProgram("make", { ends: ${ends} });`;
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", code, ...args],
    cwd: root,
  }).output();
  return { code: output.code, text: new TextDecoder().decode(output.stderr) };
}

Deno.test("every program that a task runs by its name is there", async () => {
  for (const [name, { file }] of Object.values(programs).flatMap(Object.entries)) {
    assert((await Deno.stat(new URL(file, root))).isFile, name);
  }
});

// Mutant: a benchmark under a name that it has no more.
Deno.test("the pages name benchmarks and builds that are there", async () => {
  const { stdout } = await new Deno.Command("git", {
    args: ["grep", "-hoE", "deno(@[0-9.]+)? task (bench|build) [a-z-]+"],
    cwd: root,
  }).output();
  const named = new TextDecoder().decode(stdout).trim().split("\n");
  assert(named.length > 30, `${named.length} names`);
  const unknown = named.filter((text) => {
    const [task, name] = text.split(" ").slice(-2) as [keyof typeof programs, string];
    return !Object.hasOwn(programs[task], name);
  });
  assertEquals(unknown, []);
});

Deno.test("without a name the programs are listed, and an unknown one is wrong use", async () => {
  const text = "Usage: deno task make NAME [ARGUMENTS]\n\n  ends  ends\n";
  assertEquals(await run([]), { code: 0, text });
  assertEquals(await run(["nothing"]), { code: 2, text });
});

Deno.test("a program gets the other arguments, and its exit status is the task's", async () => {
  assertEquals(await run(["ends", "0"]), { code: 0, text: "" });
  assertEquals(await run(["ends", "3"]), { code: 3, text: "" });
});
