import { type InputOptions, rollup } from "@rollup/wasm-node";
import { createRequire } from "node:module";
import ts from "typescript";
import { sandboxPage } from "./sandbox_page.ts";

const root = new URL("../", import.meta.url);
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  removeComments: true,
};

/** Scripts of pages, by their names in `assets`; they share what they have in common. */
const OF_PAGES: readonly string[] = [
  "page",
  "playground",
  "neighbours",
  "output_perturbation",
  "breach",
  "reusable_holdout",
];
/** Where the script of the worker says that it is: frames of its own are none of the function's. */
const OWN_ADDRESS = "https://dpcheck.invalid/worker.js";

/** What stands in a browser for what Node has, or what is loaded there from a file. */
const STAND_INS: Readonly<Record<string, string>> = {
  "node:process": "export default { versions: { browser: '1' } };",
  "node:module": "export const createRequire = undefined;",
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
    // The worker is made of one text.
    ...await bundled(["worker"], "iife"),
    ["assets/sandbox.html", sandboxPage()],
    ["assets/solver.wasm", await Deno.readFile(solver)],
  ]);
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
    onLog(_, { message }): void {
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
    if (specifier.startsWith(".")) return new URL(specifier, `file://${importer!}`).pathname;
    if (specifier.startsWith("/") || Object.hasOwn(STAND_INS, specifier)) return specifier;
    return moduleOf(specifier, importer!);
  },
  load(file): string {
    const text = STAND_INS[file] ?? Deno.readTextFileSync(file);
    if (!file.endsWith(".ts")) return text;
    return ts.transpileModule(text, { fileName: file, compilerOptions: OPTIONS }).outputText;
  },
  resolveImportMeta: (property, { format }) =>
    format === "iife" && property === "url" ? JSON.stringify(OWN_ADDRESS) : null,
};
