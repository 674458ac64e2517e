import { type BuiltFrom, sha256, TRUSTED_FILES } from "../proofs/engine/trusted_files.ts";
import { rollup } from "@rollup/wasm-node";
import ts from "typescript";

/** What the npm package is made of. */
export interface NpmSources {
  /** The text of `deno.json`. */
  readonly denoJson: string;
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
  "CHANGELOG.md",
  "GLOSSARY.md",
  "LICENSE",
  "LIMITS.md",
  "README.md",
  "action.yml",
  "deploy/gitlab-ci.yml",
  "docs/dpcheck.schema.json",
  "docs/evidence.md",
  "docs/many_machines.md",
  "docs/programs.md",
  "docs/suites.md",
];

/** What `npx dpcheck` runs. */
const COMMAND = "bin/dpcheck.js";

/** Installed by those who need them: for arbitraries in tests, and for audits on many machines. */
const PEERS = ["bullmq", "fast-check", "ioredis"];

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
 * The files of the npm package, by their paths in it: JavaScript in `dist`, declarations of what entry points export in `types`, and a
 * `package.json`. Node takes a millisecond to load a file, and an entry point needs hundreds, so `dist` has one file for each folder
 * of `lib`: what the root needs of it, and beside that, where there is any, the rest.
 *
 * @throws {Error} when a module imports a package that `deno.json` does not name, or a declaration needs a type that is
 * not written down.
 */
export async function npmPackage({ denoJson, read }: NpmSources): Promise<Map<string, string>> {
  const config = JSON.parse(denoJson) as DenoJson;
  const entries = Object.fromEntries(
    Object.entries(config.exports).map(([path, file]) => [entryName(path), sourceOf(file)]),
  );
  const code = await bundle({ ...entries, ...OTHER_MODULES }, { entries, read });
  const types = declarationsOf(Object.values(entries), read);
  return new Map([
    ...code.files,
    ...types.files,
    [COMMAND, commandText()],
    ["dist/trusted.json", trustedText(code.holders, read)],
    ["package.json", packageText(config, new Set([...code.packages, ...types.packages]))],
  ]);
}

interface Built {
  readonly files: ReadonlyMap<string, string>;
  /** The names that the files import and that are no files of ours. */
  readonly packages: ReadonlySet<string>;
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
  { entries, read }: {
    readonly entries: Readonly<Record<string, string>>;
    readonly read: NpmSources["read"];
  },
): Promise<Built & { readonly holders: readonly string[] }> {
  const bundle = await rollup({
    input: { ...modules },
    // What is never called stays: it is somebody's export.
    treeshake: false,
    external: (specifier) => !specifier.startsWith(".") && !specifier.endsWith(".ts"),
    onLog(_, { message }): void {
      throw new Error(`Cannot make the npm package: ${message}`);
    },
    plugins: [{
      name: "sources",
      resolveId: (specifier, importer) =>
        specifier.startsWith(".") ? pathFrom(importer!, specifier) : specifier,
      load: (file) =>
        ts.transpileModule(read(file), {
          fileName: file,
          compilerOptions: { ...OPTIONS, removeComments: true },
        }).outputText,
    }],
  });
  let ofRoot: ReadonlySet<string> | undefined, ofEntries: ReadonlySet<string> | undefined;
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "[name].js",
    chunkFileNames: ({ name }) => name.startsWith("lib-") ? `${name}.js` : `part-${name}.js`,
    minifyInternalExports: false,
    // Files that start with other files would be loaded for their names alone.
    hoistTransitiveImports: false,
    manualChunks(file, { getModuleInfo }): string | undefined {
      const importsOf = (one: string): readonly string[] =>
        getModuleInfo(one)!.importedIds.filter((other) => other.endsWith(".ts"));
      ofRoot ??= reachedFrom(entries.index === undefined ? [] : [entries.index], importsOf);
      ofEntries ??= reachedFrom(Object.values(entries), importsOf);
      // A module that nothing imports has the file of its name.
      if (!ofEntries.has(file) || getModuleInfo(file)!.importers.length === 0) return undefined;
      const folder = file.split("/").slice(0, 2).join("-");
      return ofRoot.has(file) ? folder : `${folder}-more`;
    },
  });
  const chunks = output.filter((each) => each.type === "chunk");
  const names = new Set(chunks.map(({ fileName }) => fileName));
  return {
    files: new Map(chunks.map(({ fileName, code }) => [`dist/${fileName}`, code])),
    holders: chunks.filter(({ moduleIds }) =>
      moduleIds.some((file) => Object.hasOwn(TRUSTED_FILES, file))
    )
      .map(({ fileName }) => `dist/${fileName}`).sort(),
    packages: new Set(
      chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
        .filter((name) => !names.has(name)),
    ),
  };
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
  const packages = new Set<string>();
  const toDeclare = new Set(entries);
  for (const file of toDeclare) {
    const declaration = declarationOf(file, read(file));
    files.set(`types/${file.replace(/\.ts$/, ".d.ts")}`, declaration);
    for (const { fileName } of ts.preProcessFile(declaration).importedFiles) {
      if (fileName.startsWith(".")) toDeclare.add(pathFrom(file, fileName.replace(/\.js$/, ".ts")));
      else packages.add(fileName);
    }
  }
  return { files, packages };
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

/** What `dpcheck prove --trusted` reads in the package. */
function trustedText(holders: readonly string[], read: NpmSources["read"]): string {
  const sources = Object.keys(TRUSTED_FILES).map((file) => [file, sha256(read(file))]);
  const text: BuiltFrom = { sources: Object.fromEntries(sources), holders };
  return `${JSON.stringify(text, undefined, 2)}\n`;
}

function commandText(): string {
  return [
    "#!/usr/bin/env node",
    'import process from "node:process";',
    'import { main } from "../dist/cli.js";',
    "",
    "process.exit(await main(process.argv.slice(2)));",
    "",
  ].join("\n");
}

function packageText(config: DenoJson, imported: ReadonlySet<string>): string {
  const versions = [...imported].filter((name) => !name.startsWith("node:")).sort().map((name) => {
    const version = /^npm:.+@([^@]+)$/.exec(config.imports[name] ?? "")?.[1];
    if (version === undefined) {
      throw new Error(`Cannot make the npm package: deno.json must name a version of ${name}`);
    }
    return [name, version] as const;
  });
  const peers = versions.filter(([name]) => PEERS.includes(name));
  const manifest = {
    name: config.name,
    version: config.version,
    description: "Does this code keep the differential-privacy claim it makes?",
    keywords: ["differential privacy", "audit", "testing"],
    license: config.license,
    type: "module",
    engines: { node: ">=20.11" },
    bin: { dpcheck: `./${COMMAND}` },
    exports: {
      ...Object.fromEntries(
        Object.entries(config.exports).map(([path, file]) => [path, {
          types: `./types/${sourceOf(file).replace(/\.ts$/, ".d.ts")}`,
          default: `./dist/${entryName(path)}.js`,
        }]),
      ),
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(
      versions.filter(([name]) => !PEERS.includes(name)),
    ),
    peerDependencies: Object.fromEntries(
      peers.map(([name, version]) => [name, `^${version}`]),
    ),
    peerDependenciesMeta: Object.fromEntries(peers.map(([name]) => [name, { optional: true }])),
  };
  return JSON.stringify(manifest, null, 2) + "\n";
}
