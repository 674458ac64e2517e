import MiniSearch from "minisearch";
import type { Rendered } from "./markdown.ts";
import { SEARCH_OPTIONS, type SectionFound } from "./browser/search_options.ts";

/** Characters of a section that are shown below what was found. */
const SHOWN = 160;

interface Indexed {
  readonly id: number;
  readonly text: string;
}

/** The index that the search of a site loads. */
export function searchIndex(pages: Iterable<readonly [path: string, page: Rendered]>): string {
  const index = new MiniSearch<Omit<SectionFound, "terms"> & Indexed>(SEARCH_OPTIONS);
  let id = 0;
  for (const [path, { title: page, sections }] of pages) {
    for (const { title, anchor, text } of sections) {
      const clean = text.trim().replaceAll(/\s+/g, " ");
      index.add({ id: id++, title, page, path, anchor, text: clean, shown: clean.slice(0, SHOWN) });
    }
  }
  return JSON.stringify(index);
}
