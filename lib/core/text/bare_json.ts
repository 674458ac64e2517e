/**
 * JSON text in which NaN, Infinity and -Infinity stand bare, as Python's `json` writes and reads them; `undefined` for what JSON leaves out.
 * Values without such numbers give the text of `JSON.stringify`.
 */
export function bareJson(value: unknown): string | undefined {
  return holdsBare(value) ? written(value) : JSON.stringify(value);
}

/** Returns true if a value contains a number that is not finite. */
function holdsBare(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsBare);
}

function written(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null || "toJSON" in value) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => written(item) ?? "null").join(",")}]`;
  const fields = Object.entries(value).flatMap(([key, own]) => {
    const text = written(own);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${fields.join(",")}}`;
}

/** Marks strings that stand for numbers which JSON does not have. */
const MARK = "\0number ";

/**
 * Reads JSON in which NaN, Infinity and -Infinity may stand without quotes. `reviver` gets all other values, as in `JSON.parse`.
 *
 * @throws {SyntaxError} on other text.
 */
export function parseBareJson(
  text: string,
  reviver?: (key: string, value: unknown, context?: { source?: string }) => unknown,
): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    const marked = text.replaceAll(
      /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g,
      (token) => token.startsWith('"') ? token : JSON.stringify(MARK + token),
    );
    // The message is about the text as it was given.
    if (!(error instanceof SyntaxError) || marked === text) throw error;
    return JSON.parse(
      marked,
      (key, value: unknown, context?: { source?: string }) =>
        typeof value === "string" && value.startsWith(MARK)
          ? Number(value.slice(MARK.length))
          : reviver === undefined
          ? value
          : reviver(key, value, context),
    );
  }
}
