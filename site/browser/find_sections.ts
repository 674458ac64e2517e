import { type SearchIndex, wordsOf } from "../search_index.ts";

/** A section that was found. */
export interface Found {
  readonly page: string;
  readonly title: string;
  readonly path: string;
  readonly anchor: string;
}

/** What a word is worth: in a title, at the start of a word there, and elsewhere. */
const IN_TITLE = 12, IN_PART_OF_TITLE = 5, IN_TEXT = 2, IN_PART = 1;

/** The sections in which all words of a query stand, or begin a word, the best first. */
export function findSections({ pages, sections, words }: SearchIndex, query: string): Found[] {
  let scores: Map<number, number> | undefined;
  for (const asked of wordsOf(query)) {
    const own = new Map<number, number>();
    for (const [word, places] of Object.entries(words)) {
      if (!word.startsWith(asked)) continue;
      let place = 0;
      for (const step of places.split(" ")) {
        place += parseInt(step, 36);
        const isInTitle = wordsOf(sections[place]![1]).has(word);
        const worth = word === asked
          ? isInTitle ? IN_TITLE : IN_TEXT
          : isInTitle
          ? IN_PART_OF_TITLE
          : IN_PART;
        own.set(place, Math.max(worth, own.get(place) ?? 0));
      }
    }
    const before = scores;
    scores = before === undefined
      ? own
      : new Map([...own].flatMap(([place, worth]) =>
        before.has(place) ? [[place, worth + before.get(place)!]] : []
      ));
  }
  return [...scores ?? []].sort(([a, x], [b, y]) => y - x || a - b).map(([place]) => {
    const [page, title, anchor] = sections[place]!, [name, path] = pages[page]!;
    return { page: name, title, path, anchor };
  });
}
