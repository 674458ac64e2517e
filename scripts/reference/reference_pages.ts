import { documentationOf } from "./documentation.ts";
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
  return new Map([
    ["README.md", indexOf(entries)],
    ...entries.map(({ entry, page, file }): [string, string] => [
      page,
      pageOf(entry, documents.get(file)!),
    ]),
    ...theoremPages(),
  ]);
}
