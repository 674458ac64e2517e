import type { RowSpec } from "../../core/relations/dataset.ts";
import { dateOf, dayOf } from "./cells.ts";
import type { Column } from "./column.ts";
import type { TableFile } from "./table_file.ts";

/** The rows that a table may have, for audits: a record with a field for each column. Texts have up to eight characters; of days there are the bounds and the middle. */
export function rowsOfTable({ columns }: Pick<TableFile, "columns">): RowSpec {
  return {
    type: "record",
    fields: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, specOf(column)]),
    ),
  };
}

function specOf(column: Column): RowSpec {
  switch (column.type) {
    case "number": {
      const { lower: min, upper: max, step } = column;
      return step === 1 && Number.isInteger(min) && Number.isInteger(max)
        ? { type: "integer", min, max }
        : { type: "number", min, max };
    }
    case "date": {
      const { lower, upper } = column;
      const values = [lower, dateOf((dayOf(lower) + dayOf(upper)) / 2), upper];
      return { type: "category", values: [...new Set(values)] };
    }
    case "category":
      return { type: "category", values: column.values };
    case "text":
      return { type: "text", length: "0..8" };
  }
}
