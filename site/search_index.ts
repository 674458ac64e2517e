import MiniSearch from "minisearch";
import type { Rendered } from "./markdown.ts";
import { SEARCH_OPTIONS, type SectionFound } from "./browser/search_options.ts";

/** Characters of a section that are shown below what was found. */
const SHOWN = 160;

interface Indexed {
  readonly id: number;
  readonly text: string;
  readonly asked: string;
}

/**
 * The index that the search of a site loads.
 *
 * @param options.asked the questions that sections answer, by path and anchor, or by the path of a whole page.
 */
export function searchIndex(
  pages: Iterable<readonly [path: string, page: Rendered]>,
  { asked: questions }: { readonly asked: ReadonlyMap<string, string> },
): string {
  const index = new MiniSearch<Omit<SectionFound, "terms"> & Indexed>(SEARCH_OPTIONS);
  let id = 0;
  for (const [path, { title: page, sections }] of pages) {
    for (const { title, anchor, depth, text } of sections) {
      const asked = questions.get(depth === 1 ? path : `${path}#${anchor}`) ?? "";
      const clean = text.trim().replaceAll(/\s+/g, " ");
      const shown = clean.slice(0, SHOWN);
      index.add({ id: id++, title, page, path, anchor, asked, text: clean, shown });
    }
  }
  return JSON.stringify(index);
}
