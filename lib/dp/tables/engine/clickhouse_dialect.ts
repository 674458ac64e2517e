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
  const n = `extract(ifNull(toString(${cell}), ''), '^${blanks}(${
    NUMBER_PATTERN.replaceAll("(", "(?:")
  })${blanks}$')`;
  const part = (pattern: string): string => `extract(${n}, '${pattern}')`;
  const whole = part("^[+-]?([0-9]*)"), fraction = part("[.]([0-9]*)");
  const digits = `concat(${whole}, ${fraction})`;
  const power = `(toInt32OrZero(${part("[eE]([+-]?[0-9]+)$")}) - toInt32(length(${fraction})))`;
  const powers = `[${POWERS.join(", ")}]`;
  const sign = `if(startsWith(${n}, '-'), -1, 1)`, read = `toFloat64(toUInt64OrZero(${digits}))`;
  const exact = (most: number): string => `length(${digits}) BETWEEN 1 AND ${most}`;
  return `multiIf(${n} = '', nan, ${exact(19)} AND ${power} = 0, ${sign} * ${read}, ` +
    `${
      exact(15)
    } AND ${power} BETWEEN 1 AND 22, ${sign} * ${read} * ${powers}[greatest(1, least(23, ${power} + 1))], ` +
    `${
      exact(15)
    } AND ${power} BETWEEN -22 AND -1, ${sign} * ${read} / ${powers}[greatest(1, least(23, 1 - ${power}))], ` +
    `ifNull(toFloat64OrNull(replaceRegexpOne(${n}, '^[+]', '')), nan))`;
}

/** The day of a text: the dates of ClickHouse begin in 1970, and take a 29 February of any year. */
function dayOfText(cell: string): string {
  const part = (from: number, length: number): string =>
    `toInt32OrZero(substring(${cell}, ${from}, ${length}))`;
  const year = part(1, 4), month = part(6, 2), day = part(9, 2);
  const leap = `(${year} % 4 = 0 AND (${year} % 100 != 0 OR ${year} % 400 = 0))`;
  const last = `multiIf(${month} IN (4, 6, 9, 11), 30, ${month} != 2, 31, ${leap}, 29, 28)`;
  // Years that begin in March end with their odd day.
  const y = `(${year} - if(${month} <= 2, 1, 0))`;
  const m = `(${month} + if(${month} > 2, -3, 9))`;
  const days = `${y} * 365 + intDiv(${y}, 4) - intDiv(${y}, 100) + intDiv(${y}, 400) + ` +
    `intDiv(153 * ${m} + 2, 5) + ${day} - 719469`;
  const isDay = `match(${cell}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ]|$)') AND ${year} > 0 AND ` +
    `${month} BETWEEN 1 AND 12 AND ${day} BETWEEN 1 AND ${last}`;
  return `if(${isDay}, toFloat64(${days}), nan)`;
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
