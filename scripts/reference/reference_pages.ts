import { type Documentation, documentationOf, type DocumentedSymbol } from "./documentation.ts";
import { indexOf, pageOf } from "./page_of.ts";
import { theoremPages } from "./theorem_pages.ts";

const root = new URL("../../", import.meta.url);

/** The reference pages by their paths below out/reference: one for each entry point of `deno.json` and for each theorem. */
export async function referencePages(): Promise<Map<string, string>> {
  const { name, exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root))) as {
    name: string;
    exports: Record<string, string>;
  };
  const documents = await documentationOf(Object.values(exports), root);
  const entries = Object.entries(exports).map(([path, file]) => ({
    entry: `${name}${path.slice(1)}`,
    page: path === "." ? "dpcheck.md" : `${path.slice(2)}.md`,
    file,
  }));
  const homeOf = homesOf(entries, documents);
  return new Map([
    ["README.md", indexOf(entries, { documents, homeOf })],
    ...entries.map(({ entry, page, file }): [string, string] => [
      page,
      pageOf(entry, { documentation: documents.get(file)!, page, homeOf }),
    ]),
    ...theoremPages(),
  ]);
}

/**
 * The page on which a symbol is described, where several entries export it: that of the entry whose folder is nearest to where it is
 * declared. The entry of everything comes last.
 */
function homesOf(
  entries: readonly { readonly page: string; readonly file: string }[],
  documents: ReadonlyMap<string, Documentation>,
): (symbol: DocumentedSymbol) => string {
  const homes = new Map<string, { page: string; nearness: number }>();
  const keyOf = ({ name, declarations }: DocumentedSymbol): string =>
    `${name} ${declarations[0]!.location.filename}`;
  for (const { page, file } of entries) {
    const folder = new URL(file.slice(0, file.lastIndexOf("/") + 1), root).href;
    for (const symbol of documents.get(file)!.symbols) {
      const isInside = symbol.declarations[0]!.location.filename.startsWith(folder);
      const nearness = page === "dpcheck.md"
        ? -1
        : (isInside ? folder.length : 0) + (file.endsWith("/mod.ts") ? 0.5 : 0);
      const before = homes.get(keyOf(symbol));
      if (before === undefined || nearness > before.nearness) {
        homes.set(keyOf(symbol), { page, nearness });
      }
    }
  }
  return (symbol) => homes.get(keyOf(symbol))!.page;
}
