import { assert, assertEquals } from "@std/assert";
import { TESTED_INSIDE } from "./tested_inside.ts";

/** A name by the file of lib that declares it: `lib/core/claims/claim.ts claimUnder`. */
type Origin = string;

const root = new URL("../", import.meta.url);

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm;
const FROM = /^(import|export)\s+(type\s+)?([^;'"]*?)\s*from\s*["']([^"']+)["']/gm;
const LOADED = /\{([^{}]*)\}\s*=\s*await import\(\s*["']([^"']+)["']/g;

async function codeOf(file: string): Promise<string> {
  const text = await Deno.readTextFile(new URL(file, root));
  return text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

function resolved(file: string, specifier: string): string {
  return new URL(specifier, new URL(file, "file:///")).pathname.slice(1);
}

/** The names in braces, by what they are called outside: `{ a, type B, c as d }`. Types are left out. */
function namesIn(braces: string): { readonly name: string; readonly as: string }[] {
  return braces.replaceAll(/[{}]/g, "").split(",").map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("type "))
    .map((part) => {
      const [name, as = name] = part.split(/\s+as\s+|\s*:\s*/);
      return { name: name!, as: as! };
    });
}

const known = new Map<string, Promise<Map<string, Origin>>>();

/** The names that a file exports, with where each is declared. */
function exportsOf(file: string): Promise<Map<string, Origin>> {
  let found = known.get(file);
  if (found === undefined) known.set(file, found = readExports(file));
  return found;
}

async function readExports(file: string): Promise<Map<string, Origin>> {
  const code = await codeOf(file), found = new Map<string, Origin>();
  for (const [, name] of code.matchAll(DECLARED)) found.set(name!, `${file} ${name}`);
  for (const [, kind, , names, specifier] of code.matchAll(FROM)) {
    if (kind !== "export" || !specifier!.startsWith(".")) continue;
    const of = resolved(file, specifier!), below = await exportsOf(of);
    if (names === "*") { for (const [name, origin] of below) found.set(name, origin); }
    else {for (const { name, as } of namesIn(names!)) {
        found.set(as, below.get(name) ?? `${of} ${name}`);
      }}
  }
  return found;
}

/** The names that a file imports from files of lib; a namespace counts as all that its file exports. */
async function importedBy(file: string): Promise<Origin[]> {
  const code = await codeOf(file), found: Origin[] = [];
  const add = async (names: string, specifier: string): Promise<void> => {
    const of = resolved(file, specifier);
    if (!specifier.startsWith(".") || !of.startsWith("lib/")) return;
    const exported = await exportsOf(of);
    const origins = names.startsWith("*")
      ? exported.values()
      : namesIn(names).map(({ name }) => exported.get(name) ?? `${of} ${name}`);
    found.push(...origins);
  };
  for (const [, , type, names, specifier] of code.matchAll(FROM)) {
    if (type === undefined) await add(names!, specifier!);
  }
  for (const [, names, specifier] of code.matchAll(LOADED)) await add(names!, specifier!);
  return found;
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else if (name.endsWith(".ts")) yield `${folder}/${name}`;
  }
}

/** All that a user of the packages can import. */
async function publicNames(): Promise<Set<Origin>> {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const entries = new Set((Object.values(exports) as string[]).map((path) => path.slice(2)));
  for await (const file of filesBelow("lib")) if (file.endsWith("/mod.ts")) entries.add(file);
  const names = await Promise.all([...entries].map(exportsOf));
  return new Set(names.flatMap((of) => [...of.values()]));
}

/** The entry of {@linkcode TESTED_INSIDE} for a name, the longest first. */
function reasonFor(origin: Origin): string | undefined {
  const file = origin.split(" ")[0]!;
  return Object.keys(TESTED_INSIDE).sort((a, b) => b.length - a.length)
    .find((part) => part === file || part.endsWith("/") && file.startsWith(part));
}

// Mutants: an entry that is missing from the list; one that no test needs.
Deno.test("tests import what entries export, and of the rest what is listed with a reason", async () => {
  const open = await publicNames();
  assert(open.size > 300, `only ${open.size} names are public`);
  assert(open.has("lib/core/claims/claim_of_amounts.ts pure"));
  assert(!open.has("lib/core/claims/claim.ts claimUnder"));
  const strangers: string[] = [], used = new Set<string>();
  let imports = 0;
  for await (const file of filesBelow("tests")) {
    for (const origin of await importedBy(file)) {
      imports++;
      if (open.has(origin)) continue;
      const reason = reasonFor(origin);
      if (reason === undefined) strangers.push(`${file}: ${origin}`);
      else used.add(reason);
    }
  }
  assert(imports > 1000, `only ${imports} imports were found`);
  assertEquals(strangers, [], "test it by what an entry exports, or list it in tested_inside.ts");
  assertEquals(Object.keys(TESTED_INSIDE).filter((part) => !used.has(part)), []);
});
