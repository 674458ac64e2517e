import { assert, assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url);

async function filesUnder(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(`${folder}/`, root))) {
    const path = `${folder}/${name}`;
    files.push(...isDirectory ? await filesUnder(path) : [path]);
  }
  return files;
}

Deno.test("deno task test:long runs every file that has longer tests, and names no file that is not there", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const paths: string[] = tasks["test:long"].command.split(" ").filter((word: string) =>
    word.startsWith("tests/")
  );
  for (const path of paths) await Deno.stat(new URL(path, root));
  const missed: string[] = [];
  for (const file of await filesUnder("tests")) {
    if (!file.endsWith("_test.ts") || file.endsWith("/long_task_test.ts")) continue;
    const text = await Deno.readTextFile(new URL(file, root));
    if (!text.includes("DPCHECK_LONG")) continue;
    if (!paths.some((path) => file === path || file.startsWith(`${path}/`))) missed.push(file);
  }
  assertEquals(missed, []);
  assert(paths.length > 3);
});
