import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pathToFileURL } from "node:url";
import { longTest } from "../long.ts";

/** Tests of which the first passes only in one isolate with the second, and a module that is no test. */
const FILES: Readonly<Record<string, string>> = {
  "a/b/first_test.ts": `globalThis.loaded = (globalThis.loaded ?? 0) + 1;
    Deno.test("first", () => {
      if (globalThis.loaded !== 2) throw new Error("not with the other");
    });`,
  "a/b/below/second_test.ts": `globalThis.loaded = (globalThis.loaded ?? 0) + 1;
    Deno.test("second", () => {
      throw new Error("it always fails");
    });`,
  "a/b/other.ts": `throw new Error("this is no test");`,
};

/** Runs `deno task test`, and gives its exit status and what it prints. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; text: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "test", ...args],
    cwd: new URL("../../", import.meta.url),
    env: { NO_COLOR: "1", ...env },
    stderr: "null",
  }).output();
  return { code, text: new TextDecoder().decode(stdout).trim() };
}

// Mutants: folders below are forgotten; the exit status is lost; arguments are.
Deno.test("deno task test runs the tests of a folder in one isolate, and says which fails and where", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/a/b/below`, { recursive: true });
    for (const [name, text] of Object.entries(FILES)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const all = await run([folder]);
    assertEquals(all.code, 1, all.text);
    assertMatch(all.text, /\nFAILED \| 1 passed \| 1 failed \(\d.*\)$/);
    assertStringIncludes(all.text, "Error: it always fails");
    assertStringIncludes(all.text, `${pathToFileURL(folder)}/a/b/below/second_test.ts:3:13`);
    const some = await run([folder, "--filter", "first"]);
    assertEquals(some.code, 0, some.text);
    assertMatch(some.text, /\nok \| 1 passed \| 0 failed \| 1 filtered out \(\d.*\)$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** The files of tests below a folder. */
async function testsBelow(folder: URL): Promise<URL[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = entries.map(({ name, isDirectory }) =>
    isDirectory
      ? testsBelow(new URL(`${name}/`, folder))
      : name.endsWith("_test.ts")
      ? [new URL(name, folder)]
      : []
  );
  return (await Promise.all(found)).flat();
}

// Mutants: `new Deno.Command(…).output()` in a module, which throws before there is a promise; a program that is named twice, or not.
longTest(
  "every file of tests loads where no other program is installed, and each missing one is named once",
  async () => {
    const folder = await Deno.makeTempDir();
    try {
      const tests = await testsBelow(new URL("../", import.meta.url));
      assert(tests.length > 400, `${tests.length} files`);
      const module = `${folder}/all_test.ts`;
      await Deno.writeTextFile(module, tests.map((file) => `import "${file}";\n`).join(""));
      const PATH = `${folder}/empty`;
      const { code, text } = await run([module, "--filter", "no test has this name"], { PATH });
      assertEquals(code, 0, text);
      assertMatch(text, /^ok \| 0 passed \| 0 failed \| \d{4} filtered out /m);
      const [, list] = text.split("\nNot tested, for programs that are not here:\n");
      const programs = list!.split("\n").map((line) => /^ {2}(\S+): \S/.exec(line)![1]!);
      assertEquals(new Set(programs).size, programs.length, list);
      for (const program of ["python3", "redis-server", "gcc", "cc", "Rscript", "go", "rustc"]) {
        assert(programs.includes(program), list);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
