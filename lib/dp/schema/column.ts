import { closestName } from "../../core/text/closest_name.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import { requireKind } from "../../core/numeric/require.ts";
import { categoryPlaces } from "../mechanisms/category_places.ts";
import { requireBounds } from "../mechanisms/grid.ts";
import { dayOf, keyOf } from "../schema/cells.ts";

/** Numbers within public bounds. */
export interface NumberColumn {
  /** Which kind of column it is. */
  readonly type: "number";
  /** Numbers below it count as it. Not to be taken from the data. */
  readonly lower: number;
  /** Numbers above it count as it. */
  readonly upper: number;
  /** What a cell counts as that is missing or no number. Default: such a row is left out. */
  readonly missing?: number;
  /** Of quantiles and synthetic rows: what all numbers are multiples of, as 1 where they are whole; others count as the nearest multiple. Quantiles are then nearer. Default: a grid of about a millionth of the range. */
  readonly step?: number;
  /** Of training and synthetic rows: `"log"` for heavy tails, ln(1 + x − lower). Default: `"linear"`. */
  readonly scale?: "linear" | "log";
  /** Of synthetic rows: lower edges of bins besides `lower`, ascending, between the bounds. */
  readonly edges?: readonly number[];
}

/** Days within public bounds. */
export interface DateColumn {
  /** Which kind of column it is. */
  readonly type: "date";
  /** Earlier days count as it, as in "2020-01-01". Not to be taken from the data. */
  readonly lower: string;
  /** Later days count as it. */
  readonly upper: string;
  /** What a cell counts as that is missing or no day. Default: such a row is left out. */
  readonly missing?: string;
}

/** Values of a public list. A cell with another value is in no group. */
export interface CategoryColumn {
  /** Which kind of column it is. */
  readonly type: "category";
  /** The values, all different as texts. */
  readonly values: readonly (string | number | boolean)[];
  /** The value that stands for a cell that is missing. Default: it is in no group. */
  readonly missing?: string | number | boolean;
  /** The value that stands for every one that is not in the list. Default: it is in no group. */
  readonly unseen?: string | number | boolean;
}

/** Texts, numbers or truth values of which no list is public. */
export interface TextColumn {
  /** Which kind of column it is. */
  readonly type: "text";
}

/** Public knowledge of a column. */
export type Column = NumberColumn | DateColumn | CategoryColumn | TextColumn;

const COLUMN_TYPES: readonly Column["type"][] = ["number", "date", "category", "text"];

/** Bounds of numbers whose squares, in steps of any noise, are within the range of doubles. */
const FARTHEST = 2 ** 400, NEAREST = 2 ** -400;

/** Checks the declaration of a column. @throws {RangeError} naming the option. */
export function checkColumn(name: string, column: Column): Column {
  const action = `declare column ${name}`;
  requireKind("table", `columns.${name}`, column, "record");
  switch (column.type) {
    case "number":
      return checkNumbers(action, column);
    case "date":
      return checkDates(action, column);
    case "category":
      return checkCategory(action, name, column);
    case "text":
      requireKnown(action, column, ["type"]);
      return Object.freeze({ type: "text" });
    default: {
      const { type } = column as { readonly type?: unknown };
      throw new RangeError(
        `Cannot ${action}: type must be "number", "date", "category" or "text": current value is ${
          typeof type === "string" ? JSON.stringify(type) : typeof type
        }${typeof type === "string" ? closestName(type, COLUMN_TYPES) : ""}`,
      );
    }
  }
}

function checkNumbers(action: string, column: NumberColumn): NumberColumn {
  requireKnown(action, column, ["type", "lower", "upper", "missing", "step", "scale", "edges"]);
  for (const name of ["lower", "upper"] as const) {
    if (typeof column[name] === "number") continue;
    throw new RangeError(
      `Cannot ${action}: ${name} must be a number, as in { type: "number", lower: 0, upper: 120 }: current type is ${typeof column[
        name
      ]}`,
    );
  }
  const { missing, step, scale, edges } = column, { lower, upper } = requireBounds(action, column);
  if (!(Math.max(-lower, upper) <= FARTHEST && upper - lower >= NEAREST)) {
    throw new RangeError(
      `Cannot ${action}: bounds must be within 2^400 of 0 and at least 2^-400 apart: current values are ${lower} and ${upper}`,
    );
  }
  if (missing !== undefined && !(missing >= lower && missing <= upper)) {
    throw new RangeError(
      `Cannot ${action}: missing must be within the bounds: current value is ${missing}`,
    );
  }
  if (step !== undefined && !(step > 0 && Math.max(-lower, upper) / step <= 2 ** 48)) {
    throw new RangeError(
      `Cannot ${action}: step must be positive, and bounds within 2^48 steps of 0: current value is ${step}`,
    );
  }
  if (scale !== undefined && scale !== "linear" && scale !== "log") {
    throw new RangeError(
      `Cannot ${action}: scale must be "linear" or "log": current value is ${typeof scale}`,
    );
  }
  if (edges !== undefined) {
    requireKind("table", "edges", edges, "list");
    if (!edges.every((edge, i) => edge > (edges[i - 1] ?? lower) && edge < upper)) {
      throw new RangeError(
        `Cannot ${action}: edges must ascend between lower and upper: current number is ${edges.length}`,
      );
    }
  }
  return Object.freeze({
    type: "number",
    lower,
    upper,
    ...(missing !== undefined && { missing }),
    ...(step !== undefined && { step }),
    ...(scale !== undefined && { scale }),
    ...(edges !== undefined && { edges: Object.freeze(Array.from(edges)) }),
  });
}

function checkDates(action: string, column: DateColumn): DateColumn {
  requireKnown(action, column, ["type", "lower", "upper", "missing"]);
  const { lower, upper, missing } = column;
  for (const [name, date] of Object.entries({ lower, upper, missing })) {
    if (date === undefined && name === "missing") continue;
    if (
      typeof date !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(dayOf(date))
    ) {
      throw new RangeError(
        `Cannot ${action}: ${name} must be a day as year-month-day, as in "2020-01-31": current value is ${
          typeof date === "string" ? JSON.stringify(date) : typeof date
        }`,
      );
    }
  }
  if (!(dayOf(lower) < dayOf(upper))) {
    throw new RangeError(
      `Cannot ${action}: lower must be before upper: current values are ${lower} and ${upper}`,
    );
  }
  if (
    missing !== undefined && !(dayOf(missing) >= dayOf(lower) && dayOf(missing) <= dayOf(upper))
  ) {
    throw new RangeError(
      `Cannot ${action}: missing must be within the bounds: current value is ${missing}`,
    );
  }
  return Object.freeze({ type: "date", lower, upper, ...(missing !== undefined && { missing }) });
}

function checkCategory(action: string, name: string, column: CategoryColumn): CategoryColumn {
  requireKnown(action, column, ["type", "values", "missing", "unseen"]);
  requireKind("table", `columns.${name}.values`, column.values, "list");
  const values = Object.freeze(Array.from(column.values)), texts = values.map(keyOf);
  // Numbers differ where their texts do, and are compared at a fraction of the cost.
  const isNumbers = values.every((value) => typeof value === "number");
  categoryPlaces<unknown>(action, isNumbers ? values : texts, { least: 1 });
  if (texts.includes(undefined)) {
    throw new RangeError(`Cannot ${action}: values must be texts, numbers or truth values`);
  }
  const { missing, unseen } = column;
  for (const [option, value] of Object.entries({ missing, unseen })) {
    if (value !== undefined && !texts.includes(keyOf(value))) {
      throw new RangeError(
        `Cannot ${action}: ${option} must be among the values: current value is ${
          keyOf(value) ?? typeof value
        }`,
      );
    }
  }
  return Object.freeze({
    type: "category",
    values,
    ...(missing !== undefined && { missing }),
    ...(unseen !== undefined && { unseen }),
  });
}
