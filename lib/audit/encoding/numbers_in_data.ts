/** The distinct numbers anywhere inside a value, a few of them, and the sums of arrays. */
export function numbersIn(value: unknown, into: Set<number> = new Set(), depth = 0): number[] {
  if (typeof value === "number" && Number.isFinite(value)) into.add(value);
  else if (Array.isArray(value) && depth < 4) {
    for (const inner of value.slice(0, 8)) numbersIn(inner, into, depth + 1);
    if (value.length > 1 && value.every((inner) => typeof inner === "number")) {
      into.add(value.reduce((a: number, b: number) => a + b, 0));
    }
  } else if (typeof value === "object" && value !== null && depth < 4) {
    for (const inner of Object.values(value).slice(0, 8)) numbersIn(inner, into, depth + 1);
  }
  return [...into].slice(0, 8);
}
