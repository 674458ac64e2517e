import type { SchemaElement } from "hyparquet";
import { textOfBytes } from "./text_of_bytes.ts";

/** Returns the schema without what says that numbers are decimals: they are then read as the whole numbers that they are made of. */
export function withoutDecimals(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map((element) => {
    if (!isDecimal(element)) return element;
    const { converted_type: _, logical_type: __, ...plain } = element;
    return plain;
  });
}

/** Returns the cells of a column without a loss: two that differ in the file differ here. */
export function exactCells(element: SchemaElement, cells: ArrayLike<unknown>): ArrayLike<unknown> {
  if (isDecimal(element)) {
    const { scale = 0 } = element;
    return Array.from(cells, (cell) => decimalOf(cell, scale));
  }
  const { type, converted_type, logical_type } = element;
  if (type !== "BYTE_ARRAY" || converted_type === "UTF8" || logical_type?.type === "STRING") {
    return cells;
  }
  // Some writers do not say that bytes are texts.
  return Array.from(cells, (cell) => cell instanceof Uint8Array ? textOfBytes(cell) : cell);
}

function isDecimal({ type, converted_type, logical_type }: SchemaElement): boolean {
  return (converted_type === "DECIMAL" || logical_type?.type === "DECIMAL") &&
    (type === "INT32" || type === "INT64" || type?.endsWith("BYTE_ARRAY") === true);
}

/** A decimal of so few digits is the nearest double's shortest text. */
const DIGITS = 15, FEW = 10n ** BigInt(DIGITS);

/** The widest decimals that databases have; what claims to be wider counts as missing. */
const MOST_DIGITS = 76, MOST_BYTES = 32;

/** Returns `unscaled` / 10^`scale` as the nearest double where that names no other decimal, and as a text otherwise. */
function decimalOf(unscaled: unknown, scale: number): number | string | undefined {
  if (unscaled === null || unscaled === undefined || !(scale >= 0 && scale <= MOST_DIGITS)) {
    return undefined;
  }
  if (unscaled instanceof Uint8Array && unscaled.length > MOST_BYTES) return undefined;
  let whole = unscaled instanceof Uint8Array
    ? wholeOfBytes(unscaled)
    : BigInt(unscaled as number | bigint);
  let places = scale;
  if (whole < FEW && whole > -FEW && places <= DIGITS) return Number(whole) / 10 ** places;
  for (; places > 0 && whole % 10n === 0n; places--) whole /= 10n;
  if (whole < FEW && whole > -FEW && places <= DIGITS) return Number(whole) / 10 ** places;
  const digits = String(whole < 0n ? -whole : whole).padStart(places + 1, "0");
  const point = digits.length - places, sign = whole < 0n ? "-" : "";
  return sign + (places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`);
}

/** Returns the whole number of bytes in two's complement, the largest first. */
function wholeOfBytes(bytes: Uint8Array): bigint {
  let whole = 0n;
  for (const byte of bytes) whole = (whole << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, whole);
}
