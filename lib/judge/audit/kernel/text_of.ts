import { bareJson } from "../../../core/text/bare_json.ts";

/** Returns a value as JSON, or by `String` where it has no JSON. */
export function textOf(value: unknown): string {
  try {
    return bareJson(value) ?? String(value);
  } catch {
    return String(value);
  }
}
