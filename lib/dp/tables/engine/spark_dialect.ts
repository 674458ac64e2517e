import type { Dialect } from "./dialect.ts";
import { doublesAs, NUMBER_PATTERN } from "./sql_doubles.ts";

const { double: doubleOf, unlessNaN } = doublesAs("DOUBLE");

/** The SQL of Spark 3.5 and later, whatever its settings are. It was not run. */
export const sparkDialect: Dialect = {
  name: "Spark",
  column: (name) => `\`${name.replaceAll("`", "``")}\``,
  text: textOf,
  canHold: (text) => text.isWellFormed(),
  double: doubleOf,
  numberOfText(text): string {
    const trimmed = `trim(BOTH ${textOf(" \t\n\v\f\r")} FROM ${text})`;
    return `(CASE WHEN ${trimmed} RLIKE '^${NUMBER_PATTERN}$' THEN CAST(${trimmed} AS DOUBLE) END)`;
  },
  dayOf(cell, type): string {
    const days = (date: string): string => `CAST(datediff(${date}, DATE '1970-01-01') AS DOUBLE)`;
    if (type === "date") return days(cell);
    if (type === "timestamp") {
      return days(`CAST(to_utc_timestamp(${cell}, current_timezone()) AS DATE)`);
    }
    if (type !== "text") return "CAST(NULL AS DOUBLE)";
    const form = "^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?$", day = `substr(${cell}, 1, 10)`;
    return `(CASE WHEN ${cell} RLIKE '${form}' AND substr(${cell}, 1, 4) <> '0000' THEN ${
      days(`TRY_CAST(${day} AS DATE)`)
    } END)`;
  },
  doubles: "DOUBLE",
  unlessNaN,
  asDouble: (cell) => `CAST(${cell} AS DOUBLE)`,
  asText: (cell) => `CAST(${cell} AS STRING)`,
  whole: (double) => `CAST(${double} AS BIGINT)`,
  sum: (whole) => `sum(CAST(${whole} AS DECIMAL(28, 0)))`,
  sumOfSums: (sum) => `sum(CAST(${sum} AS DECIMAL(28, 0)))`,
  apply: (operator, left, right) => unlessNaN(`(${left} ${operator} ${right})`),
  quotient: (double, divisor) => `${double} / ${doubleOf(divisor)}`,
  square: (double) => `(${double} * ${double})`,
  alike: (value) => value,
  hash: (parts, key) => `xxhash64(${[...parts, String(key)].join(", ")})`,
};

/** A text whose literal means the same under every setting: a backslash in it is an escape, or is none. */
function textOf(text: string): string {
  if (/^[\w .,:-]*$/.test(text)) return `'${text}'`;
  const bytes = [...new TextEncoder().encode(text)];
  return `CAST(X'${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}' AS STRING)`;
}
