/** The things by a value of each, which is worked out once: the largest first, equal ones as they came. */
export function largestFirst<T>(things: readonly T[], valueOf: (thing: T) => number): T[] {
  const values = new Map(things.map((thing) => [thing, valueOf(thing)]));
  return things.toSorted((a, b) => values.get(b)! - values.get(a)!);
}

/** The members of some rankings: the first of each, the second of each, and so on, everything once. */
export function byTurns<T>(...rankings: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...rankings.map(({ length }) => length));
  const turns = Array.from(
    { length: longest },
    (_, k) => rankings.flatMap((own) => own.slice(k, k + 1)),
  );
  return [...new Set(turns.flat())];
}
