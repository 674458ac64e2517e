/**
 * The least positive number that reaches something, by bisection between 0 and the first power of 2 that does:
 * a number that does reach it, off by at most that power over 2^halvings.
 *
 * @param isReached false and then true as its argument grows.
 * @returns `undefined` where no power of 2 up to `most` reaches it.
 *
 * @example
 * ```ts
 * import { leastReached } from "./least_reached.ts";
 * leastReached((x) => x * x >= 10); // 3.1622…
 * leastReached((x) => x * x >= 10, { most: 3 }); // undefined
 * ```
 */
export function leastReached(
  isReached: (value: number) => boolean,
  { halvings = 50, most = Infinity }: { readonly halvings?: number; readonly most?: number } = {},
): number | undefined {
  let low = 0, high = 1;
  while (!isReached(high)) {
    high *= 2;
    if (high > most) return undefined;
  }
  for (let i = 0; i < halvings; i++) {
    const middle = (low + high) / 2;
    if (isReached(middle)) high = middle;
    else low = middle;
  }
  return high;
}
