import type { Source } from "../../../../core/mechanism/source.ts";
import { firstAbove, firstAtLeast } from "../../../../core/numeric/sorted_search.ts";

/** The most ranks of a test, and the first of them. */
const RANKS = 24, FIRST_RANK = 6;

/** Returns different ranks from 6 to n in geometric steps, at most 24; fixed by n alone. */
export function precedenceRanks(n: number): number[] {
  const first = Math.min(FIRST_RANK, n);
  const ranks: number[] = [];
  for (let i = 0; i < RANKS; i++) {
    const rank = Math.round(first * (n / first) ** (i / (RANKS - 1)));
    if (rank !== ranks[ranks.length - 1]) ranks.push(rank);
  }
  return ranks;
}

/**
 * Counts for each rank k how many of `others` lie above the k-th largest of `scores`. Equal scores are put
 * into a random order, as a uniform drawn for each output would.
 *
 * @param samples Both sorted, ascending.
 */
export function precedenceCounts(
  samples: { readonly scores: Float64Array; readonly others: Float64Array },
  { ranks, source }: { readonly ranks: readonly number[]; readonly source: Source },
): number[] {
  const { scores, others } = samples;
  let group = NaN, ownLeft = 0, othersLeft = 0, ownTaken = 0, othersAbove = 0;
  return ranks.map((rank) => {
    const value = scores[scores.length - rank]!;
    if (value !== group) {
      group = value;
      const above = firstAbove(scores, value), othersFrom = firstAbove(others, value);
      ownLeft = above - firstAtLeast(scores, value);
      othersLeft = othersFrom - firstAtLeast(others, value);
      ownTaken = scores.length - above;
      othersAbove = others.length - othersFrom;
    }
    // Equal scores are ordered at random, from the largest rank down, until this rank is reached.
    while (ownTaken < rank) {
      if (othersLeft === 0 || source.uniform() * (ownLeft + othersLeft) < ownLeft) {
        ownLeft--;
        ownTaken++;
      } else {
        othersLeft--;
        othersAbove++;
      }
    }
    return othersAbove;
  });
}
