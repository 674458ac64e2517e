import type { Amount } from "../../core/numeric/amount.ts";
import { requireInteger, requireKind } from "../../core/numeric/require.ts";
import { closestName } from "../../core/text/closest_name.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import { askedOf, type Prepared, requireBounded, type View } from "./ask.ts";
import { preparedDistinct } from "./distinct.ts";
import { parseCondition } from "./expression.ts";
import { type Bins, combinedKeys, type Keys, ONE_GROUP } from "./keys.ts";
import type { Cost } from "./noise.ts";
import { askedQuantiles } from "./quantiles.ts";
import { type Answers, answersOf } from "./result.ts";

/** What can be asked. */
export const QUESTIONS: readonly Question["what"][] = [
  "count",
  "sum",
  "mean",
  "median",
  "quantiles",
  "variance",
  "ratio",
  "distinct",
  "top",
];

/** A question as data: what a program, a file or a command line asks for. */
export interface Question {
  /** What is asked for. */
  readonly what:
    | "count"
    | "sum"
    | "mean"
    | "median"
    | "quantiles"
    | "variance"
    | "ratio"
    | "distinct"
    | "top";
  /** The column of numbers; of `distinct` any column. */
  readonly column?: string;
  /** Of a ratio: the column whose sum divides. */
  readonly per?: string;
  /** Columns whose values, or bins, are groups. */
  readonly by?: string | readonly string[];
  /** Bins of columns of numbers or days that are grouped by. */
  readonly bins?: Readonly<Record<string, Bins>>;
  /** Public keys of columns that the schema has none of. */
  readonly keys?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** What rows must be, as in `age >= 18 and region = 'north'`. */
  readonly where?: string;
  /** Of quantiles: each from 0 to 1. */
  readonly levels?: readonly number[];
  /** Of `top`: how many groups. */
  readonly groups?: number;
  /** Of `distinct`: values that a person stands for. Default: 1. */
  readonly values?: number;
  /** What the answer may cost; or `rho`. */
  readonly epsilon?: Amount;
  /** What the answer may cost, in place of `epsilon`. */
  readonly rho?: Amount;
}

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

/** Puts a question that is data. @throws {RangeError} naming what is wrong with it. */
export function preparedOf(
  view: View,
  question: Question,
  { together }: {
    /** Of several questions, how many intervals hold at once: of one group of one question. */
    readonly together?: number | undefined;
  } = {},
): Prepared<Answers> {
  const action = "ask";
  requireKind("ask", "question", question, "record");
  requireKnown(action, question, FIELDS);
  const { what, by = [], epsilon, rho } = question;
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
  const keys = keysOf(view, question, typeof by === "string" ? [by] : by);
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
        levels: what === "median" ? [0.5] : question.levels ?? [0.25, 0.5, 0.75],
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

/** How many intervals an answer has. */
export function intervalsOf(view: View, question: Question): number {
  requireKind("ask", "question", question, "record");
  const { by = [], what, levels } = question;
  const groups = keysOf(view, question, typeof by === "string" ? [by] : by).keys.length;
  return groups * (what === "quantiles" ? Array.isArray(levels) ? levels.length : 3 : 1);
}

function keysOf(view: View, { keys, bins }: Question, by: readonly string[]): Keys {
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
