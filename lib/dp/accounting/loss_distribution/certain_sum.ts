/** More than the roundings of some dozens of additions, relative to the sum of terms that are not negative. */
const ROUNDINGS = 1e-14;

/** At least the sum of upper bounds, as a probability; 1 where it overflowed or is not a number. */
export function sumAbove(terms: readonly number[]): number {
  const sum = terms.reduce((sum, term) => sum + term, 0);
  return sum < 1 ? Math.min(1, sum * (1 + ROUNDINGS)) : 1;
}

/** At most the sum of lower bounds, as a probability; 0 where it is not a number. */
export function sumBelow(terms: readonly number[]): number {
  const sum = terms.reduce((sum, term) => sum + term, 0);
  return sum > 0 ? Math.min(1, sum * (1 - ROUNDINGS)) : 0;
}
