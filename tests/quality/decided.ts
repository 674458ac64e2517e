/** Whether the trials that are left cannot change whether `count` ends above `most`: a test may stop there, and says the same. */
export function isDecided(
  count: number,
  { done, trials, most }: {
    readonly done: number;
    readonly trials: number;
    readonly most: number;
  },
): boolean {
  return count > most || count + trials - done <= most;
}

/** The largest count out of `trials` that is not too many. */
export function mostPassing(trials: number, isTooMany: (count: number) => boolean): number {
  let most = 0;
  while (most < trials && !isTooMany(most + 1)) most++;
  return most;
}
