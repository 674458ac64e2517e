import type { Dialect } from "./dialect.ts";

/** A text that is a number by the rule of cells, without blanks around it, as a pattern that the dialects share. */
export const NUMBER_PATTERN = "[+-]?(([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,9})?|Infinity)";

/** Doubles of a database that reads them as JavaScript writes them, and where NaN equals itself; by the name of their type. */
export function doublesAs(type: "DOUBLE" | "float8"): Pick<Dialect, "double" | "unlessNaN"> {
  return {
    double: (value) => `CAST('${Object.is(value, -0) ? 0 : value}' AS ${type})`,
    unlessNaN: (double) => `nullif(${double}, CAST('NaN' AS ${type}))`,
  };
}
