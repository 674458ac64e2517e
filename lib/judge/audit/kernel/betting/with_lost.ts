import type { SideCounts } from "../subject.ts";

/**
 * Returns the counts of a batch with its lost draws where they do the bets most harm: those of the left dataset in the leaf whose log
 * odds of "right" are the largest, those of the right one where they are the smallest. They are in no leaf where no leaf
 * favours the other side.
 *
 * Why: a program may choose which outputs do not come when it knows coins and bets. Had it put out anything in their place, the
 * wealth would have an expectation of at most the wealth before, and it is never smaller than the wealth after these counts.
 * For a bet on log odds l against ε wins on the likelier side, and on the other one multiplies the wealth by a factor below 1
 * that falls as
 * |l| rises; so does the stake of a bet against (ε, δ).
 */
export function withLost(
  counts: Float64Array,
  { lost, leaves, odds }: {
    readonly lost: SideCounts | undefined;
    readonly leaves: Int32Array;
    /** Log odds of "right" at each leaf that are bet on. */
    readonly odds: ArrayLike<number>;
  },
): Float64Array {
  if (lost === undefined) return counts;
  const all = counts.slice();
  let most = -1, least = -1;
  for (const leaf of leaves) {
    const own = odds[leaf]!;
    if (own > (most < 0 ? 0 : odds[most]!)) most = leaf;
    if (own < (least < 0 ? 0 : odds[least]!)) least = leaf;
  }
  if (most >= 0) all[2 * most]! += lost.left;
  if (least >= 0) all[2 * least + 1]! += lost.right;
  return all;
}
