/** Largest contribution of one unit: the groups that it is in, and its rows in each. A row is in one group. */
export interface ContributionBounds {
  /** Groups in which a person counts. */
  readonly groups: number;
  /** Rows that count of a person in each group. */
  readonly rows: number;
}

/** Totals by group, of which one unit changes some. */
export interface GroupedTotals {
  /** Public: how many groups there are. */
  readonly groupCount: number;
  readonly bounds: ContributionBounds;
  /** Whether a unit is added or removed; else it is replaced. */
  readonly addRemove: boolean;
  /** The least that one row adds to its group, at most 0, and the most, at least 0: a row that is left out adds 0. */
  readonly least: number;
  readonly most: number;
}

/**
 * The most that totals by group change between neighbours: the sum of the changes (`l1`) and their Euclidean norm (`l2`).
 *
 * A unit adds to at most t = min(groups, groupCount) totals, to each at most rows·[least, most]. Added or removed, it changes t totals by
 * rows·b, where b = max(−least, most). Replaced, it leaves t totals and enters t, o of them the same: these change by rows·(most − least),
 * the others by rows·b. As b ≤ most − least ≤ 2b, the sum is largest for the least o there can be, max(0, 2t − groupCount). The squares are
 * linear in o, so the largest is at that o or at o = t.
 */
export function sensitivityOf(
  { groupCount, bounds: { groups, rows }, addRemove, least, most }: GroupedTotals,
): { readonly l1: number; readonly l2: number } {
  const touched = Math.min(groups, groupCount),
    bound = Math.max(-least, most),
    range = most - least;
  if (addRemove) return { l1: rows * touched * bound, l2: rows * bound * Math.sqrt(touched) };
  const fewest = Math.max(0, 2 * touched - groupCount);
  const squares = (both: number): number => both * range ** 2 + 2 * (touched - both) * bound ** 2;
  return {
    l1: rows * (fewest * range + 2 * (touched - fewest) * bound),
    l2: rows * Math.sqrt(Math.max(squares(fewest), squares(touched))),
  };
}
