/** The most numbers that are returned and the most elements that are searched, and how deep they are nested. */
const MAX_NUMBERS = 8, MAX_DEPTH = 4;

/** Returns the first distinct numbers inside a value, at any place, and the sums of arrays. */
export function numbersIn(value: unknown, into: Set<number> = new Set(), depth = 0): number[] {
  if (typeof value === "number" && Number.isFinite(value)) into.add(value);
  else if (Array.isArray(value) && depth < MAX_DEPTH) {
    for (const inner of value.slice(0, MAX_NUMBERS)) numbersIn(inner, into, depth + 1);
    if (value.length > 1 && value.every((inner) => typeof inner === "number")) {
      into.add(value.reduce((a: number, b: number) => a + b, 0));
    }
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const inner of Object.values(value).slice(0, MAX_NUMBERS)) {
      numbersIn(inner, into, depth + 1);
    }
  }
  return [...into].slice(0, MAX_NUMBERS);
}
