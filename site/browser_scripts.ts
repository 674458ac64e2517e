import { type InputOptions, rollup } from "@rollup/wasm-node";
import { createRequire } from "node:module";
import { javascriptOf } from "../scripts/javascript_of.ts";
import { sandboxPage } from "./sandbox_page.ts";

const root = new URL("../", import.meta.url);

/** Scripts of pages, by their names in `assets`; they share what they have in common. */
const OF_PAGES: readonly string[] = [
  "page",
  "playground",
  "neighbours",
  "output_perturbation",
  "breach",
  "reusable_holdout",
];
/** Address of the script of the worker: frames of its own are none of the function's. */
const OWN_ADDRESS = "https://dpcheck.invalid/worker.js";

/** Replacements in a browser for what Node has, or for what is loaded there from a file. */
const STAND_INS: Readonly<Record<string, string>> = {
  "ws": "export default {};",
  // A browser has a document of its own.
  "linkedom": "export const parseHTML = () => ({ document });",
  // Hashes are of whole pages, which a page does not make.
  "node:crypto": "export const createHash = undefined;",
  "node:process": "export default { versions: { browser: '1' } };",
  "node:module": "export const createRequire = undefined, isBuiltin = () => false;",
  "node:url":
    "export const pathToFileURL = (path) => new URL(path, 'file:///'), fileURLToPath = (url) => new URL(url).pathname;",
  "node:path":
    "export const dirname = (path) => path, join = (...parts) => parts.join('/'), relative = (_, path) => path, resolve = join, sep = '/', basename = dirname, extname = dirname, isAbsolute = () => true;",
  "node:util": "export const types = { isProxy: () => false };",
  "highs": `import load from ${JSON.stringify(new URL(import.meta.resolve("highs")).pathname)};
export default () => load({
  instantiateWasm: (imports, done) =>
    WebAssembly.instantiate(globalThis.solver, imports).then(({ instance }) => done(instance)),
});`,
};

/** The scripts of the site by their paths on it, each with what it imports, and what they load. */
export async function browserScripts(): Promise<Map<string, string | Uint8Array<ArrayBuffer>>> {
  const solver = createRequire(import.meta.url).resolve("highs/runtime");
  return new Map<string, string | Uint8Array<ArrayBuffer>>([
    ...await bundled(OF_PAGES, "es"),
    // A worker is made of one text.
    ...await bundled(["worker"], "iife"),
    ...await bundled(["line_worker"], "iife"),
    ...await pythonWorker(),
    ...await packageBundles(),
    ...await pythonFiles(),
    ["assets/sandbox.html", sandboxPage()],
    ["assets/solver.wasm", await Deno.readFile(solver)],
  ]);
}

/** Packages that are bundled by themselves, minified, and loaded on demand, by the files that import them as those of ours. */
const PACKAGES: Readonly<Record<string, string>> = {
  "@observablehq/plot": "plot.js",
  [`${root.pathname}site/browser/editor_packages.ts`]: "editor_packages.js",
};

/** The files of {@linkcode PACKAGES}, as `deno bundle` makes them. */
async function packageBundles(): Promise<[path: string, text: string][]> {
  const folder = await Deno.makeTempDir();
  try {
    const made: [string, string][] = [];
    for (const [specifier, name] of Object.entries(PACKAGES)) {
      const entry = `${folder}/entry.ts`, output = `${folder}/bundle.js`;
      await Deno.writeTextFile(entry, `export * from ${JSON.stringify(specifier)};\n`);
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "bundle",
          "--quiet",
          "--platform",
          "browser",
          "--minify",
          "--config",
          `${root.pathname}deno.json`,
          "--output",
          output,
          entry,
        ],
        env: { NO_COLOR: "1" },
      }).output();
      if (!success) throw new Error(`Cannot bundle ${name}: ${new TextDecoder().decode(stderr)}`);
      made.push([`assets/${name}`, await Deno.readTextFile(output)]);
    }
    return made;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The worker for Python, with Python's own script before it: a module that is read as a script of a worker. */
async function pythonWorker(): Promise<[path: string, text: string][]> {
  const module = new URL("pyodide.asm.mjs", import.meta.resolve("pyodide"));
  const script = (await Deno.readTextFile(module))
    .replaceAll("import.meta.url", JSON.stringify(OWN_ADDRESS))
    .replace(/export default \w+;\s*$/, "");
  return (await bundled(["python_worker"], "iife"))
    .map(([path, text]) => [path, `${script}\n${text}`]);
}

/** Reads the files that Python in the browser is made of, and the adapter that serves a function. */
async function pythonFiles(): Promise<[path: string, content: string | Uint8Array<ArrayBuffer>][]> {
  const pyodide = new URL(".", import.meta.resolve("pyodide"));
  const adapter: Record<string, string> = {};
  for (const below of ["", "recording/"]) {
    const folder = new URL(`adapters/python/dpcheck/${below}`, root);
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.endsWith(".py")) continue;
      adapter[below + name] = await Deno.readTextFile(new URL(name, folder));
    }
  }
  const { info } = JSON.parse(await Deno.readTextFile(new URL("pyodide-lock.json", pyodide)));
  return [
    ["assets/adapter.json", JSON.stringify({ adapter, lock: { info, packages: {} } })],
    ...await Promise.all(
      ["pyodide.asm.wasm", "python_stdlib.zip"].map(async (
        name,
      ): Promise<[string, Uint8Array<ArrayBuffer>]> => [
        `assets/${name}`,
        await Deno.readFile(new URL(name, pyodide)),
      ]),
    ),
  ];
}

/** JavaScript of these files of `browser`. */
async function bundled(
  names: readonly string[],
  format: "es" | "iife",
): Promise<[path: string, text: string][]> {
  const bundle = await rollup({
    input: Object.fromEntries(
      names.map((name) => [name, `${root.pathname}site/browser/${name}.ts`]),
    ),
    // Parts of Node that code for files and folders names, and a page never calls.
    shimMissingExports: true,
    onLog(_, { code, message }): void {
      if (code === "SHIMMED_EXPORT") return;
      throw new Error(`Cannot bundle a script: ${message}`);
    },
    plugins: [SOURCES],
  });
  const { output } = await bundle.generate({
    format,
    inlineDynamicImports: format === "iife",
    entryFileNames: "assets/[name].js",
    chunkFileNames: "assets/[name].js",
  });
  return output.flatMap((file) => file.type === "chunk" ? [[file.fileName, file.code]] : []);
}

/** The file of a package for browsers, as ours or another package imports it. */
function moduleOf(specifier: string, importer: string): string {
  if (importer.startsWith(root.pathname)) return new URL(import.meta.resolve(specifier)).pathname;
  // What is resolved for `require` stands in the same package as the module.
  const required = createRequire(`file://${importer}`).resolve(specifier);
  let folder = new URL(".", `file://${required}`);
  for (; folder.pathname !== "/"; folder = new URL("..", folder)) {
    try {
      const { exports, module } = JSON.parse(
        Deno.readTextFileSync(new URL("package.json", folder)),
      ) as { exports?: Record<string, unknown> & { import?: unknown }; module?: string };
      const of = exports?.import ?? (exports?.["."] as { import?: unknown } | undefined)?.import;
      const file = typeof of === "string" ? of : module;
      return file === undefined ? required : new URL(file, folder).pathname;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return required;
}

const SOURCES: InputOptions["plugins"] = {
  name: "sources",
  resolveId: (specifier, importer) => {
    const path = specifier.startsWith(".")
      ? new URL(specifier, `file://${importer!}`).pathname
      : specifier;
    const made = PACKAGES[path];
    // Beside the scripts of ours, which are all in one folder.
    if (made !== undefined) return { id: `./${made}`, external: true };
    if (specifier.startsWith(".")) return path;
    if (
      specifier.startsWith("node:") || specifier.startsWith("/") ||
      Object.hasOwn(STAND_INS, specifier)
    ) return specifier;
    return moduleOf(specifier, importer!);
  },
  load(file): string {
    // What packages ask Node for is not asked for in a browser.
    const text = STAND_INS[file] ?? (file.startsWith("node:") ? "export default {};" : undefined) ??
      Deno.readTextFileSync(file);
    if (!file.endsWith(".ts")) return text;
    return javascriptOf(text);
  },
  resolveImportMeta: (property, { format }) =>
    format === "iife" && property === "url" ? JSON.stringify(OWN_ADDRESS) : null,
};
