import { type Dialect, quotedName, type SqlType } from "./dialect.ts";
import { doublesAs } from "./sql_doubles.ts";

const { double: doubleOf, unlessNaN } = doublesAs("float8");

/** The SQL of PostgreSQL 12 and later. Its arithmetic ends in an error where that of others gives an infinity or 0, so every operation is looked at before. */
export const postgresDialect: Dialect = {
  name: "PostgreSQL",
  keepsIntegers: true,
  column: quotedName,
  text: quotedText,
  canHold: (text) => text.isWellFormed() && !text.includes("\0"),
  double: doubleOf,
  numberOfText,
  dayOf(cell, type): string {
    if (type === "date") {
      return `(CASE WHEN isfinite(${cell}) THEN CAST(${cell} - DATE '1970-01-01' AS float8) END)`;
    }
    if (type === "timestamp") {
      // Days begin at midnight of UTC, which the session has.
      const date = `CAST(${cell} AS date)`;
      return `(CASE WHEN isfinite(${cell}) THEN CAST(${date} - DATE '1970-01-01' AS float8) END)`;
    }
    if (type !== "text") return "CAST(NULL AS float8)";
    return scalar(
      { d: `CAST(${cell} AS text) COLLATE "C"` },
      `CASE WHEN d ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ].*)?$' AND substr(d, 1, 4) <> '0000' THEN ${
        scalar(
          {
            y: "CAST(substr(d, 1, 4) AS int)",
            m: "CAST(substr(d, 6, 2) AS int)",
            t: "CAST(substr(d, 9, 2) AS int)",
          },
          `CASE WHEN t <= ${DAYS_OF_MONTH} THEN CAST(make_date(y, m, t) - DATE '1970-01-01' AS float8) END`,
        )
      } END`,
    );
  },
  doubles: "float8",
  unlessNaN,
  asDouble: (cell, type) =>
    type === "decimal" ? scalar({ d: cell }, DOUBLE_OF_DECIMAL) : `CAST(${cell} AS float8)`,
  asText: (cell, type) =>
    `${
      type === "decimal"
        ? `CAST(trim_scale(${cell}) AS text)`
        : type === "boolean"
        ? `(CASE WHEN ${cell} THEN 'true' WHEN NOT ${cell} THEN 'false' END)`
        : `CAST(${cell} AS text)`
    } COLLATE "C"`,
  whole: (double) => `CAST(${double} AS bigint)`,
  sum: (whole) => `sum(${whole})`,
  sumOfSums: (sum) => `sum(${sum})`,
  quotient: (double, divisor) =>
    `(CASE WHEN ${double} BETWEEN ${doubleOf(-divisor / 4)} AND ${doubleOf(divisor / 4)} THEN ${
      doubleOf(0)
    } ELSE ${double} / ${doubleOf(divisor)} END)`,
  square: (double) =>
    scalar(
      { d: double },
      `CASE WHEN abs(d) < ${doubleOf(2 ** -500)} THEN ${doubleOf(0)} ELSE d * d END`,
    ),
  apply: (operator, left, right) => scalar({ l: left, r: right }, unlessNaN(SAFE[operator])),
  alike: (value) => value,
  hash: (parts, key) =>
    `hashtextextended(concat_ws('/', ${parts.join(", ")}) COLLATE "C", ${key | 0})`,
};

/** A text as a literal that means the same under every setting of a server. */
export function quotedText(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** An expression of others, each of which is computed once; names of outer ones are not read in them. */
function scalar(values: Readonly<Record<string, string>>, expression: string): string {
  const named = Object.entries(values).map(([name, value]) => `${value} AS ${name}`);
  return `(SELECT ${expression} FROM (SELECT ${named.join(", ")} OFFSET 0) AS o)`;
}

const DAYS_OF_MONTH =
  "CASE WHEN m IN (4, 6, 9, 11) THEN 30 WHEN m <> 2 THEN 31 WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29 ELSE 28 END";

const INFINITE = doubleOf(Infinity);

const isFinite_ = (name: string): string => `abs(${name}) < ${INFINITE}`;

/**
 * What doubles `l` and `r` give, of which neither is NaN. Whether a result is too large or too small is asked of operands that powers of two brought so near to 1 that this
 * itself can be neither.
 */
const SAFE: Readonly<Record<"+" | "-" | "*" | "/", string>> = {
  "+": added("+"),
  "-": added("-"),
  "*": `CASE WHEN NOT (${isFinite_("l")} AND ${isFinite_("r")}) OR l = 0 OR r = 0 THEN l * r ` +
    `WHEN abs(l) > 1 AND abs(r) > 1 AND abs((l * ${doubleOf(2 ** -512)}) * (r * ${
      doubleOf(2 ** -512)
    })) >= 1 THEN sign(l) * sign(r) * ${INFINITE} ` +
    `WHEN abs(l) < 1 AND abs(r) < 1 AND (greatest(abs(l), abs(r)) < ${
      doubleOf(2 ** -538)
    } OR (least(abs(l), abs(r)) < ${doubleOf(2 ** -500)} AND abs((l * ${
      doubleOf(2 ** 537)
    }) * (r * ${doubleOf(2 ** 537)})) <= 0.5)) THEN ${doubleOf(0)} ELSE l * r END`,
  "/": `CASE WHEN NOT (${isFinite_("l")} AND ${isFinite_("r")}) OR l = 0 THEN l / r ` +
    `WHEN abs(r) < 1 AND abs(l) >= ${doubleOf(2 ** -51)} AND (abs(r) <= ${
      doubleOf(2 ** -500)
    } OR abs(l) >= ${doubleOf(2 ** 500)}) AND abs((l * ${doubleOf(2 ** -600)}) / (r * ${
      doubleOf(2 ** 600)
    })) >= ${doubleOf(2 ** -176)} THEN sign(l) * sign(r) * ${INFINITE} ` +
    `WHEN abs(r) > 1 AND abs(l) <= ${doubleOf(2 ** -51)} AND (abs(l) <= ${
      doubleOf(2 ** -500)
    } OR abs(r) >= ${doubleOf(2 ** 500)}) AND abs((l * ${doubleOf(2 ** 600)}) / (r * ${
      doubleOf(2 ** -600)
    })) <= ${doubleOf(2 ** 125)} THEN ${doubleOf(0)} ELSE l / r END`,
};

function added(sign: "+" | "-"): string {
  return `CASE WHEN ${isFinite_("l")} AND ${isFinite_("r")} AND least(abs(l), abs(r)) > ${
    doubleOf(2 ** 900)
  } AND abs(l * 0.5 ${sign} r * 0.5) >= ${
    doubleOf(2 ** 1023)
  } THEN sign(l) * ${INFINITE} ELSE l ${sign} r END`;
}

/** The least number that is beyond all doubles, and the greatest that is 0 as one. */
const BEYOND = 2n ** 1024n - 2n ** 970n, TOO_SMALL = 5n ** 1075n;

/** A decimal `d` as a double. */
const DOUBLE_OF_DECIMAL =
  `CASE WHEN abs(d) = 'NaN'::numeric THEN NULL WHEN d >= ${BEYOND} THEN ${INFINITE} WHEN d <= -${BEYOND} THEN -${INFINITE} ` +
  `WHEN abs(d) <= 2.4703282292062328e-324 THEN ${doubleOf(0)} ELSE CAST(d AS float8) END`;

/**
 * A text as a double, by the rule of cells. One of few digits is cast; of others the digits and the power of ten are looked at before, for a
 * cast of what is too large or too small ends in an error.
 */
function numberOfText(text: string): string {
  const far = scalar(
    {
      n: "t ~ '^-'",
      e: "coalesce(CAST(substring(t from '[eE]([+-]?[0-9]+)$') AS int), 0)",
      w: "ltrim(substring(t from '^[+-]?([0-9]*)'), '0')",
      f: "coalesce(substring(t from '[.]([0-9]*)'), '')",
    },
    // 0.d × 10^p, where d begins and ends with another digit than 0.
    scalar(
      {
        d: "rtrim(ltrim(w || f, '0'), '0')",
        p: "CASE WHEN w <> '' THEN length(w) ELSE length(ltrim(f, '0')) - length(f) END + e",
      },
      `CASE WHEN d = '' OR p < -323 OR (p = -323 AND d <= '${TOO_SMALL}') THEN ${doubleOf(0)} ` +
        `WHEN p > 309 OR (p = 309 AND d >= '${
          String(BEYOND).replace(/0+$/, "")
        }') THEN CASE WHEN n THEN -${INFINITE} ELSE ${INFINITE} END ELSE CAST(t AS float8) END`,
    ),
  );
  return scalar(
    { t: `btrim(CAST(${text} AS text) COLLATE "C", E' \\t\\n\\x0b\\f\\r')` },
    `CASE WHEN t ~ '^[+-]?([0-9]{1,15}[.]?[0-9]{0,15}|[.][0-9]{1,15})$' THEN CAST(t AS float8) ` +
      `WHEN t ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,9})?$' THEN ${far} ` +
      `WHEN t IN ('Infinity', '+Infinity') THEN ${INFINITE} WHEN t = '-Infinity' THEN -${INFINITE} END`,
  );
}

/** Returns the type of a column that PostgreSQL names. */
export function typeOfPostgres(
  { oid, category }: { readonly oid: number; readonly category: string },
): SqlType {
  switch (oid) {
    case 16:
      return "boolean";
    case 20:
    case 21:
    case 23:
      return "integer";
    case 700:
    case 701:
      return "double";
    case 1700:
      return "decimal";
    case 1082:
      return "date";
    case 1114:
    case 1184:
      return "timestamp";
    case 2950:
      return "text";
    default:
      return category === "S" || category === "E" ? "text" : "other";
  }
}
