import { type BuiltFrom, sha256, TRUSTED_FILES } from "../proofs/engine/trusted_files.ts";
import { rollup } from "@rollup/wasm-node";
import { parse, type Token } from "acorn";
import ts from "typescript";
import { javascriptOf } from "./javascript_of.ts";
import { type Bundled, LICENCES, vendoredFile } from "./vendored_packages.ts";

/** Inputs of the npm packages. */
export interface NpmSources {
  /** The text of `deno.json`. */
  readonly denoJson: string;
  /** The packages that members import, with versions: the imports of their `deno.json` files. */
  readonly memberImports?: Readonly<Record<string, string>>;
  /** Packages whose code goes into files of ours, by name. */
  readonly vendored?: ReadonlyMap<string, Bundled>;
  /** The entry points of `@dpcheck/dp`. Default: those that it has. */
  readonly dpEntries?: Readonly<Record<string, string>>;
  /** Reads a source file, by its path from the root of the repository. */
  readonly read: (file: string) => string;
}

/**
 * The modules that the package must have besides its entry points, by their names in `dist`: the command line, and what threads load by
 * name. All files of `dist` are in one folder, so that `siblingOf` finds these.
 */
const OTHER_MODULES: Readonly<Record<string, string>> = {
  cli: "cli/main.ts",
  fresh_worker: "cli/exact/fresh_worker.ts",
  mechanism_maker: "cli/options/mechanism_maker.ts",
  shard_worker: "cli/shards/shard_worker.ts",
  subject_worker: "lib/judge/audit/subjects/thread/subject_worker.ts",
  load_module: "lib/judge/audit/subjects/thread/load_module.ts",
  recorded_module: "lib/judge/recording/recorded_module.ts",
};
/** The entry points of `@dpcheck/dp`; `@dpcheck/dpcheck` has all but the first under the same names, and exports them again. */
const DP_ENTRIES: Readonly<Record<string, string>> = {
  ".": "lib/dp/mod.ts",
  "./accounting": "lib/dp/accounting/mod.ts",
  "./core": "lib/core/mod.ts",
  "./learners": "lib/dp/learners/mod.ts",
  "./mechanisms": "lib/dp/mechanisms/mod.ts",
  "./random": "lib/core/random/mod.ts",
  "./tables": "lib/dp/tables/mod.ts",
};

/** The package of core and dp. */
const DP = "@dpcheck/dp";

/** Files of the members that `@dpcheck/dp` is made of. */
const isOfDp = (file: string): boolean => /^lib\/(core|dp)\//.test(file);

/** Files that are copied as they are. */
export const COPIED_FILES: readonly string[] = [
  "adapters/c/README.md",
  "adapters/c/dpcheck.h",
  "adapters/go/README.md",
  "adapters/go/dpcheck.go",
  "adapters/node/README.md",
  "adapters/node/dpcheck.mjs",
  "adapters/python/README.md",
  "adapters/python/dpcheck/__init__.py",
  "adapters/python/dpcheck/__main__.py",
  "adapters/python/dpcheck/bridge.py",
  "adapters/python/dpcheck/command.py",
  "adapters/python/dpcheck/private.py",
  "adapters/python/dpcheck/pytest_plugin.py",
  "adapters/python/dpcheck/recording/__init__.py",
  "adapters/python/dpcheck/recording/answers.py",
  "adapters/python/dpcheck/recording/array_functions.py",
  "adapters/python/dpcheck/recording/current.py",
  "adapters/python/dpcheck/recording/draws.py",
  "adapters/python/dpcheck/recording/forms.py",
  "adapters/python/dpcheck/recording/functions.py",
  "adapters/python/dpcheck/recording/hooks.py",
  "adapters/python/dpcheck/recording/math_hooks.py",
  "adapters/python/dpcheck/recording/names.py",
  "adapters/python/dpcheck/recording/numpy_methods.py",
  "adapters/python/dpcheck/recording/numpy_originals.py",
  "adapters/python/dpcheck/recording/numpy_sources.py",
  "adapters/python/dpcheck/recording/places.py",
  "adapters/python/dpcheck/recording/presets.py",
  "adapters/python/dpcheck/recording/primitives.py",
  "adapters/python/dpcheck/recording/python_sources.py",
  "adapters/python/dpcheck/recording/scipy_sources.py",
  "adapters/python/dpcheck/recording/seeded.py",
  "adapters/python/dpcheck/recording/tape.py",
  "adapters/python/dpcheck/recording/torch_source.py",
  "adapters/python/dpcheck/recording/torch_tensors.py",
  "adapters/python/dpcheck/recording/traced_array.py",
  "adapters/python/dpcheck/recording/traced_number.py",
  "adapters/python/dpcheck/serve.py",
  "adapters/python/dpcheck/sessions.py",
  "adapters/python/dpcheck/tables.py",
  "adapters/python/dpcheck/training.py",
  "adapters/python/pyproject.toml",
  "adapters/python/wheel_backend.py",
  "adapters/r/README.md",
  "adapters/r/dpcheck.R",
  "adapters/r/recording/answers.R",
  "adapters/r/recording/forms.R",
  "adapters/r/recording/functions.R",
  "adapters/r/recording/masks.R",
  "adapters/r/recording/methods.R",
  "adapters/r/recording/places.R",
  "adapters/r/recording/rewrite.R",
  "adapters/r/recording/sources.R",
  "adapters/r/recording/tape.R",
  "adapters/rust/README.md",
  "adapters/rust/dpcheck.rs",
  "LICENSE",
  "README.md",
  "action.yml",
  "deploy/gitlab-ci.yml",
  "docs/dpcheck.schema.json",
  "docs/limits.md",
  "docs/many_machines.md",
  "docs/programs.md",
  "docs/table.schema.json",
];

/** File that `npx dpcheck` runs. */
const COMMAND = "bin/dpcheck.js";

/** Installed by those who need them: for arbitraries in tests, and for audits on many machines. */
const PEERS = ["@duckdb/node-api", "bullmq", "fast-check", "ioredis", "pg"];

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  strict: true,
};

interface DenoJson {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * The files of the npm packages, by their paths in each: JavaScript in `dist`, declarations of what entry points export in `types`, and a
 * `package.json`. `@dpcheck/dp` is core and dp; `@dpcheck/dpcheck` is all the rest, and imports the first, so that no module is there twice.
 * Node takes a millisecond to load a file, and an entry point needs hundreds, so `dist` has one file for each room
 * of `lib`: what the root needs of it, and beside that, where there is any, the rest.
 *
 * @throws {Error} when a module imports a package that no `deno.json` names, or a declaration needs a type that is
 * not written down.
 */
export async function npmPackages(
  { denoJson, memberImports = {}, vendored = new Map(), dpEntries = DP_ENTRIES, read }: NpmSources,
): Promise<{ readonly dp: Map<string, string>; readonly dpcheck: Map<string, string> }> {
  const config = JSON.parse(denoJson) as DenoJson;
  const imports = { ...config.imports, ...memberImports };
  const again = new Map<string, string>(), own: Record<string, string> = {};
  for (const [path, file] of Object.entries(config.exports)) {
    const source = sourceOf(file);
    const [same] = Object.entries(dpEntries).find(([, other]) => other === source) ?? [];
    if (same === undefined) own[entryName(path)] = source;
    else again.set(entryName(path), `${DP}${same.slice(1)}`);
  }
  const ofDp = Object.fromEntries(
    Object.entries(dpEntries).map(([path, file]) => [`dp/${entryName(path)}`, file]),
  );
  const others = own.index === "mod.ts" && Object.keys(own).length > 1 ? OTHER_MODULES : {};
  const code = await bundle({ ...ofDp, ...own, ...others }, {
    entries: { ...ofDp, ...own },
    vendored: [...vendored.keys()],
    read,
  });
  const types = declarationsOf([...Object.values(dpEntries), ...Object.values(own)], read);
  const dp = new Map<string, string>(), dpcheck = new Map<string, string>();
  for (const [file, text] of [...code.files, ...types.files]) {
    if (file.startsWith("dp/")) dp.set(file.slice("dp/".length), text);
    else dpcheck.set(file, text);
  }
  addVendored(dp, vendored);
  for (const name of vendored.keys()) {
    if (!dp.has(`dist/${vendoredFile(name)}`)) continue;
    const own = new RegExp(`(["'])\\./${RegExp.escape(vendoredFile(name))}\\1`, "g");
    for (const [file, text] of dpcheck) {
      dpcheck.set(file, text.replaceAll(own, `$1${DP}/internal/${vendoredFile(name)}$1`));
    }
  }
  addVendored(dpcheck, vendored);
  for (const [name, specifier] of again) {
    const text = `export * from "${specifier}";\n`;
    dpcheck.set(`dist/${name}.js`, text).set(`types/${name}.d.ts`, text);
  }
  dp.set("package.json", dpManifest(config, { imports, dpEntries, used: packagesOf(dp) }));
  dpcheck.set(COMMAND, commandText());
  dpcheck.set("dist/trusted.json", trustedText(code.holders, read));
  dpcheck.set(
    "package.json",
    dpcheckManifest(config, { imports, again, used: packagesOf(dpcheck) }),
  );
  return { dp, dpcheck };
}

/** Adds the vendored packages that these files import, and their licences. */
function addVendored(files: Map<string, string>, vendored: ReadonlyMap<string, Bundled>): void {
  const licences = new Map<string, string>();
  for (const [name, bundled] of vendored) {
    const file = vendoredFile(name);
    if (
      ![...files.values()].some((text) =>
        text.includes(`"./${file}"`) || text.includes(`'./${file}'`)
      )
    ) continue;
    files.set(`dist/${file}`, bundled.code);
    for (const [each, text] of bundled.licences) licences.set(each, text);
  }
  if (licences.size === 0) return;
  const texts = [...licences].sort(([left], [right]) => left < right ? -1 : 1);
  files.set(
    LICENCES,
    ["The files vendor-*.js hold these packages:\n", ...withTermsOnce(texts)].join("\n\n"),
  );
}

/** Writes licences with their copyright notices, and with terms that are those of an earlier one, word for word, once. */
function withTermsOnce(licences: readonly (readonly [name: string, text: string])[]): string[] {
  const first = new Map<string, string>();
  return licences.map(([name, text]) => {
    const from = text.search(/^Permission (is hereby granted|to use)/m);
    const terms = from < 0 ? "" : text.slice(from).trim(), words = terms.replaceAll(/\s+/g, " ");
    const earlier = first.get(words);
    if (terms === "" || earlier === undefined) {
      first.set(words, name);
      return `${name}\n\n${text.trim()}\n`;
    }
    return `${name}\n\n${
      text.slice(0, from).trim()
    }\n\nThe terms are those of ${earlier} above, word for word.\n`;
  });
}

/** The names of packages that these files import. */
function packagesOf(files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [file, text] of files) {
    if (file.startsWith("dist/vendor-") || !/\.(js|ts)$/.test(file)) continue;
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const name = /^(@[^/]+\/[^/]+|[^./@][^/:]*)(\/|$)/.exec(fileName)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

interface Built {
  /** Files by their paths in `@dpcheck/dpcheck`; those of `@dpcheck/dp` begin with `dp/`. */
  readonly files: ReadonlyMap<string, string>;
}

/** The name of an entry point's file in `dist`. */
function entryName(path: string): string {
  return path === "." ? "index" : path.slice("./".length);
}

function sourceOf(file: string): string {
  return file.replace(/^\.\//, "");
}

/** JavaScript for these modules, by their names in `dist`, and for all that they import. */
async function bundle(
  modules: Readonly<Record<string, string>>,
  { entries, vendored, read }: {
    readonly entries: Readonly<Record<string, string>>;
    readonly vendored: readonly string[];
    readonly read: NpmSources["read"];
  },
): Promise<Built & { readonly holders: readonly string[] }> {
  const bundle = await rollup({
    input: { ...modules },
    // Functions that nothing calls are kept, for they may be exported.
    treeshake: false,
    external: (specifier) => !specifier.startsWith(".") && !specifier.endsWith(".ts"),
    onLog(_, { message }): void {
      throw new Error(`Cannot make the npm package: ${message}`);
    },
    plugins: [{
      name: "sources",
      resolveId: (specifier, importer) =>
        specifier.startsWith(".") ? pathFrom(importer!, specifier) : specifier,
      load: (file) => javascriptOf(read(file)),
    }],
  });
  let ofRoot: ReadonlySet<string> | undefined, ofEntries: ReadonlySet<string> | undefined;
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: ({ name }) => fileOf(name),
    chunkFileNames: ({ name }) => fileOf(/^(dp\/|lib-)/.test(name) ? name : `part-${name}`),
    // Vendored packages have files beside the others, those of dp in its package.
    paths: Object.fromEntries(vendored.map((name) => [name, `./${vendoredFile(name)}`])),
    minifyInternalExports: false,
    // Files that start with other files would be loaded for their names alone.
    hoistTransitiveImports: false,
    manualChunks(file, { getModuleInfo }): string | undefined {
      const importsOf = (one: string): readonly string[] =>
        getModuleInfo(one)!.importedIds.filter((other) => other.endsWith(".ts"));
      ofRoot ??= reachedFrom(entries.index === undefined ? [] : [entries.index], importsOf);
      ofEntries ??= reachedFrom(Object.values(entries), importsOf);
      // A module that nothing imports has the file of its name.
      if (getModuleInfo(file)!.importers.length === 0) return undefined;
      if (!isOfDp(file) && !ofEntries.has(file)) return undefined;
      const [, member, ...rest] = file.split("/"), room = rest.length > 1 ? rest[0] : member;
      const name = member === "core"
        ? "dp/part-core"
        : `${isOfDp(file) ? "dp/part" : "lib"}-${room}`;
      return ofRoot.has(file) ? name : `${name}-more`;
    },
  });
  const chunks = output.filter((each) => each.type === "chunk");
  return {
    files: new Map(chunks.map(({ fileName, code }) => [
      fileName,
      // One package imports the other by its name.
      fileName.startsWith("dp/") ? withoutSpaces(code) : withoutSpaces(code)
        .replaceAll(/(["'])(?:\.\.\/)+dp\/dist\/([\w.-]+\.js)\1/g, `$1${DP}/internal/$2$1`),
    ])),
    holders: chunks.filter(({ moduleIds }) =>
      moduleIds.some((file) => Object.hasOwn(TRUSTED_FILES, file))
    )
      .map(({ fileName }) => fileName.replace(/^dp\//, `${DP}/`)).sort(),
  };
}

/** Code without spaces that part no words, a sixth of it: lines stay, and so does all that stands in texts. */
function withoutSpaces(code: string): string {
  const tokens: Token[] = [];
  parse(code, { ecmaVersion: "latest", sourceType: "module", onToken: tokens });
  let out = "", at = 0;
  for (const { start, end } of tokens) {
    const between = code.slice(at, start).replaceAll(/\n +/g, "\n");
    out += /^ +$/.test(between) && !partsWords(out.at(-1)!, code[start]!) ? "" : between;
    out += code.slice(start, end);
    at = end;
  }
  return out + code.slice(at);
}

/** Whether a space is needed between two characters that tokens end and begin with, or may be. */
function partsWords(before: string, behind: string): boolean {
  const isWord = /[\w$"'`]/;
  return !/[,;:(){}[\]]/.test(before + behind) &&
    !(before === "=" && isWord.test(behind) || behind === "=" && isWord.test(before));
}

/** The file of a module by its name; those of `@dpcheck/dp` have names that begin with `dp/`. */
function fileOf(name: string): string {
  return name.startsWith("dp/") ? `dp/dist/${name.slice("dp/".length)}.js` : `dist/${name}.js`;
}

/** These modules, and those that they import, directly or through others, but not when they run. */
function reachedFrom(
  files: readonly string[],
  importsOf: (file: string) => readonly string[],
): ReadonlySet<string> {
  const reached = new Set(files);
  // A set that grows while it is read is read to its end.
  for (const file of reached) for (const other of importsOf(file)) reached.add(other);
  return reached;
}

/** Declarations of what these modules export, and of the modules that those name. */
function declarationsOf(entries: readonly string[], read: NpmSources["read"]): Built {
  const files = new Map<string, string>();
  const toDeclare = new Set(entries);
  for (const file of toDeclare) {
    const declaration = declarationOf(file, read(file));
    for (const { fileName } of ts.preProcessFile(declaration).importedFiles) {
      if (fileName.startsWith(".")) toDeclare.add(pathFrom(file, fileName.replace(/\.js$/, ".ts")));
    }
    files.set(
      `${isOfDp(file) ? "dp/" : ""}types/${file.replace(/\.ts$/, ".d.ts")}`,
      isOfDp(file) ? declaration : declaration.replaceAll(
        /((?:from|import) *\(?")(\.[^"]*)"/g,
        (whole, before, specifier) => {
          const path = pathFrom(file, specifier);
          return isOfDp(path) ? `${before}${DP}/types/${path}"` : whole;
        },
      ),
    );
  }
  return { files };
}

/** The path that a module means by a relative specifier. */
function pathFrom(importer: string, specifier: string): string {
  return new URL(specifier, `file:///${importer}`).pathname.slice(1);
}

function declarationOf(file: string, text: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    fileName: file,
    compilerOptions: { ...OPTIONS, declaration: true, isolatedDeclarations: true },
    reportDiagnostics: true,
  });
  const [problem] = diagnostics;
  if (problem !== undefined) {
    const line = text.slice(0, problem.start).split("\n").length;
    const message = ts.flattenDiagnosticMessageText(problem.messageText, " ");
    throw new Error(`Cannot declare the types of ${file}, line ${line}: ${message}`);
  }
  // The compiler rewrites endings in JavaScript only.
  return outputText.replaceAll(/((?:from|import) *\(?"\.[^"]*)\.ts"/g, '$1.js"');
}

/** The file of the package that `dpcheck prove --trusted` reads. */
function trustedText(holders: readonly string[], read: NpmSources["read"]): string {
  const sources = Object.keys(TRUSTED_FILES).map((file) => [file, sha256(read(file))]);
  const text: BuiltFrom = { sources: Object.fromEntries(sources), holders };
  return `${JSON.stringify(text, undefined, 2)}\n`;
}

function commandText(): string {
  return [
    "#!/usr/bin/env node",
    'import process from "node:process";',
    "",
    "try {",
    '  const { main } = await import("../dist/cli.js");',
    "  process.exit(await main(process.argv.slice(2)));",
    "} catch (error) {",
    "  const missing = /^Cannot find package '([^']+)'/.exec(error?.message)?.[1];",
    '  if (error?.code !== "ERR_MODULE_NOT_FOUND" || missing === undefined) throw error;',
    "  console.error(",
    "    `dpcheck: the package ${missing} is not installed: npm links a folder without what it needs; install the archives that npm pack makes, or give npm install the option --install-links`,",
    "  );",
    "  process.exit(3);",
    "}",
    "",
  ].join("\n");
}

/** Packages with their versions, in the form of `package.json`. @throws {Error} where a version is not written down. */
function versionsOf(
  names: Iterable<string>,
  imports: Readonly<Record<string, string>>,
): Record<string, string> {
  const used = [...names].filter((name) => name !== DP && !name.startsWith("node:")).sort();
  return Object.fromEntries(used.map((name) => {
    const version = /^npm:.+@([^@]+)$/.exec(imports[name] ?? "")?.[1];
    if (version === undefined) {
      throw new Error(`Cannot make the npm package: deno.json must name a version of ${name}`);
    }
    return [name, version];
  }));
}

/** Fields of `package.json` that both packages share. */
function manifestOf({ version, license }: DenoJson, name: string, description: string): object {
  return {
    name,
    version,
    description,
    keywords: ["differential privacy"],
    license,
    type: "module",
    engines: { node: ">=20.11" },
  };
}

function exportOf(types: string, file: string): object {
  return { types: `./types/${types.replace(/\.ts$/, "")}.d.ts`, default: `./dist/${file}.js` };
}

function dpManifest(
  config: DenoJson,
  { imports, dpEntries, used }: {
    readonly imports: Readonly<Record<string, string>>;
    readonly dpEntries: Readonly<Record<string, string>>;
    readonly used: ReadonlySet<string>;
  },
): string {
  const description = "Differential privacy: mechanisms, accounting, tables and learners";
  const manifest = {
    ...manifestOf(config, DP, description),
    exports: {
      ...Object.fromEntries(
        Object.entries(dpEntries).map(([path, file]) => [path, exportOf(file, entryName(path))]),
      ),
      // For @dpcheck/dpcheck of the same version alone: these change without notice.
      "./internal/*": "./dist/*",
      "./types/*.ts": { types: "./types/*.d.ts" },
      "./types/*.js": { types: "./types/*.d.ts" },
      "./package.json": "./package.json",
    },
    ...dependenciesOf(used, imports),
  };
  return JSON.stringify(manifest, null, 2) + "\n";
}

function dpcheckManifest(
  config: DenoJson,
  { imports, again, used }: {
    readonly imports: Readonly<Record<string, string>>;
    readonly again: ReadonlyMap<string, string>;
    readonly used: ReadonlySet<string>;
  },
): string {
  const { dependencies, ...peers } = dependenciesOf(used, imports);
  const manifest = {
    ...manifestOf(
      config,
      config.name,
      "Does this code keep the differential-privacy claim it makes?",
    ),
    keywords: ["differential privacy", "audit", "testing"],
    bin: { dpcheck: `./${COMMAND}` },
    exports: {
      ...Object.fromEntries(
        Object.entries(config.exports).map(([path, file]) => {
          const name = entryName(path);
          return [path, exportOf(again.has(name) ? name : sourceOf(file), name)];
        }),
      ),
      "./package.json": "./package.json",
    },
    dependencies: { [DP]: config.version, ...dependencies },
    ...peers,
  };
  return JSON.stringify(manifest, null, 2) + "\n";
}

/** Packages that are installed with a package of ours, and those that only some of its parts need and name when they are missing. */
function dependenciesOf(
  used: ReadonlySet<string>,
  imports: Readonly<Record<string, string>>,
): Readonly<Record<"dependencies" | "peerDependencies" | "peerDependenciesMeta", object>> {
  const versions = Object.entries(versionsOf(used, imports));
  const peers = versions.filter(([name]) => PEERS.includes(name));
  return {
    dependencies: Object.fromEntries(versions.filter(([name]) => !PEERS.includes(name))),
    peerDependencies: Object.fromEntries(peers.map(([name, version]) => [name, `^${version}`])),
    peerDependenciesMeta: Object.fromEntries(peers.map(([name]) => [name, { optional: true }])),
  };
}
