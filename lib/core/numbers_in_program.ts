/** The most numbers that are combined with each other, and the most that are returned. */
const MOST_COMBINED = 16, MOST_NUMBERS = 600;

/** A number as JavaScript, Python and their like write it. */
const LITERAL =
  /(?<![\w$.])(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/g;

/**
 * Numbers that a program treats apart, if it treats any apart, are likely to stand in its text: the numbers that are written there,
 * with both signs, and of the first few also sums, differences, products and quotients.
 */
export function numbersInProgram(text: string): number[] {
  const written = new Set<number>();
  for (const [literal] of text.matchAll(LITERAL)) {
    const value = Number(literal.replaceAll("_", ""));
    if (Number.isFinite(value)) written.add(value);
  }
  const found = new Set<number>();
  const add = (value: number): void => {
    if (Number.isFinite(value)) found.add(value + 0).add(-value + 0);
  };
  written.forEach(add);
  const few = [...written].slice(0, MOST_COMBINED);
  for (const a of few) {
    for (const b of few) [a + b, a - b, a * b, a / b].forEach(add);
  }
  return [...found].slice(0, Math.max(MOST_NUMBERS, 2 * written.size));
}
