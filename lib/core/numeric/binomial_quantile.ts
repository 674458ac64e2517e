import { logBinomialLowerTail } from "./binomial_tail.ts";

/** The smallest k such that a binomial number is at most k with at least this probability. */
export function binomialQuantile(
  probability: number,
  { trials, rate }: { readonly trials: number; readonly rate: number },
): number {
  const log = Math.log(probability);
  let low = -1, high = trials;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (logBinomialLowerTail(middle, trials, rate) >= log) high = middle;
    else low = middle;
  }
  return high;
}
