import { requireInteger, requireKind } from "../../core/numeric/require.ts";
import { closestName } from "../../core/text/closest_name.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import { askedOf, type Prepared, requireBounded, type View, type Worded, worded } from "./ask.ts";
import { preparedDistinct } from "./distinct.ts";
import { parseCondition } from "./expression.ts";
import { combinedKeys, type Keys, ONE_GROUP } from "./keys.ts";
import type { Cost } from "./noise.ts";
import { askedQuantiles } from "./quantiles.ts";
import { type Question, QUESTIONS, questionWords } from "./question.ts";
import { type Answers, answersOf } from "./result.ts";

const DEFAULT_LEVELS = [0.25, 0.5, 0.75];

const FIELDS = [
  "what",
  "column",
  "per",
  "by",
  "bins",
  "keys",
  "where",
  "levels",
  "groups",
  "values",
  "epsilon",
  "rho",
];

/** Options of {@linkcode preparedOf}. */
interface PreparedOptions {
  /** Of several questions, how many intervals hold at once: of one group of one question. */
  readonly together?: number | undefined;
}

/** Puts a question that is data, with its words. @throws {RangeError} naming what is wrong with it. */
export function preparedOf(
  view: View,
  question: Question,
  options: PreparedOptions = {},
): Worded<Answers> {
  const prepared = preparedAnswers(view, question, options);
  const { where, ...asked } = question;
  const words = [...(view.whereWords ?? []), ...(where === undefined ? [] : [where])];
  const levels = asked.levels ?? DEFAULT_LEVELS;
  return worded(prepared, questionWords({ ...asked, levels, where: words }));
}

function preparedAnswers(
  view: View,
  question: Question,
  { together }: PreparedOptions,
): Prepared<Answers> {
  const action = "ask";
  requireKind("ask", "question", question, "record");
  requireKnown(action, question, FIELDS);
  const { what, epsilon, rho } = question;
  if (!QUESTIONS.includes(what)) {
    throw new RangeError(
      `Cannot ${action}: what must be one of ${QUESTIONS.join(", ")}: current value is ${
        typeof what === "string" ? `${what}${closestName(what, QUESTIONS)}` : typeof what
      }`,
    );
  }
  const cost = {
    ...(epsilon !== undefined && { epsilon }),
    ...(rho !== undefined && { rho }),
  } as unknown as Cost;
  const seen = question.where === undefined ? view : {
    ...view,
    where: [...(view.where ?? []), parseCondition(action, view.schema, question.where)],
  };
  const keys = keysOf(view, question);
  const needed = (name: "column" | "per"): string => {
    const value = question[name];
    if (typeof value === "string") return value;
    throw new RangeError(
      `Cannot ${action}: ${name} must be given for ${what}, as in { what: "${what}", ${name}: "…" }: current type is ${typeof value}`,
    );
  };
  const unused = unusedOf(question);
  if (unused !== undefined) {
    throw new RangeError(`Cannot ${action}: ${what} has no ${unused}: current question has one`);
  }
  switch (what) {
    case "count":
      return askedOf(seen, keys, { what, cost, together });
    case "sum":
    case "mean":
    case "variance":
      return askedOf(seen, keys, { what, column: needed("column"), cost, together });
    case "ratio":
      return askedOf(seen, keys, {
        what,
        column: needed("column"),
        per: needed("per"),
        cost,
        together,
      });
    case "median":
    case "quantiles":
      return askedQuantiles(seen, {
        ...cost,
        keys,
        column: needed("column"),
        levels: what === "median" ? [0.5] : question.levels ?? DEFAULT_LEVELS,
        interval: what === "median" && rho === undefined,
        bounds: requireBounded("take quantiles", seen),
        together,
      });
    case "distinct":
      return preparedDistinct(seen, needed("column"), {
        ...cost,
        ...(question.values !== undefined && { values: question.values }),
      });
    case "top": {
      const { groups = 10 } = question;
      requireInteger(action, "groups", groups, { min: 1 });
      return topOf(
        askedOf(seen, keys, { what: "count", cost, together: together ?? true }),
        groups,
      );
    }
  }
}

/** The largest of counted groups, in their order. */
export function topOf(counted: Prepared<Answers>, groups: number): Prepared<Answers> {
  return {
    ...counted,
    draw: (source) => {
      const counts = counted.draw(source);
      const rows = counts.rows.toSorted((a, b) => b.value - a.value).slice(0, groups);
      return answersOf({ ...counts, rows });
    },
  };
}

/** Counts the intervals of an answer. */
export function intervalsOf(view: View, question: Question): number {
  requireKind("ask", "question", question, "record");
  const { what, levels } = question;
  const groups = keysOf(view, question).keys.length;
  if (what !== "quantiles") return groups;
  return groups * (Array.isArray(levels) ? levels : DEFAULT_LEVELS).length;
}

function keysOf(view: View, { by: given = [], keys, bins }: Question): Keys {
  const by = typeof given === "string" ? [given] : given;
  if (bins !== undefined) requireKnown("ask by bins", bins, by);
  if (keys !== undefined) requireKnown("ask by given keys", keys, by);
  if (by.length === 0) return ONE_GROUP;
  return combinedKeys(view.schema, by, keys ?? {}, bins ?? {});
}

/** A part that the question does not read: it would be taken for one that was left out. */
function unusedOf(
  { what, column, per, levels, groups, values, by = [] }: Question,
): string | undefined {
  if (what === "count" && column !== undefined) return "column: give it as by, or ask for distinct";
  if (what === "top" && column !== undefined) return "column: give it as by";
  if (what !== "ratio" && per !== undefined) return "per";
  if (what !== "quantiles" && levels !== undefined) return "levels";
  if (what !== "top" && groups !== undefined) return "groups";
  if (what !== "distinct" && values !== undefined) return "values";
  return what === "distinct" && by.length > 0 ? "by" : undefined;
}
