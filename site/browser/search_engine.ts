import MiniSearch from "minisearch";
import { queryOptions, SEARCH_OPTIONS, type SectionFound, widened } from "./search_options.ts";

/** Finds sections: those that have most of the words of a query, or words like them, the best first. */
export type Finder = (query: string) => SectionFound[];

/** The finder of an index that `searchIndex` made. */
export function finderOf(index: string): Finder {
  const engine = MiniSearch.loadJSON<SectionFound>(index, SEARCH_OPTIONS);
  const isKnown = (term: string): boolean =>
    engine.search(term, { prefix: true, fuzzy: false }).length > 0;
  return (query) => {
    const all = engine.search(widened(query), queryOptions(query, { isKnown }));
    return all as unknown as SectionFound[];
  };
}
