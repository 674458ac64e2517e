import { assert, assertEquals } from "@std/assert";

/**
 * What each part may import of ours, besides itself. A folder named first wins, so that
 * `lib/audit` is not taken for `lib`.
 */
const layers: readonly (readonly [part: string, mayImport: readonly string[]])[] = [
  ["lib/numeric", []],
  ["lib/core", ["lib/numeric"]],
  ["lib/random", ["lib/numeric", "lib/core"]],
  ["lib/mechanisms", ["lib/numeric", "lib/core", "lib/random"]],
  ["lib/accounting", ["lib/numeric", "lib/core", "lib/random"]],
  ["lib/learners", [
    "lib/numeric",
    "lib/core",
    "lib/random",
    "lib/mechanisms",
    "lib/accounting",
    "lib/breaches",
  ]],
  ["lib/predictors", ["lib/numeric", "lib/core", "lib/random", "lib/mechanisms", "lib/accounting"]],
  ["lib/breaches", ["lib/numeric", "lib/core", "lib/random"]],
  ["lib/attacks", ["lib/numeric", "lib/core", "lib/random", "lib/mechanisms", "lib/accounting"]],
  ["lib/audit", ["lib/numeric", "lib/core", "lib/random"]],
  ["lib/exact", ["lib/numeric", "lib/core", "lib/random"]],
  ["lib/report", ["lib/numeric", "lib/core", "lib/audit", "lib/exact"]],
  ["lib/testing", ["lib"]],
  ["mod.ts", ["lib"]],
  ["proofs", ["lib", "mod.ts"]],
  ["cli", ["lib", "mod.ts", "proofs"]],
  ["fixtures", ["lib", "mod.ts"]],
  ["bench", ["lib", "mod.ts", "fixtures", "proofs", "cli"]],
  ["experiments", ["lib", "mod.ts", "fixtures", "proofs"]],
  ["scripts", ["lib", "proofs"]],
  ["tests", ["lib", "mod.ts", "fixtures", "proofs", "cli", "bench", "experiments", "scripts"]],
];

/**
 * The rooms of lib/audit, and what each may import of the others; what those may import it may too. docs/architecture.md
 * has a picture of them, and says which are the trusted kernel.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  betting: [],
  one_run: [],
  subjects: [],
  drawing: ["subjects"],
  play: ["betting", "drawing"],
  fixed_sample: ["betting"],
  shards: ["fixed_sample", "drawing"],
  bet_choice: ["betting"],
  encoding: ["subjects"],
  partition: ["encoding"],
  scores: ["partition", "betting"],
  location_shift: ["encoding", "betting"],
  prediction: ["bet_choice", "partition", "scores", "location_shift"],
  power: ["bet_choice", "fixed_sample", "subjects"],
  details: ["power", "encoding"],
  search: ["prediction", "play", "details"],
  counterexample: ["search"],
};

/** The trusted kernel: rooms, and folders of `subjects`. */
const kernel: readonly string[] = [
  "betting",
  "drawing",
  "play",
  "fixed_sample",
  "shards",
  "subjects/order",
  "subjects/copies",
].map((folder) => `lib/audit/${folder}`);

/** What the kernel may import of lib/audit besides itself: what outputs and subjects are, and two helpers without a choice. */
const ofSubjects: readonly string[] = [
  "outputs",
  "subject",
  "text_of",
  "deferred",
].map((file) => `lib/audit/subjects/${file}.ts`);

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

/** Why an import is not allowed, or `undefined`. */
function violation({ file, imported, typeOnly }: Import): string | undefined {
  const layer = layers.find(([part]) => isIn(file, part));
  if (layer === undefined) return `${file} is in no layer`;
  const [part, mayImport] = layer;
  if (isIn(imported, part) || mayImport.some((other) => isIn(imported, other))) {
    const run = isIn(imported, "lib/audit") || isIn(imported, "lib/exact");
    return part === "lib/report" && run && !typeOnly
      ? `${file} may import types only from ${imported}`
      : undefined;
  }
  return `${file} must not import ${imported}`;
}

/** The room of lib/audit that a file is in; "" at its top, `undefined` elsewhere. */
function roomOf(file: string): string | undefined {
  const [lib, audit, ...rest] = file.split("/");
  if (lib !== "lib" || audit !== "audit") return undefined;
  return rest.length > 1 ? rest[0] : "";
}

/** The room and those it may import, directly or through others. */
function opensTo(room: string): Set<string> {
  return new Set([room, ...rooms[room]!.flatMap((other) => [...opensTo(other)])]);
}

/** Why an import between rooms is not allowed, or `undefined`. */
function roomViolation({ file, imported }: Import): string | undefined {
  const from = roomOf(file), to = roomOf(imported);
  if (from === undefined || to === undefined || from === "") return undefined;
  if (rooms[from] === undefined) return `${file} is in no room`;
  return opensTo(from).has(to) ? undefined : `${file} must not import ${imported}`;
}

/** Why an import of the trusted kernel is not allowed, or `undefined`. */
function kernelViolation({ file, imported }: Import): string | undefined {
  if (!kernel.some((part) => isIn(file, part)) || !isIn(imported, "lib/audit")) return undefined;
  const isAllowed = [...kernel, ...ofSubjects].some((part) => isIn(imported, part));
  return isAllowed ? undefined : `${file} must not import ${imported}`;
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

Deno.test("imports go one way through the rooms of lib/audit", () => {
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));
  const between = imports.filter(({ file, imported }) =>
    roomOf(file) !== undefined && roomOf(imported) !== undefined &&
    roomOf(file) !== roomOf(imported)
  );
  assert(between.length > 100, `only ${between.length} imports were found`);
  assertEquals(between.map(roomViolation).filter((reason) => reason !== undefined), []);
});

/** The arrows of a picture in Mermaid, from each room to others; "order" and "copies" are folders of "subjects". */
function arrowsOf(picture: string): Set<string> {
  const roomNamed = (name: string): string =>
    ["order", "copies"].includes(name) ? "subjects" : name;
  return new Set(
    [...picture.matchAll(/^ +([\w &]+) --> ([\w &]+)$/gm)].flatMap(([, from, to]) =>
      from!.split(" & ").flatMap((one) =>
        to!.split(" & ").map((other) => `${roomNamed(one)} → ${roomNamed(other)}`)
      )
    ).filter((arrow) => arrow !== "subjects → subjects"),
  );
}

Deno.test("the picture in docs/architecture.md shows the imports between the rooms as they are", async () => {
  const page = await Deno.readTextFile(new URL("docs/architecture.md", root));
  const [, picture] = /```mermaid\n([^]*?)```/.exec(page)!;
  const allowed = Object.entries(rooms).flatMap(([from, others]) =>
    others.map((to) => `${from} → ${to}`)
  );
  assertEquals(
    arrowsOf(picture!),
    new Set([...allowed, "audit → counterexample", "audit → shards"]),
  );
  // No arrow stands for nothing.
  const found = new Set(
    [...texts].flatMap(([file, text]) => importsOf(file, text))
      .map(({ file, imported }) => `${roomOf(file) || "audit"} → ${roomOf(imported)}`),
  );
  assertEquals(allowed.filter((arrow) => !found.has(arrow)), []);
  assertEquals(
    arrowsOf("  a & order --> b & copies\n"),
    new Set(["a → b", "a → subjects", "subjects → b"]),
  );
});

Deno.test("the trusted kernel imports nothing else of lib/audit", () => {
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text))
    .filter(({ file }) => kernel.some((part) => isIn(file, part)));
  assert(imports.length > 80, `only ${imports.length} imports were found`);
  assertEquals(imports.map(kernelViolation).filter((reason) => reason !== undefined), []);
  const broken = ["../bet_choice/choose_bets.ts", "../prediction/predictor.ts", "../options.ts"];
  for (const imported of broken) {
    const [found] = importsOf("lib/audit/fixed_sample/a.ts", `import "${imported}";`);
    assert(kernelViolation(found!) !== undefined, imported);
  }
});

Deno.test("imports that break the rooms are seen", () => {
  const audit = "lib/audit";
  const synthetic: readonly (readonly [file: string, imported: string, allowed: boolean])[] = [
    [`${audit}/betting/a.ts`, "../prediction/predictor.ts", false],
    [`${audit}/fixed_sample/a.ts`, "../bet_choice/choose_bets.ts", false],
    [`${audit}/drawing/a.ts`, "../betting/wealth.ts", false],
    [`${audit}/drawing/a.ts`, "../subjects/copies/in_parallel.ts", true],
    [`${audit}/search/a.ts`, "../betting/evidence.ts", true],
    [`${audit}/prediction/a.ts`, "../search/search_pairs.ts", false],
    [`${audit}/betting/a.ts`, "../options.ts", false],
    [`${audit}/nowhere/a.ts`, "../betting/evidence.ts", false],
    [`${audit}/audit.ts`, "./counterexample/find_event.ts", true],
  ];
  for (const [file, imported, allowed] of synthetic) {
    const found = importsOf(file, `import "${imported}";`).map(roomViolation)
      .filter((reason) => reason !== undefined);
    assertEquals(found.length === 0, allowed, `${file}: ${imported}`);
  }
});

Deno.test("imports that break the layers are seen", () => {
  const fit = "../learners/erm/fit.ts";
  const synthetic: readonly (readonly [file: string, line: string, allowed: boolean])[] = [
    ["lib/numeric/a.ts", `import { pure } from "../core/claim.ts";`, false],
    ["lib/core/a.ts", `import { fft } from "../numeric/fft.ts";`, true],
    ["lib/core/a.ts", `export * from "../random/shuffle.ts";`, false],
    ["lib/mechanisms/a.ts", `import type { Budget } from "../accounting/budget.ts";`, false],
    ["lib/learners/erm/a.ts", `import { laplace } from "../../mechanisms/laplace.ts";`, true],
    ["lib/audit/a.ts", `import {\n  laplace,\n} from "../mechanisms/laplace.ts";`, false],
    ["lib/exact/a.ts", `const { fit } = await import("${fit}");`, false],
    ["lib/report/a.ts", `import type { AuditReport } from "../audit/report.ts";`, true],
    ["lib/report/a.ts", `import { audit } from "../audit/audit.ts";`, false],
    ["lib/testing/a.ts", `import { suite } from "../../fixtures/mutants/all.ts";`, false],
    ["lib/audit/a.ts", `import { audit } from "@dpcheck/dpcheck";`, false],
    ["cli/a.ts", `import "../tests/imports_test.ts";`, false],
    ["elsewhere/a.ts", `import "../lib/audit/audit.ts";`, false],
    ["lib/numeric/a.ts", `/** import { pure } from "../core/claim.ts"; */`, true],
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
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root))) as {
    imports: Record<string, string>;
  };
  const known = Object.keys(imports);
  assertEquals(strangersIn('import a from "npm:zod@4";\nimport "zod";', known), ["npm:zod@4"]);
  const product = [...texts].filter(([file]) => /^(lib|cli|proofs|scripts)\/|^mod\.ts/.test(file));
  assert(product.length > 500, `only ${product.length} files`);
  assertEquals(product.flatMap(([, text]) => strangersIn(text, known)), []);
});

Deno.test("Math.random appears nowhere but in programs that are audited", () => {
  // Spelled apart, so that this file does not break its own rule.
  const call = ["Math", "random("].join(".");
  const calls = (text: string): boolean => text.includes(call);
  assert(calls(`const x = ${call});`));
  const audited = [
    "fixtures/subjects",
    "tests/adapters",
    "tests/cli/exact_leaks_test.ts",
    // Counts such calls of programs.
    "lib/exact/own_randomness.ts",
  ];
  const files = [...texts]
    .filter(([file, text]) => !audited.some((part) => isIn(file, part)) && calls(text))
    .map(([file]) => file);
  assertEquals(files, []);
});
