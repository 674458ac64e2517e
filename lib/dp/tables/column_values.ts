import { closestName } from "../../core/text/closest_name.ts";
import { dayOf } from "../schema/cells.ts";
import type { Column, DateColumn, NumberColumn } from "../schema/column.ts";
import type { Cell, Clipped, NumberOfRow } from "./engine/plan.ts";
import type { CheckedSchema } from "./schema.ts";

/** A column of numbers or days as what is asked of it: bounds in numbers, and how answers are written. */
export interface Numbers {
  readonly name: string;
  readonly lower: number;
  readonly upper: number;
  readonly missing: number | undefined;
  readonly step: number | undefined;
  /** Whether answers are days. */
  readonly days: boolean;
  readonly clipped: Clipped;
}

/** The cell of a column, which may be looked up. */
export function cellOf({ lookups }: Pick<CheckedSchema, "lookups">, name: string): Cell {
  return Object.hasOwn(lookups, name) ? lookups[name]! : { column: name };
}

/** The numbers of a column. @throws {RangeError} where it has others. */
export function requireNumbers(action: string, schema: CheckedSchema, name: string): Numbers {
  const column = requireColumn(action, schema.columns, name);
  if (column.type !== "number" && column.type !== "date") {
    throw new RangeError(
      `Cannot ${action}: ${name} must be a column of numbers, { type: "number", lower, upper }, or of days, { type: "date", lower, upper }: current type is ${column.type}`,
    );
  }
  const bounds = boundsOf(column), { lower, upper, missing } = bounds;
  const value: NumberOfRow = Object.hasOwn(schema.derived, name)
    ? schema.derived[name]!
    : { kind: "cell", cell: cellOf(schema, name), days: bounds.days };
  const whole: NumberOfRow = missing === undefined ? value : { kind: "or else", value, missing };
  return { name, ...bounds, clipped: { value: whole, lower, upper } };
}

function boundsOf(column: NumberColumn | DateColumn): Omit<Numbers, "name" | "clipped"> {
  if (column.type === "number") {
    const { lower, upper, missing, step } = column;
    return { lower, upper, missing, step, days: false };
  }
  const { lower, upper, missing } = column;
  return {
    lower: dayOf(lower),
    upper: dayOf(upper),
    missing: missing === undefined ? undefined : dayOf(missing),
    step: 1,
    days: true,
  };
}

/** The declaration of a column. @throws {RangeError} where there is none. */
export function requireColumn(
  action: string,
  columns: CheckedSchema["columns"],
  name: string,
): Column {
  if (typeof name === "string" && Object.hasOwn(columns, name)) return columns[name]!;
  const names = Object.keys(columns);
  throw new RangeError(
    `Cannot ${action}: column must be one of those declared, ${names.join(", ")}: ` +
      `current value is ${
        typeof name === "string" ? `${name}${closestName(name, names)}` : typeof name
      }`,
  );
}
