import { isTextOf, textLengths, type TextRows } from "../../../core/relations/text_rows.ts";

/** Characters of a long text that is tried, unless all are longer. */
const LONG = 1000;
/** Letters that texts begin with which are not among the usual ones. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/**
 * Texts that programs take for something else: for a separator, a quotation, an escape, the end of a line or of a text, a
 * number, no value, a property that every object has; and characters of several bytes or code units.
 */
const ODD = [
  " ",
  ",",
  "\n",
  '"',
  "\0",
  "NaN",
  "null",
  "0",
  "-1",
  "\\",
  "'",
  "é",
  "\u{1f600}",
  "\ufeff",
  "__proto__",
  "constructor",
];

/**
 * Texts that break mechanisms, the most likely first: two usual ones, the empty text, one that is not usual, a long one, the
 * other usual ones, those in other letter case or with a space, and odd ones.
 */
export function cornerTexts({ length, values = [] }: TextRows): string[] {
  const { min, max } = textLengths(length)!;
  const fill = (text: string): string => text.padEnd(min, "x");
  const letters = [...LETTERS].map(fill).filter((text) => !values.includes(text));
  const usual = [...values, ...letters.splice(0, Math.max(0, 2 - values.length))];
  return [
    ...new Set([
      ...usual.slice(0, 2),
      "",
      ...letters.slice(0, 1),
      "z".repeat(Math.max(min, Math.min(max, LONG))),
      ...usual.slice(2),
      ...values.flatMap((text) => [text.toUpperCase(), `${text} `]).slice(0, 8),
      ...ODD.map(fill),
    ]),
  ].filter((text) => isTextOf(length, text));
}

/** Characters of random texts, beside any at all. */
const COMMON = [...LETTERS, ..."AZ09 ,.;:-_/\\\"'\n\t\0é\u{1f600}"];
/** Characters of random texts, beyond the shortest. */
const MOST_MORE = 16;
/** The number of code points, the first surrogate, and the first code point after them. */
const CODE_POINTS = 0x110000, SURROGATES = 0xd800, AFTER_SURROGATES = 0xe000;

/** Returns a text of a random length, with common, odd and any characters. `below` gives a random index. */
export function randomText({ length }: TextRows, below: (n: number) => number): string {
  const { min, max } = textLengths(length)!;
  const count = min + below(Math.min(max - min, MOST_MORE) + 1);
  const any = (): string => {
    const point = below(CODE_POINTS - (AFTER_SURROGATES - SURROGATES));
    return String.fromCodePoint(point < SURROGATES ? point : point + AFTER_SURROGATES - SURROGATES);
  };
  return Array.from({ length: count }, () => below(8) === 0 ? any() : COMMON[below(COMMON.length)])
    .join("");
}
