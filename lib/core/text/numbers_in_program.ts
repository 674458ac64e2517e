/** The most numbers that are combined with each other, and the most that are returned. */
const MOST_COMBINED = 16, MOST_NUMBERS = 600;

/** A number as JavaScript, Python and their like write it. */
const LITERAL =
  /(?<![\w$.])(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/g;

/** Constants of JavaScript that have names: `Math.PI`, `Number.EPSILON`, … */
const NAMED = new Map(
  [Math, Number].flatMap((owner) =>
    Object.getOwnPropertyNames(owner)
      .map((name) => [name, (owner as unknown as Record<string, unknown>)[name]] as const)
      .filter((entry): entry is readonly [string, number] => Number.isFinite(entry[1]))
  ).filter(([name]) => /^[A-Z]/.test(name)),
);

/**
 * Numbers that a program treats apart, if it treats any apart, are likely to stand in its text: the numbers that are written there, or
 * named, as `Math.PI` is, with both signs, and of the first few also sums, differences, products and quotients.
 */
export function numbersInProgram(text: string): number[] {
  const written = new Set<number>();
  for (const [, name] of text.matchAll(/\b(?:Math|Number)\s*\.\s*([A-Z]\w*)/g)) {
    if (NAMED.has(name!)) written.add(NAMED.get(name!)!);
  }
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
