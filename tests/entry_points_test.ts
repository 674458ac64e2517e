import { assert, assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);
const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root))) as {
  exports: Record<string, string>;
};

/** The names that a module exports, types among them. */
async function namesOf(file: string): Promise<string[]> {
  const text = await Deno.readTextFile(new URL(file, root));
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)];
  const whole = [...text.matchAll(/^export \* from "([^"]+)"/gm)].map(([, other]) =>
    namesOf(new URL(other!, new URL(file, root)).href)
  );
  return lists.flatMap(([, list]) =>
    list!.split(",").map((name) => name.replace("type ", "").trim())
  ).filter((name) => name !== "").concat(...await Promise.all(whole));
}

/** The folders of lib whose code a module loads. */
async function foldersLoadedBy(file: string): Promise<Set<string>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", file],
    cwd: root,
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as {
    modules: { specifier: string; dependencies?: { specifier: string; code?: unknown }[] }[];
  };
  return new Set(
    modules.flatMap(({ specifier }) => /\/lib\/(\w+\/\w+)\//.exec(specifier)?.[1] ?? []),
  );
}

// Mutant: a name exported from the root for every name that there is.
Deno.test("the root exports each name once, and each of them below", async () => {
  const names = await namesOf("mod.ts");
  assertEquals(new Set(names).size, names.length);
  const below = await Promise.all(
    Object.entries(exports).filter(([path]) => path !== ".").map(([, file]) => namesOf(file)),
  );
  const defined = new Set(below.flat());
  assertEquals(names.filter((name) => !defined.has(name)), []);
});

// Mutant: an entry point that imports the root.
Deno.test("an entry point loads no folder that it has no need of", async () => {
  const others = ["dp/learners", "papers/null_space", "papers/attacks"];
  for (const [path, file] of Object.entries(exports)) {
    if ([".", "./learners", "./papers", "./testing"].includes(path)) continue;
    const loaded = await foldersLoadedBy(file);
    const [, own] = /lib\/(\w+\/\w+)\//.exec(file) ?? [];
    assertEquals(others.filter((other) => other !== own && loaded.has(other)), [], path);
    if (path === "./audit") {
      assert(!loaded.has("dp/mechanisms"), "mechanisms are loaded by ./audit");
    }
  }
});

Deno.test("every entry point of deno.json can be imported", async () => {
  for (const file of Object.values(exports)) await import(new URL(file, root).href);
});
