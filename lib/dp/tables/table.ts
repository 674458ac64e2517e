import type { Budget } from "../accounting/budget/budget.ts";
import { requireFields, requireInteger, requireKind } from "../../core/numeric/require.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import type { Row } from "../schema/cells.ts";
import { checkColumn, type NumberColumn } from "../schema/column.ts";
import {
  answer,
  answerAll,
  askedOf,
  type Asking,
  type Request,
  requireBounded,
  type View,
  worded,
} from "./ask.ts";
import { requireColumn } from "./column_values.ts";
import { type DistinctOptions, preparedDistinct } from "./distinct.ts";
import { type JoinOptions, joinPublic } from "./join.ts";
import { memoryEngine } from "./engine/memory.ts";
import type { Engine } from "./engine/plan.ts";
import { parseCondition, parseNumber } from "./expression.ts";
import { binKeys, type Bins, combinedKeys, type GivenKeys, type Keys, ONE_GROUP } from "./keys.ts";
import type { Cost } from "./noise.ts";
import { askedQuantiles, type QuantileOptions } from "./quantiles.ts";
import { type Answers, answersOf } from "./result.ts";
import { intervalsOf, preparedOf, topOf } from "./asked_question.ts";
import { type Question, questionWords } from "./question.ts";
import type { RowSource } from "./rows.ts";
import { checkSchema, type TableSchema } from "./schema.ts";
import { askedKeys, type SelectionRule } from "./select_keys.ts";
import type { ContributionBounds } from "./sensitivity.ts";

/** Questions about every group of rows. Each reads the rows once, is paid for by the table's budget, and then draws noise. */
export interface Groups {
  /**
   * Counts the rows.
   *
   * @throws {RangeError} when the budget cannot pay, before anything is drawn; as do all questions.
   */
  count(cost: Cost): Promise<Answers>;
  /** The sum of a column of numbers. */
  sum(column: string, cost: Cost): Promise<Answers>;
  /** The mean of a column of numbers: half of the cost for the sum, half for the number of rows. */
  mean(column: string, cost: Cost): Promise<Answers>;
  /** The median, with a 95% interval, for which half of the cost is spent; {@linkcode Groups.quantiles} of one level alone spends all on it, and has none. */
  median(column: string, cost: Cost): Promise<Answers>;
  /**
   * Quantiles of a column of numbers. Any number of levels costs what is given, and two or more have 95% intervals. One alone that
   * is paid for by ε is said to be so many rows from what it should be, at most.
   */
  quantiles(column: string, options: QuantileOptions): Promise<Answers>;
  /** The groups with the most rows, in their order: so many, or all. Intervals of all groups hold at once, so that choosing among them does no harm. */
  top(howMany: number, cost: Cost): Promise<Answers>;
  /** The variance of a column of numbers, divided by the number of rows: a third of the cost for each of two sums and the number. */
  variance(column: string, cost: Cost): Promise<Answers>;
  /** The sum of a column divided by that of another, whose numbers are at least 0: half of the cost for each. */
  ratio(column: string, options: Cost & { readonly per: string }): Promise<Answers>;
}

/** Values of columns whose keys are public though the schema does not list them, and bins of numbers and days. */
export type GroupOptions = GivenKeys;

/** Rows that private questions can be asked about, under one budget. As it is, it has one group: all rows. */
export interface Table extends Groups {
  /** The rest of the budget, and what was spent. */
  readonly budget: Budget;
  /**
   * Groups by the public values of one column or several. Where a unit is in one group, all groups together cost what one does; where it may move
   * from one to another, twice that. What persons may be in is bounded by {@linkcode Table.boundContributions}.
   *
   * @throws {RangeError} when a column has no public values.
   */
  groupBy(columns: string | readonly string[], options?: GroupOptions): Groups;
  /**
   * Counts the rows that have each value of a category, or numbers or days in each interval between `edges` (or in intervals of a width, or months, quarters or years).
   *
   * @throws {RangeError} when a column of numbers has no edges.
   */
  histogram(
    column: string,
    options: Cost & { readonly edges?: Bins },
  ): Promise<Answers>;
  /**
   * Counts the different values of a column. With persons, counts them by a maximum matching of persons to values (Knop, Steinke 2023).
   */
  distinct(column: string, options: DistinctOptions): Promise<Answers>;
  /**
   * Chooses keys of a column that has no public ones, by how many units have them. The keys are public from then on:
   * `groupBy(column, { keys: { [column]: keys } })`. Bounds on groups count here too.
   *
   * @returns the keys, in the order of their texts.
   * @throws {RangeError} when an option is out of range, or the budget cannot pay.
   */
  selectKeys(column: string, rule: SelectionRule): Promise<readonly string[]>;
  /**
   * The table with the columns of a public one, which is looked up for each row: `survey.join(regions, { on: "region" })`. Rows that match none miss them.
   * A row stays one row, so that answers cost what they do without.
   *
   * @param rows all rows of the public table, each with another value of the column `on`.
   * @throws {RangeError} where a value is missing or occurs twice, or a column has the name of one that the table has.
   */
  join(rows: readonly Row[], options: JoinOptions): Table;
  /**
   * The table with so many groups and so many rows in each for every person, chosen at random among the person's own. Questions about persons need it.
   *
   * @throws {RangeError} unless both are positive integers, and where the unit is a row.
   */
  boundContributions(bounds: ContributionBounds): Table;
  /**
   * The table with those rows alone for which a condition on one row holds, as in `age >= 18 and region in ('north', 'east')`. Comparisons with cells that are missing are false;
   * `hours is missing` is true of them, so that how many there are may be asked for. Answers cost what they do without.
   *
   * @throws {RangeError} where the condition cannot be read, or a value is not in its column's list.
   */
  where(condition: string): Table;
  /**
   * The table with one more column of numbers, computed of others in the row: `derive("pay per hour", "pay / hours", { type: "number", lower: 0, upper: 100 })`. What is divided by 0 is missing.
   *
   * @throws {RangeError} where the expression cannot be read, or the table has a column of that name.
   */
  derive(name: string, expression: string, column: NumberColumn): Table;
  /**
   * Several questions off one reading of the rows, paid for together or not at all. All of their intervals hold at once in 95% of all runs.
   *
   * @returns an answer for each question, in their order.
   */
  ask(questions: readonly Question[]): Promise<readonly Answers[]>;
}

/**
 * Declares a table: what is public of it, what is protected, and what all answers may lose. Nothing is read yet. Rows are objects with cells by
 * column; texts are read as numbers where the column has numbers. Cells that are missing or odd, and values out of bounds, are left out
 * or brought into the bounds, row by row, and never an error: an error would tell of a row.
 *
 * @throws {RangeError} naming an option of the schema.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { table } from "./table.ts";
 * const rows = [{ sex: "f", age: 31 }, { sex: "m", age: 44 }, { sex: "f", age: 58 }];
 * const survey = table(rows, {
 *   columns: {
 *     sex: { type: "category", values: ["f", "m"] },
 *     age: { type: "number", lower: 0, upper: 120 },
 *   },
 *   unit: "row",
 *   relation: addRemoveOne,
 *   budget: { epsilon: 1 },
 * });
 * const ages = await survey.groupBy("sex").mean("age", { epsilon: 0.5 });
 * console.log(ages.toString());
 * survey.budget.remaining; // 0.5-DP
 * ```
 */
export function table(rows: RowSource | Engine, schema: TableSchema): Table {
  const checked = checkSchema(schema), { columns, person, budget } = checked;
  const names = Object.keys(columns);
  const engine = isEngine(rows) ? rows : memoryEngine(rows);
  const asking = { budget, engine, columns: person === undefined ? names : [...names, person] };
  const bounds = person === undefined ? { groups: 1, rows: 1 } : undefined;
  return tableOf({ schema: checked, bounds }, asking);
}

function isEngine(rows: unknown): rows is Engine {
  return typeof rows === "object" && rows !== null && "engine" in rows && "run" in rows &&
    typeof rows.run === "function";
}

function tableOf(view: View, asking: Asking): Table {
  const { schema } = view, { columns, person, budget } = schema;
  const groupsOf = (keys: Keys, bins: NonNullable<GivenKeys["bins"]> = {}): Groups =>
    groupsIn(view, { keys, bins, asking });
  return Object.freeze({
    ...groupsOf(ONE_GROUP),
    budget,
    groupBy(names: string | readonly string[], options: GroupOptions = {}): Groups {
      const { keys = {}, bins = {} } = requireFields("groupBy", options, {
        keys: "record?",
        bins: "record?",
      });
      requireKnown("group rows", options, ["keys", "bins"]);
      const grouped = Array.isArray(names) ? names : [names as string];
      requireKnown("group rows by given keys", keys, grouped);
      requireKnown("group rows by bins", bins, grouped);
      return groupsOf(combinedKeys(schema, grouped, keys, bins), bins);
    },
    async histogram(
      name: string,
      options: Cost & { readonly edges?: Bins },
    ): Promise<Answers> {
      requireKind("histogram", "options", options, "record");
      const { edges, ...cost } = options;
      requireKnown("count by values", options, ["edges", "epsilon", "rho"]);
      const column = requireColumn("count by values", columns, name);
      if ((column.type === "number" || column.type === "date") && edges === undefined) {
        throw new RangeError(
          `Cannot count by values: edges must be given for a column of numbers or days, as in { edges: ${
            JSON.stringify([column.lower, column.upper])
          } }: ` +
            "current value is undefined",
        );
      }
      const keys = edges === undefined
        ? combinedKeys(schema, [name], {})
        : binKeys(schema, name, edges);
      const bins = edges === undefined ? {} : { [name]: edges };
      return await groupsOf(keys, bins).count(cost as Cost);
    },
    async distinct(name: string, options: DistinctOptions): Promise<Answers> {
      requireColumn("count values", columns, name);
      const purpose = questionWords({
        what: "distinct",
        column: name,
        where: view.whereWords ?? [],
      });
      return await answer(asking, worded(preparedDistinct(view, name, options), purpose));
    },
    async selectKeys(name: string, rule: SelectionRule): Promise<readonly string[]> {
      requireColumn("select keys", columns, name);
      const options = requireFields("selectKeys", rule, {});
      requireKnown("select keys", options, ["epsilon", "delta", "rule"]);
      const bounds = requireBounded("select keys", view);
      const asked = askedKeys(view, { ...options, column: name, bounds });
      return await answer(asking, { ...asked, purpose: `select keys of ${name}` });
    },
    join(rows: readonly Row[], options: JoinOptions): Table {
      const { schema: wider } = joinPublic(schema, rows, options);
      return tableOf({ ...view, schema: wider }, asking);
    },
    boundContributions(given: ContributionBounds): Table {
      const action = "bound contributions";
      const { groups, rows } = requireFields("boundContributions", given, {});
      requireKnown(action, given, ["groups", "rows"]);
      requireInteger(action, "groups", groups, { min: 1, max: 2 ** 20 });
      requireInteger(action, "rows", rows, { min: 1, max: 2 ** 20 });
      if (person === undefined) {
        throw new RangeError(
          `Cannot ${action}: unit must be { person: the name of a column }: current value is "row", which is in one group, once`,
        );
      }
      return tableOf({ ...view, bounds: { groups, rows } }, asking);
    },
    where(condition: string): Table {
      const found = parseCondition("choose rows", schema, condition);
      const seen = {
        ...view,
        where: [...(view.where ?? []), found],
        whereWords: [...(view.whereWords ?? []), condition],
      };
      return tableOf(seen, asking);
    },
    derive(name: string, expression: string, column: NumberColumn): Table {
      const action = "derive a column";
      requireKind("derive", "name", name, "text");
      if (Object.hasOwn(columns, name) || name === person) {
        throw new RangeError(
          `Cannot ${action}: name must be one that the table has not: current value is ${name}`,
        );
      }
      const declared = checkColumn(name, column);
      if (declared.type !== "number") {
        throw new RangeError(
          `Cannot ${action}: type must be "number": current value is ${declared.type}`,
        );
      }
      const value = parseNumber(action, schema, expression);
      const wider = {
        ...schema,
        columns: { ...columns, [name]: declared },
        derived: { ...schema.derived, [name]: value },
      };
      return tableOf({ ...view, schema: wider }, asking);
    },
    async ask(questions: readonly Question[]): Promise<readonly Answers[]> {
      requireKind("ask", "questions", questions, "list");
      const each = Array.from(questions), cells = each.map((one) => intervalsOf(view, one));
      const together = cells.reduce((sum, count) => sum + count, 0);
      const prepared = each.map((one) => preparedOf(view, one, { together }));
      const answers = await answerAll(asking, prepared) as Answers[];
      if (together <= 1) return answers;
      const of = each.length === 1 ? "" : ` of ${each.length} answers`;
      const statement = `All ${together} intervals${of} hold at once in 95% of all runs.`;
      return answers.map((one) => answersOf({ ...one, statement }));
    },
  });
}

function groupsIn(
  view: View,
  { keys, bins, asking }: {
    readonly keys: Keys;
    readonly bins: NonNullable<GivenKeys["bins"]>;
    readonly asking: Asking;
  },
): Groups {
  const purposeOf = (asked: Omit<Question, "where">): string =>
    questionWords({ ...asked, by: keys.columns, bins, where: view.whereWords ?? [] });
  const put = async (request: Request, cost: Cost): Promise<Answers> => {
    const asked = askedOf(view, keys, { ...request, cost });
    return await answer(asking, worded(asked, purposeOf(request)));
  };
  const quantiles = async (column: string, given: QuantileOptions): Promise<Answers> => {
    const options = requireFields("quantiles", given, { levels: "list" });
    const bounds = requireBounded("take quantiles", view);
    const asked = askedQuantiles(view, { ...options, keys, column, bounds });
    const { levels, interval = false } = options;
    const purpose = purposeOf(
      interval ? { what: "median", column } : { what: "quantiles", column, levels },
    );
    return await answer(asking, worded(asked, purpose));
  };
  return Object.freeze({
    count: (cost: Cost) => put({ what: "count" }, cost),
    sum: (column: string, cost: Cost) => put({ what: "sum", column }, cost),
    mean: (column: string, cost: Cost) => put({ what: "mean", column }, cost),
    variance: (column: string, cost: Cost) => put({ what: "variance", column }, cost),
    quantiles,
    median: (column: string, cost: Cost) =>
      quantiles(column, { ...cost, levels: [0.5], interval: cost?.rho === undefined }),
    ratio: async (column: string, options: Cost & { readonly per: string }) => {
      const { per, ...cost } = requireFields("ratio", options, { per: "text" });
      return await put({ what: "ratio", column, per }, cost as Cost);
    },
    top: async (howMany: number, cost: Cost) => {
      requireInteger("take the largest groups", "howMany", howMany, { min: 1 });
      const asked = topOf(askedOf(view, keys, { what: "count", together: true, cost }), howMany);
      return await answer(asking, worded(asked, purposeOf({ what: "top", groups: howMany })));
    },
  });
}
