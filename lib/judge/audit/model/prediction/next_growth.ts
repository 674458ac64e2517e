import type { Effort } from "./effort.ts";

/** A tree is grown anew when the stored draws have grown by this factor. */
const GROWTH_FACTOR = { quick: 2, thorough: 4, sparing: 8 };

/**
 * With effort `quick`, the smaller factors while the last tree was grown on fewer draws than `below`, where outputs have at most so many
 * columns: what a tree takes grows with its columns, and of wide outputs it would take longer than all draws since the last one.
 */
const EARLY_GROWTH = [
  { factor: 1.05, below: 1 << 6, columns: 64 },
  { factor: 1.4, below: 1 << 12, columns: 512 },
];

/** With the other efforts no tree is grown before this many draws. */
const FIRST_GROWTH = { thorough: 1 << 10, sparing: 1 << 8 };

/** The size of the next batch as a share of the draws so far. */
export const BATCH_SHARE: Readonly<Record<Effort, number>> = {
  quick: 1 / 16,
  thorough: 1 / 4,
  sparing: 1,
};

/**
 * Returns the number of stored draws at which the next tree is grown, after one that was grown on `grownAt` of them; 0 before the first.
 *
 * @param options.columns those of an output, before the best of them are screened.
 */
export function nextGrowth(
  effort: Effort,
  { grownAt, columns }: { readonly grownAt: number; readonly columns: number },
): number {
  if (effort !== "quick") return Math.max(FIRST_GROWTH[effort], GROWTH_FACTOR[effort] * grownAt);
  const early = EARLY_GROWTH.find((early) => grownAt < early.below && columns <= early.columns);
  return (early?.factor ?? GROWTH_FACTOR.quick) * grownAt;
}
