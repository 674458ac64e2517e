import type { Options, SearchOptions } from "minisearch";

/** A section that was found. */
export interface SectionFound {
  readonly title: string;
  readonly page: string;
  readonly path: string;
  readonly anchor: string;
  /** Its beginning. */
  readonly shown: string;
  /** The words by which it was found. */
  readonly terms: readonly string[];
}

/** Words that are in questions and say nothing. */
const IDLE = new Set(
  ("a about am an and any are as at be been but by can could did do does dpcheck during for from get give given had happen happens has have how i if in " +
    "into is it its just like me mine mean means my need needs no not of on one or our should so some than that the their them then there these " +
    "they this to too us use using want was we what when where which who why will with without would you your")
    .split(" "),
);

/** Words that people ask by, and behind the colon those that the pages have. */
const MEANT: ReadonlyMap<string, string> = new Map(
  `choose pick select: choosing
  epsilon: ε
  delta: δ
  ≥ number: bound
  bug: leak mistake
  code codes: status
  faster fast slow speed forever: slow draws
  samples: draws
  random: noise
  neighbour neighbouring neighboring: relation neighbours
  average: mean`.split("\n").flatMap((line) => {
    const [asked, meant] = line.split(": ") as [string, string];
    return asked.trim().split(" ").map((word): [string, string] => [word, meant]);
  }),
);

/** Options that indexing and searching must share. */
export const SEARCH_OPTIONS: Options = {
  fields: ["title", "page", "asked", "text"],
  storeFields: ["title", "page", "path", "anchor", "shown"],
  // Words of code are found whole and in parts: discreteLaplace by "laplace", too.
  tokenize: (text) =>
    // One letter and a word are one term: e-value.
    (text.match(/(?<![\p{L}\p{N}_])\p{L}-\p{L}{2,}|[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
      const parts = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part.length > 1);
      return parts.length > 1 ? [word, ...parts] : [word];
    }),
  processTerm: (term) => {
    const word = term.toLowerCase();
    if (IDLE.has(word) || word.length < 2 && !/[εδρμαλσr]/.test(word)) return null;
    // Plural and singular are one term.
    return /[^aius]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
  },
};

/** Words from which on a query is a question, which pages answer and the reference does not. */
const QUESTION = 3;

/**
 * Returns how a query is weighed: all of its words count, those of titles most, and words like them for those that no
 * section has.
 */
export function queryOptions(
  query: string,
  { isKnown }: { readonly isKnown: (term: string) => boolean },
): SearchOptions {
  const isQuestion = (query.match(/[\p{L}\p{N}_]+/gu) ?? []).length >= QUESTION;
  return {
    boost: isQuestion ? { title: 3, page: 3, asked: 5 } : { title: 5, page: 2, asked: 3 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => term.length > 3 && !isKnown(term) ? 0.25 : false,
    weights: { fuzzy: 0.6, prefix: 0.6 },
    boostDocument: (_id, _term, fields) => weightOf(String(fields?.path)) ** (isQuestion ? 2.5 : 1),
  };
}

/** Pages for users stand before those of the reference, and those before the proofs. */
function weightOf(path: string): number {
  if (/^reference\/(theorems|chapters)/.test(path)) return 0.35;
  if (/^(reference|bench|lib|tests|decisions|fixtures)\//.test(path)) return 0.5;
  // A page that repeats the words of all others.
  if (path === "errors.html") return 0.8;
  if (/^(changelog|contributing|architecture|dependencies)/.test(path)) return 0.45;
  return path === "glossary.html" ? 0.8 : 1;
}

/** A query with the words of the pages for those that people use. */
export function widened(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+|≥/gu) ?? [];
  return [query, ...words.flatMap((word) => MEANT.get(word) ?? [])].join(" ");
}
