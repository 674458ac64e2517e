/** A value of a dataset on one line, cut where it is long. */
export function shortData(value: unknown, limit = 200): string {
  const text = JSON.stringify(
    value,
    (_key, part) => typeof part === "number" && !Number.isFinite(part) ? String(part) : part,
  ) ?? String(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}
