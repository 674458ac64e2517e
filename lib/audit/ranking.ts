/** The things by a value of each, which is worked out once: the largest first, equal ones as they came. */
export function largestFirst<T>(things: readonly T[], valueOf: (thing: T) => number): T[] {
  const values = new Map(things.map((thing) => [thing, valueOf(thing)]));
  return things.toSorted((a, b) => values.get(b)! - values.get(a)!);
}

/** The members of two rankings of the same things: first, first, second, second, and so on, each once. */
export function byTurns<T>(one: readonly T[], other: readonly T[]): T[] {
  return [...new Set(one.flatMap((thing, k) => [thing, other[k]!]))];
}
