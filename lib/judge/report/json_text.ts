import { quoteFor } from "./quote_for.ts";

/**
 * Returns a value as JSON text, two spaces deep. JSON has no NaN and no infinities: the strings "NaN", "Infinity" and "-Infinity" stand for them, and
 * decimal text for a bigint.
 */
export function jsonText(value: unknown): string {
  return `${quoteFor("json", JSON.stringify(value, writable, 2))}\n`;
}

/** Writes values that JSON lacks as texts. */
export function writable(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value === "bigint" ? String(value) : value;
}
