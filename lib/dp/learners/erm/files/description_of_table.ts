import type { Column } from "../../../schema/column.ts";
import { keyOf } from "../../../schema/cells.ts";
import type { TableFile } from "../../../schema/table_file.ts";
import type { CategoryColumn, ColumnDescription, NumberColumn } from "./column_description.ts";

/**
 * What a learner uses of a table: its columns of numbers and categories, but for the label and the column of persons. Texts and dates are no features.
 *
 * @throws {TypeError} when there is none, or the label is no category.
 */
export function descriptionOfTable(
  { columns, label, unit, delimiter }: TableFile,
): ColumnDescription {
  const person = typeof unit === "object" ? unit.person : undefined;
  const features = Object.entries(columns).flatMap(([name, column]) =>
    name === label || name === person ? [] : featureOf(name, column)
  );
  if (features.length === 0) {
    throw new TypeError(
      "Cannot read the column description: columns must have a number or a category that is not the label: current number is 0",
    );
  }
  const described = { columns: features, ...(delimiter !== undefined && { delimiter }) };
  if (label === undefined) return described;
  const declared = Object.hasOwn(columns, label) ? columns[label]! : undefined;
  if (declared?.type !== "category" || declared.values.length < 2) {
    throw new TypeError(
      `Cannot read the column description: label must be a column of type "category" with two values or more: current value is ${label}`,
    );
  }
  return { ...described, label: { name: label, classes: textsOf(declared.values) } };
}

const textsOf = (values: readonly unknown[]): string[] => values.map((value) => keyOf(value)!);

function featureOf(name: string, column: Column): [NumberColumn | CategoryColumn] | [] {
  switch (column.type) {
    case "number": {
      const { lower, upper, step, missing, scale = "linear", edges } = column;
      return [{
        name,
        type: "number",
        min: lower,
        max: upper,
        scale,
        ...(missing !== undefined && { missing }),
        ...(step === 1 && { whole: true }),
        ...(edges !== undefined && { edges }),
      }];
    }
    case "category": {
      const { values, missing, unseen } = column;
      return [{
        name,
        type: "category",
        values: textsOf(values),
        ...(missing !== undefined && { missing: keyOf(missing) }),
        ...(unseen !== undefined && { unseen: keyOf(unseen) }),
      }];
    }
    default:
      return [];
  }
}
