import { rollup } from "@rollup/wasm-node";
import ts from "typescript";

const root = new URL("../", import.meta.url);
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  removeComments: true,
};

/** Scripts of pages, by their names in `assets`. */
const OF_PAGES: Readonly<Record<string, string>> = { search: "site/browser/search.ts" };

/** The scripts of the site by their paths on it, each with what it imports. */
export async function browserScripts(): Promise<Map<string, string>> {
  const bundle = await rollup({
    input: { ...OF_PAGES },
    onLog(_, { message }): void {
      throw new Error(`Cannot bundle a script: ${message}`);
    },
    plugins: [{
      name: "sources",
      resolveId: (specifier, importer) =>
        specifier.startsWith(".")
          ? new URL(specifier, `file:///${importer!}`).pathname.slice(1)
          : specifier,
      load: (file) =>
        ts.transpileModule(Deno.readTextFileSync(new URL(file, root)), {
          fileName: file,
          compilerOptions: OPTIONS,
        }).outputText,
    }],
  });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "assets/[name].js",
    chunkFileNames: "assets/[name].js",
  });
  return new Map(
    output.flatMap((file) => file.type === "chunk" ? [[file.fileName, file.code] as const] : []),
  );
}
