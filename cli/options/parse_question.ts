import { closestName } from "../../lib/core/text/closest_name.ts";
import { QUESTIONS } from "../../lib/dp/tables/question.ts";
import type { Bins, Question } from "../../lib/dp/tables/mod.ts";
import { BadInput } from "./bad_input.ts";

/**
 * Reads a question in words: `mean hours by region, age in 10 where age >= 18`. Names with blanks are in double quotes.
 *
 * @throws {BadInput} with the form that it must have.
 */
export function parseQuestion(
  text: string,
  { columns = [] }: {
    /** Names that may stand without quotes though they have blanks. */
    readonly columns?: readonly string[];
  } = {},
): Omit<Question, "epsilon" | "rho"> {
  const [head = "", where] = split(text.trim(), "where");
  const [first = "", grouped] = split(head, "by");
  const [, word = "", rest = ""] = /^(\S+)\s*([^]*)$/.exec(first.trim()) ?? [];
  const what = word.toLowerCase() as Question["what"];
  if (!QUESTIONS.includes(what)) {
    throw new BadInput(
      `the question must begin with one of ${
        QUESTIONS.join(", ")
      }, as in "mean hours by region": it begins with ${word === "" ? "nothing" : word}${
        meantBy(word) ?? closestName(word, QUESTIONS)
      }`,
    );
  }
  const question = { what, ...subjectOf(what, { rest: rest.trim(), columns }) };
  const by = grouped === undefined ? {} : groupsOf(grouped);
  return { ...question, ...by, ...(where !== undefined && { where: where.trim() }) };
}

/** Other words for questions. */
const MEANT: Readonly<Record<string, Question["what"]>> = {
  average: "mean",
  avg: "mean",
  frequency: "count",
  how: "count",
  number: "count",
  total: "sum",
  percentile: "quantiles",
  percentiles: "quantiles",
  quantile: "quantiles",
  histogram: "count",
  unique: "distinct",
};

function meantBy(word: string): string | undefined {
  const name = word.toLowerCase();
  return Object.hasOwn(MEANT, name) ? `; did you mean ${MEANT[name]}?` : undefined;
}

/** What stands before and behind a word that is in no quotes. */
function split(text: string, word: string): [string, string?] {
  const form = new RegExp(`"[^"]*"|'[^']*'|(?<=\\s|^)(${word})(?=\\s|$)`, "gi");
  for (const match of text.matchAll(form)) {
    if (match[1] === undefined) continue;
    return [text.slice(0, match.index), text.slice(match.index + word.length)];
  }
  return [text];
}

function subjectOf(
  what: Question["what"],
  { rest, columns }: { readonly rest: string; readonly columns: readonly string[] },
): Partial<Question> {
  switch (what) {
    case "count":
      if (rest === "") return {};
      throw new BadInput(
        `count must be followed by "by" or "where", as in "count by region where age >= 18": current value is ${rest}`,
      );
    case "top":
      if (/^\d+$/.test(rest)) return { groups: Number(rest) };
      throw new BadInput(
        `top must have a number, as in "top 5 by region": current value is ${rest || "nothing"}`,
      );
    case "ratio": {
      const [column = "", per] = split(rest, "per");
      if (per === undefined) {
        throw new BadInput('ratio must be of two columns, as in "ratio pay per hours"');
      }
      return { column: nameOf(column), per: nameOf(per) };
    }
    case "quantiles": {
      const [levels = "", column] = split(rest, "of");
      const numbers = levels.split(",").map((level) => Number(level.trim() || NaN));
      if (column === undefined || numbers.some(Number.isNaN)) {
        throw new BadInput(
          'quantiles must have levels and a column, as in "quantiles 0.1, 0.5, 0.9 of age"',
        );
      }
      return { levels: numbers, column: nameOf(column) };
    }
    default:
      if (rest === "") throw new BadInput(`${what} must have a column, as in "${what} age"`);
      return { column: columnOf(what, { text: rest.replace(/^of\s+/i, ""), columns }) };
  }
}

/** The name of a column, before which and behind which nothing else may stand. */
function columnOf(
  what: string,
  { text, columns }: { readonly text: string; readonly columns: readonly string[] },
): string {
  if (columns.includes(text)) return text;
  const [, name, word, more] =
    /^([^\s"]+)\s+(for|per|in|and|each|grouped|group|when|if)\s+(.*)$/i.exec(text) ??
      [];
  if (name === undefined) return nameOf(text);
  const groups = more!.replace(/^by\s+/i, "");
  throw new BadInput(
    `${what} must be of one column, with groups behind "by" and conditions behind "where", as in "${what} ${name} by ${groups}": current word is ${word}`,
  );
}

function groupsOf(text: string): Pick<Question, "by" | "bins"> {
  const bins: Record<string, Bins> = {}, by: string[] = [];
  for (const [, quoted, bare, , cut] of text.matchAll(GROUP)) {
    const name = quoted ?? bare!;
    by.push(name);
    if (cut === undefined) continue;
    const words = cut.split(",").map((each) => each.trim()).filter((each) => each !== "");
    const values = words.map((each) => /^-?[\d.]+(e-?\d+)?$/i.test(each) ? Number(each) : each);
    Object.defineProperty(bins, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
    });
  }
  if (by.length === 0 || text.replaceAll(GROUP, "").replaceAll(",", "").trim() !== "") {
    throw new BadInput(
      `by must be followed by columns, as in "count by region, age in 10": current value is ${
        text.trim() || "nothing"
      }`,
    );
  }
  return { by, ...(Object.keys(bins).length > 0 && { bins }) };
}

const GROUP =
  /(?:"([^"]+)"|([\p{L}_][^\s,"']*))(\s+in\s+((?:month|quarter|year)|[-\d.e]+(?:\s*,\s*[-\d.e]+)*))?/giu;

function nameOf(text: string): string {
  const trimmed = text.trim();
  return /^".*"$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}
