import type { Amount } from "../../core/numeric/amount.ts";
import type { Bins } from "./keys.ts";

/** Kinds of questions. */
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
  /** Kind of the question. */
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
  /** Condition on rows, as in `age >= 18 and region = 'north'`. */
  readonly where?: string;
  /** Of quantiles: each from 0 to 1. */
  readonly levels?: readonly number[];
  /** Of `top`: how many groups. */
  readonly groups?: number;
  /** Of `distinct`: values that a person stands for. Default: 1. */
  readonly values?: number;
  /** Price of the answer in ε; or `rho`. */
  readonly epsilon?: Amount;
  /** Price of the answer in ρ, in place of `epsilon`. */
  readonly rho?: Amount;
}

/** The parts of a question that its words name. */
type Worded =
  & Pick<Question, "what" | "column" | "per" | "by" | "bins" | "levels" | "groups">
  & { readonly where?: readonly string[] };

/** A question in the words of `dpcheck ask`, for ledgers: `mean hours by region, age in 10 where age >= 18`. All of it is public. */
export function questionWords({ where = [], ...question }: Worded): string {
  const { what, by = [], bins = {} } = question;
  const groups = (typeof by === "string" ? [by] : by).map((name) =>
    Object.hasOwn(bins, name) ? `${quoted(name)} in ${binWords(bins[name]!)}` : quoted(name)
  );
  const conditions = where.length === 1 ? where : where.map((each) => `(${each})`);
  return [
    what,
    ...subjectWords(question),
    ...(groups.length > 0 ? ["by", groups.join(", ")] : []),
    ...(conditions.length > 0 ? ["where", conditions.join(" and ")] : []),
  ].join(" ");
}

function subjectWords({ what, column = "", per = "", levels = [], groups = 10 }: Worded): string[] {
  switch (what) {
    case "count":
      return [];
    case "top":
      return [String(groups)];
    case "quantiles":
      return [levels.join(", "), "of", quoted(column)];
    case "ratio":
      return [quoted(column), "per", quoted(per)];
    default:
      return [quoted(column)];
  }
}

function binWords(bins: Bins): string {
  return Array.isArray(bins) ? bins.join(", ") : String(bins);
}

/** A name as it is, or in double quotes where it has more than letters, digits and underscores. */
function quoted(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name}"`;
}
