/** The most levels of an output, and the most characters: a number counts as {@linkcode NUMBER}. */
const MOST_LEVELS = 100, MOST_CHARACTERS = 1 << 20, NUMBER = 8;

/** Says in which way an output is too large to be audited, as `put out` goes on in a message; `undefined` where it is not. */
export function outputProblem(output: unknown): string | undefined {
  const { size, levels } = measured(output);
  if (levels > MOST_LEVELS) {
    return `a value of more than ${MOST_LEVELS} levels, the most that can be audited`;
  }
  if (size > MOST_CHARACTERS) {
    return `a value of more than ${
      MOST_CHARACTERS.toLocaleString("en")
    } characters, the most that can be audited`;
  }
  return undefined;
}

/** Returns the characters of an output within the limits, about the bytes that it takes. */
export function sizeOf(output: unknown): number {
  return measured(output).size;
}

/** Returns the characters and levels of a value, counted until one is beyond its limit. */
function measured(output: unknown): { readonly size: number; readonly levels: number } {
  let size = 0, levels = 0;
  // Not by recursion, which ends at some thousand levels.
  let level: unknown[] = [output];
  while (level.length > 0 && ++levels <= MOST_LEVELS && size <= MOST_CHARACTERS) {
    const parts: unknown[] = [];
    for (const value of level) {
      size += NUMBER;
      if (typeof value === "string") size += value.length;
      else if (ArrayBuffer.isView(value)) size += value.byteLength;
      else if (Array.isArray(value)) {
        size += NUMBER * value.length;
        for (const part of value) if (typeof part !== "number") parts.push(part);
      } else if (typeof value === "object" && value !== null) {
        const keys = Object.keys(value);
        for (let k = 0; k < keys.length; k++) {
          const part = (value as Record<string, unknown>)[keys[k]!];
          size += keys[k]!.length;
          if (typeof part === "number") size += NUMBER;
          else parts.push(part);
        }
      }
      if (size > MOST_CHARACTERS) break;
    }
    level = parts;
  }
  return { size, levels };
}

/** The most bytes of a line. */
const LINE_LIMIT = 64 << 20;
/** The bytes of an escaped character in JSON, and those of what stands around outputs. */
const ESCAPED = 6, AROUND = 4096;

/** Returns the most bytes of a line that answers with `count` outputs. */
export function longestAnswer(count: number): number {
  return Math.min(LINE_LIMIT, AROUND + ESCAPED * MOST_CHARACTERS * count);
}
