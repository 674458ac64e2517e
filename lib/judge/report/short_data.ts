import { bareJson } from "../../core/text/bare_json.ts";
import { writable } from "./json_text.ts";

/** Returns a value of a dataset on one line, cut where it is long: JSON with bare NaN and infinities, as `--left` and `--right` read it. */
export function shortData(value: unknown, limit = 200): string {
  const text = jsonOf(value) ?? String(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return bareJson(value);
  } catch {
    // Bigints have no JSON.
    return JSON.stringify(value, writable);
  }
}
