/** A value as text: as JSON, or as `String` has it where there is none. */
export function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
