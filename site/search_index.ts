import type { Rendered } from "./markdown.ts";

/** What the search of a site reads. */
export interface SearchIndex {
  /** Titles of pages, and paths. */
  readonly pages: readonly (readonly [title: string, path: string])[];
  /** Headings: the place of the page, the title, and the anchor where it differs from the one that the title makes. */
  readonly sections: readonly (readonly [page: number, title: string, anchor: string])[];
  /** Places of sections by the words in them, each as the distance from the one before, in base 36. */
  readonly words: Readonly<Record<string, string>>;
}

/** Words that are in nearly every section. */
const COMMONEST_SHARE = 0.3;

/** The words of a text, as they are looked for. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}|[εδρμαλσ]/gu) ?? []);
}

/** The index of pages, those first that are to be found first. */
export function searchIndex(pages: ReadonlyMap<string, Rendered>): SearchIndex {
  const sections: [number, string, string][] = [], found = new Map<string, number[]>();
  for (const [page, { sections: own }] of [...pages.values()].entries()) {
    for (const { title, anchor, text } of own) {
      for (const word of wordsOf(`${title} ${text}`)) {
        const places = found.get(word);
        if (places === undefined) found.set(word, [sections.length]);
        else places.push(sections.length);
      }
      sections.push([page, title, anchor]);
    }
  }
  const most = COMMONEST_SHARE * sections.length;
  const words = [...found].filter(([, places]) => places.length <= most).map(([word, places]) => [
    word,
    places.map((place, i) => (place - (i === 0 ? 0 : places[i - 1]!)).toString(36)).join(" "),
  ]);
  return {
    pages: [...pages].map(([path, { title }]) => [title, path]),
    sections,
    words: Object.fromEntries(words),
  };
}
