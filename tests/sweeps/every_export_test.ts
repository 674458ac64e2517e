import { assert, assertEquals } from "@std/assert";
import { learnerSweeps, mechanismSweeps } from "./every_sweep.ts";
import { FILES_NOT_SWEPT, NOT_SWEPT } from "./not_swept.ts";

const root = new URL("../../lib/", import.meta.url);

/** The files of a folder but entry points, which export again what others do. */
async function filesOf(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) files.push(...await filesOf(`${folder}${name}/`));
    else if (name !== "mod.ts") files.push(folder + name);
  }
  return files;
}

/** The names of the functions that files export. */
async function exportedFunctions(files: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const file of files) {
    if (!Object.hasOwn(FILES_NOT_SWEPT, file)) {
      const module: Record<string, unknown> = await import(new URL(file, root).href);
      const entries = Object.entries(module).filter(([, value]) => typeof value === "function");
      names.push(...entries.map(([key]) => key));
    }
  }
  return names;
}

const covered = new Set([...mechanismSweeps, ...learnerSweeps].flatMap(({ covers }) => covers));
const FOLDERS = ["dp/mechanisms", "dp/learners"].concat(
  ["sulq", "queries", "bayes", "holdout", "aggregate", "pac"].map((room) => `papers/${room}`),
);
const files = (await Promise.all(FOLDERS.map((folder) => filesOf(`${folder}/`)))).flat();
const exported = await exportedFunctions(files);

Deno.test("every exported function of mechanisms and learners is swept, or listed with a reason", () => {
  assert(exported.length > 150, `only ${exported.length} were found`);
  const without = exported.filter((name) => !covered.has(name) && !Object.hasOwn(NOT_SWEPT, name));
  assertEquals(without, [], "sweep it in tests/sweeps/families, or say in not_swept.ts why not");
});

Deno.test("the lists of what is swept and what is not name exported functions, each once", () => {
  const listed = Object.keys(NOT_SWEPT);
  assertEquals([...covered, ...listed].filter((name) => !exported.includes(name)), []);
  assertEquals(listed.filter((name) => covered.has(name)), []);
  const paths = Object.keys(FILES_NOT_SWEPT);
  assertEquals(paths.filter((path) => !files.includes(path)), []);
});

Deno.test("the registry makes nothing that is not swept", async () => {
  const text = await Deno.readTextFile(new URL("dp/mechanisms/registry.ts", root));
  const imports = [...text.matchAll(/^import \{([^}]*)\} from "\.\/(?!audit_inputs)/gm)]
    .flatMap(([, names]) => names!.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
  assert(imports.length > 30, `only ${imports.length} were found`);
  assertEquals(imports.filter((name) => !covered.has(name)), []);
});
