/** Draws by value at one place of outputs. */
interface CountedValues<Key> {
  readonly counts: readonly (readonly [value: Key, draws: number])[];
  /** Draws of values that are not counted one by one: none of these came often. */
  readonly others: number;
}

/** The most values that make up an event: a tree needs a split for each. */
const MOST_VALUES = 8;

/**
 * Returns the share of draws on the rarer side of the most even division by values in no order: of at most eight of them against all
 * other draws.
 */
export function rarerShareOfTexts(
  { counts }: Pick<CountedValues<unknown>, "counts">,
  draws: number,
): number {
  const commonest = counts.map(([, own]) => own).sort((a, b) => b - a);
  let best = 0;
  // From one of the commonest values on, those that still fit into half of the draws.
  for (let first = 0; first < Math.min(MOST_VALUES, commonest.length); first++) {
    let sum = commonest[first]!, values = 1;
    for (let k = first + 1; k < commonest.length && values < MOST_VALUES; k++) {
      if (sum + commonest[k]! > draws / 2) continue;
      sum += commonest[k]!;
      values++;
    }
    best = Math.max(best, Math.min(sum, draws - sum));
  }
  return best / draws;
}

/** Returns the share of draws on the rarer side of the most even division by a threshold, or by one value against all others. */
export function rarerShareOfNumbers(
  { counts, others }: CountedValues<number>,
  draws: number,
): number {
  const ascending = counts.toSorted(([a], [b]) => a - b);
  let best = 0, below = 0, largest = 0;
  for (const [, own] of ascending) {
    below += own;
    largest = Math.max(largest, own);
    // It is not known on which side of a threshold the values lie that are not counted one by one.
    best = Math.max(best, Math.min(below, draws - others - below), Math.min(own, draws - own));
  }
  // Some threshold divides these values and all others so that neither side has less than half of what one value leaves.
  const came = below + others;
  if (others > 0) {
    best = Math.max(best, Math.min((came - largest) / 2, draws - (came + largest) / 2));
  }
  return best / draws;
}
