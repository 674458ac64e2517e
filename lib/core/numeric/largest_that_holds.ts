/** The largest whole number up to `most` that holds, where `from` does, and everything up to some number. */
export function largestThatHolds(
  holds: (value: number) => boolean,
  { from, step, most }: { readonly from: number; readonly step: number; readonly most: number },
): number {
  let low = from, high = Math.min(most, from + step);
  for (let more = step; low < most && holds(high); more *= 2) {
    [low, high] = [high, Math.min(most, high + 2 * more)];
  }
  if (low === most) return most;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
