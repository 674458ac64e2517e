/** The members of two rankings of the same things: first, first, second, second, and so on, each once. */
export function byTurns<T>(one: readonly T[], other: readonly T[]): T[] {
  return [...new Set(one.flatMap((thing, k) => [thing, other[k]!]))];
}
