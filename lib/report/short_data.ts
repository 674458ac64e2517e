import { writable } from "./json_text.ts";

/** A value of a dataset on one line, cut where it is long. */
export function shortData(value: unknown, limit = 200): string {
  const text = JSON.stringify(value, writable) ?? String(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}
