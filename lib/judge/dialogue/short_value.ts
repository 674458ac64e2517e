import { bareJson } from "../../core/text/bare_json.ts";

/** Returns a value on a line of a script. */
export function shortValue(value: unknown): string {
  const text = bareJson(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
