import type { RowDialect, SqlType } from "./dialect.ts";
import { NUMBER_PATTERN } from "./sql_doubles.ts";

/** The SQL of ClickHouse 18.16. Missing numbers are NaN, with which it computes as IEEE 754 says; texts are equal if their bytes are. */
export const clickhouseDialect: RowDialect & Required<Pick<RowDialect, "doubleKey">> = {
  name: "ClickHouse",
  keepsIntegers: true,
  column: nameOf,
  text: textOf,
  canHold: (text) => text.isWellFormed(),
  double: doubleOf,
  numberOfText,
  dayOf(cell, type): string {
    if (type === "date") return orNaN(`toFloat64(toInt32(${cell}))`);
    if (type === "timestamp") return orNaN(`toFloat64(intDiv(toUInt32(${cell}), 86400))`);
    return type === "text" ? dayOfText(`ifNull(toString(${cell}), '')`) : "nan";
  },
  unlessNaN: (double) => double,
  asDouble: (cell) => orNaN(`toFloat64(${cell})`),
  asText: (cell) => cell === "NULL" ? "CAST(NULL AS Nullable(String))" : `toString(${cell})`,
  whole: (double) => `toInt64(${double})`,
  apply: (operator, left, right) => `(${left} ${operator} ${right})`,
  quotient: (double, divisor) => `${double} / ${doubleOf(divisor)}`,
  square: (double) => `(${double} * ${double})`,
  isNumber: (double) => `NOT isNaN(${double})`,
  missing: {
    orElse: (double, other) => `if(isNaN(${double}), ${other}, ${double})`,
    isMissing: (double) => `isNaN(${double})`,
    unlessZero: (double) => `if(${double} = 0, nan, ${double})`,
  },
  doubleKey: {
    // −0 and 0 are one key, and all that is no number is one.
    of: (cell) =>
      `reinterpretAsUInt64(reinterpretAsString(if(isNaN(toFloat64(${cell})), nan, toFloat64(${cell}) + ${
        doubleOf(0)
      })))`,
    listed: (value) => String(bitsOf(value)),
  },
  placeAmong,
  lookup(key, cases, type): string {
    const keys = cases.map(([key]) => key), values = cases.map(([, value]) => value);
    // A text that no value has stands for none.
    const none = type === "double" ? "nan" : textOf("?".repeat(longest(values) + 1));
    const found = `ifNull(transform(${key}, [${keys.join(", ")}], [${
      values.join(", ")
    }], ${none}), ${none})`;
    return type === "double" ? found : `nullIf(${found}, ${none})`;
  },
  hash: (parts, key) => `cityHash64(${[String(key >>> 0), ...parts].join(", ")})`,
};

function longest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

function orNaN(double: string): string {
  return `ifNull(${double}, nan)`;
}

/** A name between backquotes, and a text: signs that could end them are written as their bytes. */
function nameOf(name: string): string {
  return `\`${escaped(name)}\``;
}

/** A text as a literal. */
function textOf(text: string): string {
  return `'${escaped(text)}'`;
}

function escaped(text: string): string {
  if (/^[\w .,:-]*$/.test(text)) return text;
  return [...new TextEncoder().encode(text)].map((byte) => {
    const sign = String.fromCharCode(byte);
    return /[\w .,:-]/.test(sign) ? sign : `\\x${byte.toString(16).padStart(2, "0").toUpperCase()}`;
  }).join("");
}

/** A double by its bits: it reads few of those that are written in digits to the last one. */
function doubleOf(value: number): string {
  return Number.isSafeInteger(value) && value >= 0
    ? `toFloat64(${value})`
    : `reinterpretAsFloat64(reinterpretAsString(toUInt64(${bitsOf(value)})))`;
}

const view = new DataView(new ArrayBuffer(8));

function bitsOf(value: number): bigint {
  view.setFloat64(0, value + 0);
  return view.getBigUint64(0);
}

/** The double of bits that were written as digits. */
export function doubleOfBits(bits: string): number {
  view.setBigUint64(0, BigInt(bits));
  return view.getFloat64(0);
}

/** Powers of ten that are doubles. */
const POWERS = Array.from({ length: 23 }, (_, i) => `toFloat64(${i < 20 ? 10 ** i : `1e${i}`})`);

/**
 * A text as a double, by the rule of cells. ClickHouse reads digits with a point to the last bit but one or two: those of at most 15 digits and a small power of ten, and whole numbers, are put together here, which gives the
 * nearest double; others are left to it.
 */
function numberOfText(cell: string): string {
  const blanks = "[ \\\\t\\\\n\\\\x0b\\\\f\\\\r]*";
  const number = `extract(ifNull(toString(${cell}), ''), '^${blanks}(${
    NUMBER_PATTERN.replaceAll("(", "(?:")
  })${blanks}$')`;
  const part = (pattern: string): string => `extract(n, '${pattern}')`;
  const digits = `concat(${part("^[+-]?([0-9]*)")}, ${part("[.]([0-9]*)")})`;
  const power = `toInt32OrZero(${part("[eE]([+-]?[0-9]+)$")}) - toInt32(length(${
    part("[.]([0-9]*)")
  }))`;
  const read = "if(startsWith(n, '-'), -1, 1) * toFloat64(toUInt64OrZero(d))";
  const powers = `[${POWERS.join(", ")}]`;
  const exact = (most: number): string => `length(d) BETWEEN 1 AND ${most}`;
  const double = `multiIf(n = '', nan, ${exact(19)} AND p = 0, ${read}, ` +
    `${exact(15)} AND p BETWEEN 1 AND 22, ${read} * ${powers}[greatest(1, least(23, p + 1))], ` +
    `${exact(15)} AND p BETWEEN -22 AND -1, ${read} / ${powers}[greatest(1, least(23, 1 - p))], ` +
    "ifNull(toFloat64OrNull(replaceRegexpOne(n, '^[+]', '')), nan))";
  return withValues({ n: number }, withValues({ n: "n", d: digits, p: power }, double));
}

/** An expression of others, each of which is written once: an alias would be put in wherever it is read, and nested ones grow without bound. */
function withValues(values: Readonly<Record<string, string>>, expression: string): string {
  const lists = Object.values(values).map((value) => `[${value}]`);
  return `arrayMap((${Object.keys(values).join(", ")}) -> ${expression}, ${lists.join(", ")})[1]`;
}

/** The place of the last of the edges that a double reaches: by halves. */
function placeAmong(double: string, edges: readonly number[]): string {
  const halves = Math.ceil(Math.log2(edges.length));
  const padded = Array.from({ length: 2 ** halves }, (_, i) => doubleOf(edges[i] ?? Infinity));
  let expression = `toInt32(l${halves})`;
  for (let i = halves - 1; i >= 0; i--) {
    const half = 2 ** (halves - 1 - i),
      reached = `x${i} >= [${padded.join(", ")}][l${i} + ${half + 1}]`;
    const values = { [`x${i + 1}`]: `x${i}`, [`l${i + 1}`]: `l${i} + if(${reached}, ${half}, 0)` };
    expression = withValues(values, expression);
  }
  return withValues({ x0: double, l0: "0" }, expression);
}

/** The day of a text: the dates of ClickHouse begin in 1970, and take a 29 February of any year. */
function dayOfText(cell: string): string {
  const part = (from: number, length: number): string =>
    `toInt32OrZero(substring(t, ${from}, ${length}))`;
  const leap = "(y % 4 = 0 AND (y % 100 != 0 OR y % 400 = 0))";
  const last = `multiIf(m IN (4, 6, 9, 11), 30, m != 2, 31, ${leap}, 29, 28)`;
  const isDay = "match(t, '^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ]|$)')";
  // Years that begin in March end with their odd day.
  const days = "a * 365 + intDiv(a, 4) - intDiv(a, 100) + intDiv(a, 400) + " +
    "intDiv(153 * b + 2, 5) + d - 719469";
  const day = `if(i AND y > 0 AND m BETWEEN 1 AND 12 AND d BETWEEN 1 AND ${last}, toFloat64(${
    withValues(
      { a: "y - if(m <= 2, 1, 0)", b: "m + if(m > 2, -3, 9)", d: "d" },
      days,
    )
  }), nan)`;
  const parts = { y: part(1, 4), m: part(6, 2), d: part(9, 2), i: isDay };
  return withValues({ t: cell }, withValues(parts, day));
}

/** Returns the type of a column that ClickHouse names. */
export function typeOfClickhouse(type: string): SqlType {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type) ?? [];
  if (inner !== undefined) return typeOfClickhouse(inner);
  if (/^(String|UUID|FixedString\(\d+\)|Enum(8|16)\(.*\))$/s.test(type)) return "text";
  if (/^(Int(8|16|32|64)|UInt(8|16|32))$/.test(type)) return "integer";
  if (/^(UInt64|U?Int(128|256))$/.test(type)) return "wide integer";
  if (/^Float(32|64)$/.test(type)) return "double";
  if (/^Decimal\(\d+, *\d+\)$/.test(type)) return "decimal";
  if (type === "Bool") return "boolean";
  if (/^Date(32)?$/.test(type)) return "date";
  return /^DateTime(\('[^']*'\))?$/.test(type) ? "timestamp" : "other";
}
