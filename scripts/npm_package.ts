import ts from "typescript";

/** What the npm package is made of. */
export interface NpmSources {
  /** The text of `deno.json`. */
  readonly denoJson: string;
  /** Reads a source file, by its path from the root of the repository. */
  readonly read: (file: string) => string;
}

/** The modules that the package must have besides its entry points: the command line, and what threads load by name. */
const OTHER_MODULES = [
  "cli/main.ts",
  "cli/exact/fresh_worker.ts",
  "cli/shards/shard_worker.ts",
  "lib/audit/subjects/thread/subject_worker.ts",
  "lib/audit/subjects/thread/load_module.ts",
];

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
  "adapters/python/dpcheck/private.py",
  "adapters/python/dpcheck/pytest_plugin.py",
  "adapters/python/dpcheck/serve.py",
  "adapters/python/pyproject.toml",
  "adapters/python/wheel_backend.py",
  "adapters/r/README.md",
  "adapters/r/dpcheck.R",
  "adapters/rust/README.md",
  "adapters/rust/dpcheck.rs",
  "CHANGELOG.md",
  "GLOSSARY.md",
  "LICENSE",
  "LIMITS.md",
  "README.md",
  "docs/dpcheck.schema.json",
  "docs/evidence.md",
  "docs/many_machines.md",
  "docs/programs.md",
  "docs/suites.md",
];

/** What `npx dpcheck` runs. */
const COMMAND = "bin/dpcheck.js";

/** Imported by tests of its users, so that the version is theirs. */
const PEERS = ["fast-check"];

/** Needed for audits on many machines alone. */
const OPTIONAL = ["bullmq", "ioredis"];

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  rewriteRelativeImportExtensions: true,
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
 * The files of the npm package, by their paths in it: JavaScript for every module that an entry point of `deno.json` or the
 * command line needs, each beside its type declarations where an entry point needs it, and a `package.json`.
 *
 * @throws {Error} when a module imports a package that `deno.json` does not name, or a declaration needs a type that is
 * not written down.
 */
export function npmPackage({ denoJson, read }: NpmSources): Map<string, string> {
  const config = JSON.parse(denoJson) as DenoJson;
  const entries = Object.values(config.exports).map((path) => path.replace(/^\.\//, ""));
  const typed = modulesUnder(entries, read);
  const all = modulesUnder([...entries, ...OTHER_MODULES], read);
  const files = new Map<string, string>();
  for (const [file, text] of all.texts) {
    const { outputText } = ts.transpileModule(text, {
      fileName: file,
      compilerOptions: { ...OPTIONS, removeComments: true },
    });
    files.set(file.replace(/\.ts$/, ".js"), outputText);
    if (typed.texts.has(file)) files.set(file.replace(/\.ts$/, ".d.ts"), declarationOf(file, text));
  }
  files.set(COMMAND, commandText());
  files.set("package.json", JSON.stringify(packageJson(config, all.packages), null, 2) + "\n");
  return files;
}

interface Modules {
  readonly texts: ReadonlyMap<string, string>;
  /** The names that modules import and that are no files of ours. */
  readonly packages: ReadonlySet<string>;
}

/** The modules that `entries` import, directly or through others, themselves among them. */
function modulesUnder(entries: readonly string[], read: (file: string) => string): Modules {
  const texts = new Map<string, string>();
  const packages = new Set<string>();
  const toRead = [...entries];
  for (let file = toRead.pop(); file !== undefined; file = toRead.pop()) {
    if (texts.has(file)) continue;
    const text = read(file);
    texts.set(file, text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith(".")) {
        toRead.push(new URL(fileName, `file:///${file}`).pathname.slice(1));
      } else packages.add(fileName);
    }
  }
  return { texts, packages };
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

function commandText(): string {
  return [
    "#!/usr/bin/env node",
    'import process from "node:process";',
    'import { main } from "../cli/main.js";',
    "",
    "process.exit(await main(process.argv.slice(2)));",
    "",
  ].join("\n");
}

function packageJson(config: DenoJson, imported: ReadonlySet<string>): Record<string, unknown> {
  const versions = [...imported].filter((name) => !name.startsWith("node:")).sort().map((name) => {
    const version = /^npm:.+@([^@]+)$/.exec(config.imports[name] ?? "")?.[1];
    if (version === undefined) {
      throw new Error(`Cannot make the npm package: deno.json must name a version of ${name}`);
    }
    return [name, version] as const;
  });
  const peers = versions.filter(([name]) => PEERS.includes(name));
  return {
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
          types: file.replace(/\.ts$/, ".d.ts"),
          default: file.replace(/\.ts$/, ".js"),
        }]),
      ),
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(
      versions.filter(([name]) => ![...PEERS, ...OPTIONAL].includes(name)),
    ),
    optionalDependencies: Object.fromEntries(
      versions.filter(([name]) => OPTIONAL.includes(name)),
    ),
    peerDependencies: Object.fromEntries(
      peers.map(([name, version]) => [name, `^${version}`]),
    ),
    peerDependenciesMeta: Object.fromEntries(peers.map(([name]) => [name, { optional: true }])),
  };
}
