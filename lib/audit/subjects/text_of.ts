/** A value as JSON, or by `String` where it has no JSON. */
export function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
