import type { Budget } from "../accounting/budget/budget.ts";
import { requireFields, requireInteger, requireKind } from "../../core/numeric/require.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import type { Row } from "../schema/cells.ts";
import { answer, askedOf, type Request, requireBounded, type View } from "./ask.ts";
import { type DistinctOptions, preparedDistinct } from "./distinct.ts";
import { type JoinOptions, joinPublic } from "./join.ts";
import { binKeys, combinedKeys, type Keys, ONE_GROUP, requireColumn } from "./keys.ts";
import type { Cost } from "./noise.ts";
import { askedQuantiles, type QuantileOptions } from "./quantiles.ts";
import { type Answers, answersOf } from "./result.ts";
import { type RowSource, rowVisitor } from "./rows.ts";
import { checkSchema, type TableSchema } from "./schema.ts";
import { askedKeys, type SelectionRule } from "./select_keys.ts";
import type { ContributionBounds } from "./sensitivity.ts";

/** Questions about every group of rows. Each reads the rows once, is paid for by the table's budget, and then draws noise. */
export interface Groups {
  /**
   * How many rows.
   *
   * @throws {RangeError} when the budget cannot pay, before anything is drawn; as do all questions.
   */
  count(cost: Cost): Promise<Answers>;
  /** The sum of a column of numbers. */
  sum(column: string, cost: Cost): Promise<Answers>;
  /** The mean of a column of numbers: half of the cost for the sum, half for the number of rows. */
  mean(column: string, cost: Cost): Promise<Answers>;
  /** {@linkcode Groups.quantiles} of one level, a half. */
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
}

/** Values of columns whose keys are public though the schema does not list them. */
export interface GroupOptions {
  /** For each such column its values. */
  readonly keys?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

/** Rows that private questions can be asked about, under one budget. As it is, it has one group: all rows. */
export interface Table extends Groups {
  /** What is left of the budget, and what was spent. */
  readonly budget: Budget;
  /**
   * Groups by the public values of one column or several. Where a unit is in one group, all groups together cost what one does; where it may move
   * from one to another, twice that. What persons may be in is bounded by {@linkcode Table.boundContributions}.
   *
   * @throws {RangeError} when a column has no public values.
   */
  groupBy(columns: string | readonly string[], options?: GroupOptions): Groups;
  /**
   * How many rows have each value of a category, or numbers in each interval between `edges`.
   *
   * @throws {RangeError} when a column of numbers has no edges.
   */
  histogram(
    column: string,
    options: Cost & { readonly edges?: readonly number[] },
  ): Promise<Answers>;
  /**
   * How many different values a column has. Of persons: for how many values they can stand, each for some of its own and each value once (Knop, Steinke 2023).
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
export function table(rows: RowSource, schema: TableSchema): Table {
  const checked = checkSchema(schema), { columns, person } = checked;
  const names = Object.keys(columns);
  const visitRows = rowVisitor(rows, person === undefined ? names : [...names, person]);
  const bounds = person === undefined ? { groups: 1, rows: 1 } : undefined;
  return tableOf({ schema: checked, bounds }, visitRows);
}

/** Calls its argument with every row. */
type VisitRows = ReturnType<typeof rowVisitor>;

function tableOf(view: View, visitRows: VisitRows): Table {
  const { schema } = view, { columns, person, budget } = schema;
  const groupsOf = (keys: Keys): Groups => groupsIn(view, { keys, visitRows });
  return Object.freeze({
    ...groupsOf(ONE_GROUP),
    budget,
    groupBy(names: string | readonly string[], options: GroupOptions = {}): Groups {
      const { keys = {} } = requireFields("groupBy", options, { keys: "record?" });
      requireKnown("group rows", options, ["keys"]);
      const grouped = Array.isArray(names) ? names : [names as string];
      requireKnown("group rows by given keys", keys, grouped);
      return groupsOf(combinedKeys(schema, grouped, keys));
    },
    async histogram(
      name: string,
      options: Cost & { readonly edges?: readonly number[] },
    ): Promise<Answers> {
      requireKind("histogram", "options", options, "record");
      const { edges, ...cost } = options;
      requireKnown("count by values", options, ["edges", "epsilon", "rho"]);
      const column = requireColumn("count by values", columns, name);
      if (column.type === "number" && edges === undefined) {
        throw new RangeError(
          `Cannot count by values: edges must be given for a column of numbers, as in { edges: [${column.lower}, ${column.upper}] }: ` +
            "current value is undefined",
        );
      }
      const keys = edges === undefined
        ? combinedKeys(schema, [name], {})
        : binKeys(schema, name, edges);
      return await groupsOf(keys).count(cost as Cost);
    },
    async distinct(name: string, options: DistinctOptions): Promise<Answers> {
      requireColumn("count values", columns, name);
      return await answer(budget, visitRows, preparedDistinct(view, name, options));
    },
    async selectKeys(name: string, rule: SelectionRule): Promise<readonly string[]> {
      requireColumn("select keys", columns, name);
      const options = requireFields("selectKeys", rule, {});
      requireKnown("select keys", options, ["epsilon", "delta", "rule"]);
      const bounds = requireBounded("select keys", view);
      const asked = askedKeys(view, { ...options, column: name, bounds });
      return await answer(budget, visitRows, asked);
    },
    join(rows: readonly Row[], options: JoinOptions): Table {
      const { schema: wider, withColumns } = joinPublic(schema, rows, options);
      return tableOf(
        { ...view, schema: wider },
        (visit) => visitRows((row) => visit(withColumns(row))),
      );
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
      return tableOf({ ...view, bounds: { groups, rows } }, visitRows);
    },
  });
}

function groupsIn(
  view: View,
  { keys, visitRows }: { readonly keys: Keys; readonly visitRows: VisitRows },
): Groups {
  const { budget } = view.schema;
  const put = async (request: Request, cost: Cost): Promise<Answers> =>
    await answer(budget, visitRows, askedOf(view, keys, { ...request, cost }));
  const quantiles = async (column: string, given: QuantileOptions): Promise<Answers> => {
    const options = requireFields("quantiles", given, { levels: "list" });
    const bounds = requireBounded("take quantiles", view);
    return await answer(
      budget,
      visitRows,
      askedQuantiles(view, { ...options, keys, column, bounds }),
    );
  };
  return Object.freeze({
    count: (cost: Cost) => put({ what: "count" }, cost),
    sum: (column: string, cost: Cost) => put({ what: "sum", column }, cost),
    mean: (column: string, cost: Cost) => put({ what: "mean", column }, cost),
    variance: (column: string, cost: Cost) => put({ what: "variance", column }, cost),
    quantiles,
    median: (column: string, cost: Cost) => quantiles(column, { ...cost, levels: [0.5] }),
    top: async (howMany: number, cost: Cost) => {
      requireInteger("take the largest groups", "howMany", howMany, { min: 1 });
      const counts = await put({ what: "count", together: true }, cost);
      const rows = counts.rows.toSorted((a, b) => b.value - a.value).slice(0, howMany);
      return answersOf({ ...counts, rows });
    },
  });
}
