/** The most levels of an output, and the most characters: a number counts as {@linkcode NUMBER}. */
const MOST_LEVELS = 100, MOST_CHARACTERS = 1 << 20, NUMBER = 8;

/** What an output is that is too large to be looked at; `undefined` where it is not. */
export function outputProblem(output: unknown): string | undefined {
  if (typeof output === "number" || typeof output === "boolean") return undefined;
  const waiting: unknown[] = [output], levels: number[] = [1];
  let size = 0;
  while (waiting.length > 0) {
    const value = waiting.pop(), level = levels.pop()!;
    if (level > MOST_LEVELS) {
      return `a value of more than ${MOST_LEVELS} levels, the most that can be audited`;
    }
    size += NUMBER;
    if (typeof value === "string") size += value.length;
    else if (ArrayBuffer.isView(value)) size += value.byteLength;
    else if (typeof value === "object" && value !== null) {
      const isList = Array.isArray(value);
      for (const key of isList ? value.keys() : Object.keys(value)) {
        if (size > MOST_CHARACTERS) break;
        if (typeof key === "string") size += key.length;
        else size += NUMBER;
        const part = (value as Record<string | number, unknown>)[key];
        if (typeof part === "number") continue;
        waiting.push(part);
        levels.push(level + 1);
      }
    }
    if (size > MOST_CHARACTERS) {
      return `a value of more than ${
        MOST_CHARACTERS.toLocaleString("en")
      } characters, the most that can be audited`;
    }
  }
  return undefined;
}

/** The most bytes of a line. */
const LINE_LIMIT = 64 << 20;
/** The bytes of an escaped character in JSON, and those of what stands around outputs. */
const ESCAPED = 6, AROUND = 4096;

/** The most bytes of a line that answers with `count` outputs. */
export function longestAnswer(count: number): number {
  return Math.min(LINE_LIMIT, AROUND + ESCAPED * MOST_CHARACTERS * count);
}
