import { assert, assertEquals } from "@std/assert";

/** Folders, and what each may import of the others; what those may import it may too. */
type House = Readonly<Record<string, readonly string[]>>;

/** The members of lib, as in the first picture of docs/architecture.md. */
const members: House = {
  core: [],
  dp: ["core"],
  papers: ["dp"],
  judge: ["core"],
};

/** Their rooms, and what each may import of other rooms; the entry of a member may import all of them. */
const rooms: House = {
  "core/numeric": [],
  "core/text": [],
  "core/relations": ["core/numeric"],
  "core/claims": ["core/relations", "core/text"],
  "core/mechanism": ["core/claims", "core/text"],
  "core/random": ["core/mechanism", "core/text"],
  "dp/mechanisms": ["core/random"],
  "dp/schema": ["dp/mechanisms"],
  "dp/accounting": ["core/random"],
  "dp/learners": ["dp/schema", "dp/accounting"],
  "dp/tables": ["dp/schema", "dp/accounting"],
  "papers/breaches": ["core/random"],
  "papers/attacks": ["core/random"],
  "papers/null_space": ["core/random"],
  "papers/aggregate": ["dp/mechanisms"],
  "papers/pac": ["dp/mechanisms"],
  "papers/holdout": ["dp/mechanisms", "dp/accounting"],
  "papers/queries": ["dp/mechanisms", "dp/accounting"],
  "papers/bayes": ["dp/learners"],
  "papers/sulq": ["dp/learners", "papers/breaches"],
  "judge/audit": ["core/random"],
  // Independent of what they check: they import nothing.
  "judge/certificates": [],
  "judge/source": [],
  "judge/exact": ["core/random", "judge/source"],
  "judge/recording": ["judge/audit", "judge/source"],
  "judge/dialogue": ["judge/audit"],
  "judge/report": ["judge/exact", "judge/recording", "judge/dialogue"],
  "judge/testing": ["judge/report"],
};

/** The folders of lib/judge/audit, as in the second picture. */
const auditFolders: House = {
  kernel: [],
  one_run: [],
  subjects: ["kernel"],
  plan: ["subjects"],
  model: ["plan"],
  search: ["model"],
  counterexample: ["search"],
};

/** The rooms of cli. Beside them, `main.ts` lists commands, and `demo.ts` calls `main.ts`. */
const cliRooms: House = {
  options: [],
  output: ["options"],
  entries: ["output"],
  shards: ["output"],
  exact: ["output"],
  queue: ["entries", "shards"],
  audit: ["queue"],
  suite: ["queue"],
  commands: ["audit", "exact", "suite"],
  "main.ts": ["commands"],
  "demo.ts": ["main.ts"],
};

/** What folders outside of lib may import of ours, besides themselves. */
const outside: House = {
  "mod.ts": ["lib"],
  proofs: ["lib", "mod.ts"],
  cli: ["lib", "mod.ts", "proofs"],
  fixtures: ["lib", "mod.ts"],
  bench: ["lib", "mod.ts", "fixtures", "proofs", "cli", "scripts"],
  // `dist` is in texts of the npm package.
  scripts: ["lib", "proofs", "dist"],
  site: ["lib", "scripts"],
  tests: ["lib", "mod.ts", "fixtures", "proofs", "cli", "bench", "scripts", "site"],
};

const root = new URL("../", import.meta.url);

/** One import of another file of ours. */
interface Import {
  readonly file: string;
  readonly imported: string;
  readonly typeOnly: boolean;
}

const IMPORT =
  /^\s*(import|export)\s+(type\s)?[^;'"]*?from\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']/gm;

/** The imports of a file that lead to our own files; comments do not count. */
function importsOf(file: string, text: string): Import[] {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(IMPORT)].flatMap((match) => {
    const specifier = match[3] ?? match[4] ?? match[5]!;
    const imported = specifier === "@dpcheck/dpcheck"
      ? "mod.ts"
      : specifier.startsWith(".")
      ? new URL(specifier, new URL(file, "file:///")).pathname.slice(1)
      : undefined;
    return imported === undefined ? [] : [{ file, imported, typeOnly: match[2] !== undefined }];
  });
}

function isIn(file: string, part: string): boolean {
  return file === part || file.startsWith(`${part}/`);
}

/** A folder and those it may import, directly or through others. */
function opensTo(folder: string, of: House): Set<string> {
  return new Set([folder, ...of[folder]!.flatMap((other) => [...opensTo(other, of)])]);
}

/** The room of a file of lib, as `core/numeric`; `core` alone for a file beside the rooms. */
function roomOf(file: string): string {
  const [, member, ...rest] = file.split("/");
  return rest.length > 1 ? `${member}/${rest[0]}` : member!;
}

/** Why an import is not allowed, or `undefined`. */
function violation({ file, imported, typeOnly }: Import): string | undefined {
  const refused = `${file} must not import ${imported}`;
  const [top, member] = file.split("/"), [toTop, toMember] = imported.split("/");
  if (top !== "lib") {
    if (outside[top!] === undefined) return `${file} is in no layer`;
    return toTop === top || outside[top!]!.includes(toTop!) ? undefined : refused;
  }
  if (toTop !== "lib" || members[member!] === undefined) return refused;
  const from = roomOf(file), to = roomOf(imported);
  if (from === member || to === toMember) {
    return opensTo(member!, members).has(toMember!) ? undefined : refused;
  }
  if (rooms[from] === undefined) return `${file} is in no room`;
  if (!opensTo(from, rooms).has(to)) return refused;
  return from === "judge/report" && ["judge/audit", "judge/exact"].includes(to) && !typeOnly
    ? `${file} may import types only from ${imported}`
    : undefined;
}

/** The folder of lib/judge/audit that a file is in; "" at its top, `undefined` elsewhere. */
function folderOf(file: string): string | undefined {
  const [lib, judge, audit, ...rest] = file.split("/");
  if (lib !== "lib" || judge !== "judge" || audit !== "audit") return undefined;
  return rest.length > 1 ? rest[0] : "";
}

/** Why an import between folders of lib/judge/audit is not allowed, or `undefined`. The kernel imports core and numeric alone, and seeded streams. */
function roomViolation({ file, imported }: Import): string | undefined {
  const from = folderOf(file), to = folderOf(imported);
  if (from === undefined || to === undefined || from === "") return undefined;
  if (auditFolders[from] === undefined) return `${file} is in no folder`;
  return opensTo(from, auditFolders).has(to) ? undefined : `${file} must not import ${imported}`;
}

/** Why an import between rooms of cli is not allowed, or `undefined`. */
function cliViolation({ file, imported }: Import): string | undefined {
  const [top, from] = file.split("/"), [toTop, to] = imported.split("/");
  if (top !== "cli" || toTop !== "cli") return undefined;
  if (cliRooms[from!] === undefined) return `${file} is in no room`;
  return opensTo(from!, cliRooms).has(to!) ? undefined : `${file} must not import ${imported}`;
}

async function* sourceFiles(folder = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    const path = `${folder}${name}`;
    if (isDirectory) {
      if (!name.startsWith(".") && !["out", "node_modules"].includes(name)) {
        yield* sourceFiles(`${path}/`);
      }
    } else if (/\.(ts|js)$/.test(name)) yield path;
  }
}

const texts = new Map<string, string>();
for await (const file of sourceFiles()) {
  texts.set(file, await Deno.readTextFile(new URL(file, root)));
}

Deno.test("imports go one way through the layers", () => {
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));
  assert(imports.length > 500, `only ${imports.length} imports were found`);
  assertEquals(imports.map(violation).filter((reason) => reason !== undefined), []);
});

Deno.test("imports go one way through the folders of lib/judge/audit", () => {
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));
  const between = imports.filter(({ file, imported }) =>
    folderOf(file) !== undefined && folderOf(imported) !== undefined &&
    folderOf(file) !== folderOf(imported)
  );
  assert(between.length > 100, `only ${between.length} imports were found`);
  assertEquals(between.map(roomViolation).filter((reason) => reason !== undefined), []);
});

// Mutants: a queue that imports the suite; a command that runs what another command runs, by importing it.
Deno.test("imports go one way through the rooms of cli, and no command imports another", () => {
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text))
    .filter(({ file, imported }) => file.startsWith("cli/") && imported.startsWith("cli/"));
  assert(imports.length > 200, `only ${imports.length} imports were found`);
  assertEquals(imports.map(cliViolation).filter((reason) => reason !== undefined), []);
  const ofCommands = imports.filter(({ imported }) => imported.startsWith("cli/commands/"));
  const by = Map.groupBy(ofCommands, ({ imported }) => imported);
  const shared = [...by].filter(([, imports]) => new Set(imports.map(({ file }) => file)).size > 1);
  assertEquals(
    shared.map(([file]) => file),
    [],
    "a part of two commands belongs into a room below",
  );
});

/** Files that import each other, directly or through others: each circle once, from its first file. */
function circlesOf(imports: readonly Import[]): string[] {
  const of = Map.groupBy(imports, ({ file }) => file), circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(" → "));
    if (at >= 0 || done.has(file)) return;
    for (const { imported } of of.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of of.keys()) visit(file, []);
  return circles;
}

// Mutant: a type that is imported back from the file that imports this one.
Deno.test("no files of the product import each other in a circle, not even types", () => {
  const one = (file: string, imported: string): Import => ({ file, imported, typeOnly: true });
  assertEquals(circlesOf([one("a", "b"), one("b", "c"), one("c", "b")]), ["b → c → b"]);
  assertEquals(circlesOf([one("a", "b"), one("a", "c"), one("b", "c")]), []);
  const product = [...texts].filter(([file]) => !/^(tests|fixtures)\//.test(file));
  assertEquals(circlesOf(product.flatMap(([file, text]) => importsOf(file, text))), []);
});

/** The arrows of a picture in Mermaid. */
function arrowsOf(picture: string): Set<string> {
  return new Set(
    [...picture.matchAll(/^ +([\w &]+) --> ([\w &]+)$/gm)].flatMap(([, from, to]) =>
      from!.split(" & ").flatMap((one) => to!.split(" & ").map((other) => `${one} → ${other}`))
    ),
  );
}

Deno.test("the two pictures in docs/architecture.md show the imports as they are", async () => {
  const page = await Deno.readTextFile(new URL("docs/architecture.md", root));
  const pictures = [...page.matchAll(/```mermaid\n([^]*?)```/g)].map(([, picture]) => picture!);
  const arrows = (of: House): string[] =>
    Object.entries(of).flatMap(([from, others]) => others.map((to) => `${from} → ${to}`));
  assertEquals(arrowsOf(pictures[0]!), new Set(arrows(members)));
  assertEquals(
    arrowsOf(pictures[1]!),
    new Set([...arrows(auditFolders), "audit → counterexample"]),
  );
  assertEquals(arrowsOf("  a & b --> c & d\n"), new Set(["a → c", "a → d", "b → c", "b → d"]));
});

// Mutants: a room that the picture leaves out; one that a README has and that is gone.
Deno.test("the first picture and the READMEs of members name every room", async () => {
  const page = await Deno.readTextFile(new URL("docs/architecture.md", root));
  for (const member of Object.keys(members)) {
    const own = Object.keys(rooms).filter((room) => room.startsWith(`${member}/`))
      .map((room) => room.slice(member.length + 1)).sort();
    const drawn = new RegExp(`"lib/${member}: ([^"]+)"`).exec(page)![1]!.split(", ");
    assertEquals(drawn.toSorted(), own);
    const readme = await Deno.readTextFile(new URL(`lib/${member}/README.md`, root));
    const listed = [...readme.matchAll(/^\| `(\w+)` /gm)].map(([, room]) => room!);
    assertEquals(listed.toSorted(), own);
  }
});

// Mutants: a function that was renamed; a file that an earlier one of its list no longer imports.
Deno.test("docs/architecture.md follows seven values through files that hold what it says", async () => {
  const page = await Deno.readTextFile(new URL("docs/architecture.md", root));
  const lists = page.split("\n### ").map((part) =>
    [...part.matchAll(/^\d+\. \[`([^`]+)`\]\(\.\.\/([^)]+)\): (.*(?:\n {3}.*)*)/gm)]
      .map(([, named, file, text]) => ({ named: named!, file: file!, text: text! }))
  ).filter((files) => files.length > 0);
  assertEquals(lists.length, 7);
  for (const { named, file, text } of lists.flat()) {
    assertEquals(named, file);
    const code = await Deno.readTextFile(new URL(file, root));
    const symbols = [...text.matchAll(/`([^`]+)`/g)].map(([, symbol]) => symbol!);
    assert(symbols.length > 0, file);
    assertEquals(symbols.filter((symbol) => !code.includes(symbol)), [], file);
  }
  // Where no interface stands between, each file is one that an earlier one imports.
  const followed = lists[1]!.map(({ file }) => file);
  followed.slice(1).forEach((file, k) => {
    const earlier = followed.slice(0, k + 1).flatMap((one) => importsOf(one, texts.get(one)!));
    assert(earlier.some(({ imported }) => imported === file), `nothing before imports ${file}`);
  });
});

Deno.test("imports that break the order of the folders are seen", () => {
  const audit = "lib/judge/audit";
  const synthetic: readonly (readonly [file: string, imported: string, allowed: boolean])[] = [
    [`${audit}/kernel/betting/a.ts`, "../../model/prediction/predictor.ts", false],
    [`${audit}/kernel/play.ts`, "../subjects/quoted.ts", false],
    [`${audit}/kernel/play.ts`, "../options.ts", false],
    [`${audit}/kernel/drawing/a.ts`, "../copies/in_parallel.ts", true],
    [`${audit}/search/a.ts`, "../kernel/betting/evidence.ts", true],
    [`${audit}/model/prediction/a.ts`, "../../search/search_pairs.ts", false],
    [`${audit}/nowhere/a.ts`, "../kernel/betting/evidence.ts", false],
    [`${audit}/audit.ts`, "./counterexample/find_event.ts", true],
  ];
  for (const [file, imported, allowed] of synthetic) {
    const found = importsOf(file, `import "${imported}";`).map(roomViolation)
      .filter((reason) => reason !== undefined);
    assertEquals(found.length === 0, allowed, `${file}: ${imported}`);
  }
});

Deno.test("imports that break the layers are seen", () => {
  const fit = "../../dp/learners/erm/fit.ts";
  const synthetic: readonly (readonly [file: string, line: string, allowed: boolean])[] = [
    ["lib/core/numeric/a.ts", `import { pure } from "../claims/claim.ts";`, false],
    ["lib/core/claims/a.ts", `import { fft } from "../numeric/fft.ts";`, true],
    ["lib/core/claims/a.ts", `export * from "../random/shuffle.ts";`, false],
    ["lib/core/mod.ts", `export * from "./random/shuffle.ts";`, true],
    ["lib/core/mod.ts", `export * from "../dp/mod.ts";`, false],
    ["lib/dp/mechanisms/a.ts", `import type { Budget } from "../accounting/budget.ts";`, false],
    ["lib/dp/learners/erm/a.ts", `import { laplace } from "../../mechanisms/laplace.ts";`, true],
    ["lib/dp/learners/erm/a.ts", `import { sulq } from "../../../papers/sulq/sulq.ts";`, false],
    ["lib/dp/attic/a.ts", `import { laplace } from "../mechanisms/laplace.ts";`, false],
    ["lib/papers/queries/a.ts", `import { laplace } from "../../dp/mechanisms/laplace.ts";`, true],
    ["lib/papers/queries/a.ts", `import { audit } from "../../judge/audit/audit.ts";`, false],
    [
      "lib/judge/audit/a.ts",
      `import {\n  laplace,\n} from "../../dp/mechanisms/laplace.ts";`,
      false,
    ],
    ["lib/judge/exact/a.ts", `const { fit } = await import("${fit}");`, false],
    ["lib/judge/report/a.ts", `import type { AuditReport } from "../audit/report.ts";`, true],
    ["lib/judge/report/a.ts", `import { audit } from "../audit/audit.ts";`, false],
    [
      "lib/judge/testing/a.ts",
      `import { suite } from "../../../fixtures/judge/mutants/all.ts";`,
      false,
    ],
    ["lib/judge/audit/a.ts", `import { audit } from "@dpcheck/dpcheck";`, false],
    ["lib/core/text/a.ts", `import { laws } from "../../judge/testing/mod.ts";`, false],
    ["cli/a.ts", `import "../tests/imports_test.ts";`, false],
    ["elsewhere/a.ts", `import "../lib/judge/audit/audit.ts";`, false],
    ["lib/core/numeric/a.ts", `/** import { pure } from "../claims/claim.ts"; */`, true],
  ];
  for (const [file, line, allowed] of synthetic) {
    const found = importsOf(file, line).map(violation).filter((reason) => reason !== undefined);
    assertEquals(found.length === 0, allowed, `${file}: ${line}`);
  }
});

/** What a file imports that is neither a name of deno.json nor a module of Node, which Deno has too. */
function strangersIn(text: string, known: readonly string[]): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(IMPORT)].map((match) => match[3] ?? match[4] ?? match[5]!)
    .filter((specifier) => !/^(\.|node:|@dpcheck\/dpcheck)/.test(specifier))
    .filter((specifier) => !known.includes(specifier));
}

// Mutant: a package with its version, or an address, in an import.
Deno.test("the product imports packages by the names of deno.json, and modules of Node", async () => {
  const namesOf = async (file: string): Promise<string[]> =>
    Object.keys(JSON.parse(await Deno.readTextFile(new URL(file, root))).imports);
  const known = await namesOf("deno.json");
  assertEquals(strangersIn('import a from "npm:zod@4";\nimport "zod";', known), ["npm:zod@4"]);
  const below = (top: string): string[] =>
    [...texts].filter(([file]) => isIn(file, top)).map(([, text]) => text);
  for (const top of ["cli", "proofs", "scripts", "mod.ts"]) {
    assertEquals(below(top).flatMap((text) => strangersIn(text, known)), [], top);
  }
  for (const member of Object.keys(members)) {
    const own = await namesOf(`lib/${member}/deno.json`), files = below(`lib/${member}`);
    assert(files.length > 40, `only ${files.length} files`);
    assertEquals(files.flatMap((text) => strangersIn(text, own)), [], member);
  }
});

Deno.test("Math.random appears nowhere but in programs that are audited", () => {
  // Spelled apart, so that this file does not break its own rule.
  const call = ["Math", "random("].join(".");
  const calls = (text: string): boolean => text.includes(call);
  assert(calls(`const x = ${call});`));
  const audited = [
    "fixtures/judge/correct_programs",
    "fixtures/judge/recorded",
    "fixtures/judge/subjects",
    "site/browser/examples.ts",
    "tests/quality/any_machine_test.ts",
    "tests/adapters",
    "tests/cli/exact_leaks_test.ts",
    "tests/judge/certificates",
    "tests/judge/exact/alignment/hand_samplers.ts",
    "tests/judge/exact/enumeration/uniform_branches_test.ts",
    "tests/judge/recording/followed_test.ts",
    "tests/judge/recording/function_recorder_test.ts",
    "tests/package/package_test.ts",
    "tests/site/playground_test.ts",
    // Counts such calls of programs.
    "lib/judge/certificates/checked_program.ts",
    "lib/judge/exact/own_randomness.ts",
  ];
  const files = [...texts]
    .filter(([file, text]) => !audited.some((part) => isIn(file, part)) && calls(text))
    .map(([file]) => file);
  assertEquals(files, []);
});
