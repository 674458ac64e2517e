import type { Dialect } from "./dialect.ts";
import { NUMBER_PATTERN } from "./sql_doubles.ts";

/** The SQL of BigQuery. Its arithmetic ends in an error where a double overflows. It was not run. */
export const bigqueryDialect: Dialect = {
  name: "BigQuery",
  column: (name) => `\`${escaped(name).replaceAll("`", "\\`")}\``,
  text: textOf,
  canHold: (text) => text.isWellFormed(),
  double: doubleOf,
  numberOfText(text): string {
    return scalar(
      { t: `TRIM(${text}, ${textOf(" \t\n\v\f\r")})` },
      `CASE WHEN REGEXP_CONTAINS(t, '^${NUMBER_PATTERN}$') THEN COALESCE(SAFE_CAST(t AS FLOAT64), CASE WHEN STARTS_WITH(t, '-') THEN ${
        doubleOf(-Infinity)
      } ELSE ${doubleOf(Infinity)} END) END`,
    );
  },
  dayOf(cell, type): string {
    const days = (date: string): string => `CAST(UNIX_DATE(${date}) AS FLOAT64)`;
    if (type === "date") return days(cell);
    if (type === "timestamp") return days(`CAST(${cell} AS DATE)`);
    if (type !== "text") return "CAST(NULL AS FLOAT64)";
    const form = "^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ](.|[^.])*)?$";
    return `(CASE WHEN REGEXP_CONTAINS(${cell}, '${form}') AND SUBSTR(${cell}, 1, 4) <> '0000' THEN ${
      days(`SAFE_CAST(SUBSTR(${cell}, 1, 10) AS DATE)`)
    } END)`;
  },
  unlessNaN,
  doubles: "FLOAT64",
  asDouble: (cell) => `CAST(${cell} AS FLOAT64)`,
  // A column may be compared without regard to case; what is made of code points is not.
  asText: (cell, type) =>
    type === "text" && cell !== "NULL"
      ? `CODE_POINTS_TO_STRING(TO_CODE_POINTS(${cell}))`
      : `CAST(${cell} AS STRING)`,
  whole: (double) => `CAST(${double} AS INT64)`,
  sum: (whole) => `SUM(CAST(${whole} AS NUMERIC))`,
  sumOfSums: (sum) => `SUM(CAST(${sum} AS NUMERIC))`,
  apply: (operator, left, right) => scalar({ l: left, r: right }, unlessNaN(SAFE[operator])),
  quotient: (double, divisor) => `${double} / ${doubleOf(divisor)}`,
  square: (double) => `(${double} * ${double})`,
  // Doubles divide no windows.
  alike: (value) => `CAST(${value} AS STRING)`,
  hash: (parts, key) =>
    `FARM_FINGERPRINT(CONCAT(${
      parts.map((part) => `CAST(${part} AS STRING), '/', `).join("")
    }'${key}'))`,
};

/** Operations on doubles `l` and `r`; what is too large is infinite. */
const SAFE = {
  "+": safe("SAFE_ADD", "SIGN(l)"),
  "-": safe("SAFE_SUBTRACT", "SIGN(l)"),
  "*": safe("SAFE_MULTIPLY", "SIGN(l) * SIGN(r)"),
  "/": safe("SAFE_DIVIDE", "SIGN(l) * SIGN(r)"),
} as const;

function safe(operation: string, sign: string): string {
  return `CASE WHEN l IS NULL OR r IS NULL THEN NULL ELSE COALESCE(${operation}(l, r), ${sign} * ${
    doubleOf(Infinity)
  }) END`;
}

function doubleOf(value: number): string {
  const text = Number.isFinite(value)
    ? String(value === 0 ? 0 : value)
    : value > 0
    ? "inf"
    : "-inf";
  return `CAST('${text}' AS FLOAT64)`;
}

function unlessNaN(double: string): string {
  return scalar({ d: double }, "CASE WHEN IS_NAN(d) THEN NULL ELSE d END");
}

/** An expression of others, each of which is computed once. */
function scalar(values: Readonly<Record<string, string>>, expression: string): string {
  const named = Object.entries(values).map(([name, value]) => `${value} AS ${name}`);
  return `(SELECT ${expression} FROM (SELECT ${named.join(", ")}) AS o)`;
}

function textOf(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`;
}

/** A text between quotes, by the escapes that JSON and BigQuery share. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
}
